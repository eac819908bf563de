#include "metric/encoder_texts.h"

#include <algorithm>

#include <fmt/format.h>

namespace capella::metric {

void want_encoder(const Settings& settings, Info& info) {
  info.encoder = settings.text(kEncoderSetting.key);
  if (info.encoder == kEncoderSetting.default_value) info.data = info.encoder;
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

std::vector<std::string> CutTexts::warnings(std::string_view metric, std::size_t most_tokens) const {
  std::vector<std::string> warnings;
  const auto tell = [&](std::size_t count, std::string_view what) {
    if (count == 0) return;
    warnings.push_back(
        fmt::format("{}: {} {}{} more than {} tokens; the encoder takes no more, so what is behind them does "
                    "not count",
                    metric, count, what, count == 1 ? " has" : "s have", most_tokens));
  };
  tell(references_, "reference");
  tell(captions_, "caption");
  return warnings;
}

}  // namespace capella::metric
