// SPICE's rows of items, straight from the metric, with any facts and data.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "metric/spice.h"
#include "reference/item.h"
#include "resource/meteor_data.h"
#include "scene/caption_facts.h"
#include "text/text_set.h"

namespace capella::test {

inline std::unique_ptr<metric::Metric> make_spice(const char* synsets) {
  metric::Settings settings("spice", metric::kSpiceSettings);
  settings.set("synsets", synsets);
  return metric::make_spice(settings);
}

/// Items as a metric is handed them; the text is its own tokens.
class SpiceTexts {
 public:
  explicit SpiceTexts(const std::vector<reference::Item>& items) : numbers_(items.size()) {
    text::StringColumn reference_tokens, caption_tokens;
    for (const reference::Item& item : items) {
      captions_.emplace_back(item.caption);
      caption_tokens.push_back(item.caption);
      for (const std::string& reference : item.references) reference_tokens.push_back(reference);
      ends_.push_back(reference_tokens.size());
    }
    std::iota(numbers_.begin(), numbers_.end(), 0);
    reference_set_ = std::make_unique<text::TextSet>(std::move(reference_tokens), text::Detail::tokens);
    caption_set_ = std::make_unique<text::TextSet>(std::move(caption_tokens), reference_set_.get());
    references_ = std::make_unique<metric::References>(
        metric::References{std::span<const std::string_view>(), ends_, *reference_set_});
  }

  const metric::References& references() const { return *references_; }
  metric::Batch batch() const { return {*references_, numbers_, captions_, *caption_set_}; }

 private:
  std::vector<std::string_view> captions_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> numbers_;
  std::unique_ptr<text::TextSet> reference_set_, caption_set_;
  std::unique_ptr<metric::References> references_;
};

inline std::unique_ptr<const metric::State> prepare_spice(const metric::Metric& metric,
                                                          const SpiceTexts& texts,
                                                          const resource::MeteorData& data,
                                                          const scene::CaptionFacts& facts) {
  ThreadPool pool(2);
  return metric.prepare(texts.references(), {nullptr, &data, &facts, &pool, {}, {}});
}

/// The rows of all items, one after the other.
inline std::vector<double> spice_rows(const metric::Metric& metric, const std::vector<reference::Item>& items,
                                      const resource::MeteorData& data, const scene::CaptionFacts& facts) {
  const SpiceTexts texts(items);
  const auto state = prepare_spice(metric, texts, data, facts);
  std::vector<double> out(items.size() * metric.info().row_width);
  metric.rows(texts.batch(), state.get(), out.data());
  return out;
}

}  // namespace capella::test
