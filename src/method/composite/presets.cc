#include "method/composite/presets.h"

#include <algorithm>

#include "capella/error.h"

#include "base/names.h"

namespace capella::method::composite {
namespace {

// The letters of Eval_*: METEOR, WMD, CIDEr, SPICE.
constexpr PresetInput kMeteor{"METEOR"};
constexpr PresetInput kWmd{"WMD"};
constexpr PresetInput kCider{"CIDEr-D", kCiderScale};
constexpr PresetInput kSpice{"SPICE"};

const std::vector<std::size_t> kNnevalLayers = {72, 72};

std::vector<Preset> make_presets() {
  return {
      {"eval-ms", "Eval-MS", "learned from METEOR and SPICE", {kMeteor, kSpice}, kNnevalLayers},
      {"eval-cs", "Eval-CS", "learned from CIDEr-D and SPICE", {kCider, kSpice}, kNnevalLayers},
      {"eval-mcs",
       "Eval-MCS",
       "learned from METEOR, CIDEr-D and SPICE",
       {kMeteor, kCider, kSpice},
       kNnevalLayers},
      {"eval-wcs", "Eval-WCS", "learned from WMD, CIDEr-D and SPICE", {kWmd, kCider, kSpice}, kNnevalLayers},
      {"eval-mws", "Eval-MWS", "learned from METEOR, WMD and SPICE", {kMeteor, kWmd, kSpice}, kNnevalLayers},
      {"eval-mwcs",
       "Eval-MWCS",
       "learned from METEOR, WMD, CIDEr-D and SPICE",
       {kMeteor, kWmd, kCider, kSpice},
       kNnevalLayers},
      {"nneval",
       "NNEval",
       "learned from METEOR, WMD, BLEU-1 to BLEU-4, SPICE and CIDEr-D",
       {kMeteor, kWmd, {"BLEU-1"}, {"BLEU-2"}, {"BLEU-3"}, {"BLEU-4"}, kSpice, kCider},
       kNnevalLayers},
      {"lceval",
       "LCEval",
       "learned from sixteen scores: words, meaning and grammar; a linear classifier",
       {{"BLEU-P1"},
        {"BLEU-P2"},
        {"BLEU-P3"},
        {"BLEU-P4"},
        {"ROUGE-1-R"},
        {"ROUGE-L"},
        kMeteor,
        kWmd,
        kSpice,
        {"CIDEr-D"},
        {"MOWE"},
        {"HWCM-2"},
        {"HWCM-3"},
        {"HWCM-4"},
        {"HWCM-2-dep"},
        {"HWCM-3-dep"}},
       {}},
  };
}

}  // namespace

std::span<const Preset> presets() {
  static const std::vector<Preset> all = make_presets();
  return all;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  return found == presets().end() ? nullptr : &*found;
}

const Preset& preset_by_name(std::string_view name) {
  if (const Preset* preset = find_preset(name)) return *preset;
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  throw UsageError(unknown_name_message("preset", name, names));
}

}  // namespace capella::method::composite
