#include "metric/encoder_texts.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::metric {

void want_encoder(const Settings& settings, Info& info) {
  info.encoder = settings.text(kEncoderSetting.key);
  if (info.encoder.empty())
    throw UsageError(fmt::format("{}.{} is empty, expected {} or the folder of a model", settings.metric(),
                                 kEncoderSetting.key, kEncoderSetting.default_value));
  if (info.encoder == kEncoderSetting.default_value) info.data = info.encoder;
}

bool wants_eight_bits(const Settings& settings) {
  constexpr std::string_view kPrecisions[] = {"float", "int8"};
  return settings.choice(kPrecisionSetting.key, kPrecisions) == 1;
}

PreparedReferences::PreparedReferences(const References& references, ItemRange range)
    : raw_(references.raw),
      first_item_(std::min(range.begin, references.items())),
      end_item_(std::min(range.end, references.items())) {
  if (first_item_ >= end_item_) return;
  first_ = references.begin(first_item_);
  texts_ = raw_.subspan(first_, references.end(end_item_ - 1) - first_);
}

bool PreparedReferences::has(const Batch& batch) const {
  return batch.references.raw.data() == raw_.data() && batch.references.raw.size() == raw_.size() &&
         std::ranges::all_of(batch.items,
                             [&](std::uint32_t item) { return item >= first_item_ && item < end_item_; });
}

BatchReferences references_of(const Batch& batch) {
  BatchReferences own;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    own.places.push_back(own.texts.size());
    const auto texts =
        batch.references.raw.subspan(batch.references.begin(batch.items[k]), reference_count(batch, k));
    own.texts.insert(own.texts.end(), texts.begin(), texts.end());
  }
  return own;
}

void CutTexts::add_references(std::size_t first, std::span<const std::size_t> cut) const {
  const std::lock_guard lock(mutex_);
  references_.texts += cut.size();
  for (const std::size_t place : cut) {
    const auto item = std::ranges::upper_bound(ends_, first + place) - ends_.begin();
    references_.items.insert(static_cast<std::uint32_t>(item));
  }
}

void CutTexts::add_captions(const Batch& batch, std::span<const std::size_t> cut) const {
  const std::lock_guard lock(mutex_);
  captions_.texts += cut.size();
  if (batch.references.raw.data() != raw_) return;
  for (const std::size_t place : cut) captions_.items.insert(batch.items[place]);
}

std::string CutTexts::names_of(const Found& found) const {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string_view> names;
  for (const std::uint32_t item : found.items) {
    if (item < ids_.size()) names.push_back(ids_[item]);
  }
  if (names.empty()) return "";
  return fmt::format(" (id{} {})", names.size() == 1 ? "" : "s", list_names(names, kNamed));
}

std::vector<std::string> CutTexts::warnings(std::string_view metric, std::size_t most_tokens) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> warnings;
  const auto tell = [&](const Found& found, std::string_view what) {
    if (found.texts == 0) return;
    warnings.push_back(fmt::format(
        "{}: {} {}{} more than the {} tokens that the encoder takes{}; what follows them does not "
        "count",
        metric, found.texts, what, found.texts == 1 ? " has" : "s have", most_tokens, names_of(found)));
  };
  tell(references_, "reference");
  tell(captions_, "caption");
  return warnings;
}

}  // namespace capella::metric
