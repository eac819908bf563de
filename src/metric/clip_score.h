// CLIP-S and PAC-S, which hold a caption against its picture, and RefCLIP-S and RefPAC-S, which hold it
// against references too (docs/metrics/clip-s.md). They differ in the model and in a factor.
#pragma once

#include <memory>

#include "metric/clip_features.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kPromptSetting{"prompt", "A photo depicts", "the words before each caption"};
inline constexpr std::string_view kWeightHelp = "what the cosine of picture and caption is multiplied by";

inline constexpr SettingInfo kClipSettings[] = {
    {"model", "", kClipModelHelp, "DIR"}, kPromptSetting, {"weight", "2.5", kWeightHelp}};
inline constexpr SettingInfo kPacSettings[] = {
    {"model", "", kClipModelHelp, "DIR"}, kPromptSetting, {"weight", "2", kWeightHelp}};

/// Of two numbers from 0 up: 0 where one of them is, no number where one of them is none.
double harmonic_mean(double a, double b);

std::unique_ptr<Metric> make_clip_s(const Settings& settings);
std::unique_ptr<Metric> make_refclip_s(const Settings& settings);
std::unique_ptr<Metric> make_pac_s(const Settings& settings);
std::unique_ptr<Metric> make_refpac_s(const Settings& settings);

}  // namespace capella::metric
