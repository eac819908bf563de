// A trained network of DENEB's kind as a metric like any other (docs/metrics/deneb.md, polos.md).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "method/deneb/model_file.h"
#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::method::deneb {

inline constexpr metric::SettingInfo kDenebSettings[] = {
    {"model", "", "a network that 'capella deneb train' wrote; for deneb also text-minilm, which is bundled",
     "FILE"},
    {"clip", "", "the folder of the CLIP model that it was trained with"},
    {"text", "", "the sentence encoder that it was trained with: a folder, or minilm, a data package"},
    {"heads", "8", "of attention, for a file of the authors' program, which does not tell"},
};
inline constexpr std::span<const metric::SettingInfo> kPolosSettings =
    std::span(kDenebSettings).first(3);  // there is no attention

/// "DENEB" or "Polos".
std::string score_name(Architecture architecture);

/// The same network, used so that a score depends on its sample alone: by the statistics that it keeps, and
/// with all references.
Model stable(Model model);

/// What makes the numbers of a network what they are, for signatures: "model:#1234abcd|arch:released|...".
std::string model_choices(const Model& model, std::uint64_t fingerprint);

/// What the user should know about a network that is used for items with these numbers of references.
std::vector<std::string> use_warnings(const std::string& name, const Model& model,
                                      std::span<const std::size_t> reference_counts);

/// `settings` are of "deneb" or "polos" and may name no model: then there is a metric that cannot score.
/// Otherwise `header` is what the model's file says, without arrays, and `open` gives it with them. Throws
/// UsageError if the network is one of the other metric, or if settings that it needs are missing.
std::unique_ptr<metric::Metric> make_deneb(const metric::Settings& settings, Model header,
                                           std::function<Model()> open);

}  // namespace capella::method::deneb
