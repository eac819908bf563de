// Items as a metric is handed them, for metrics that are tested without a pipeline around them.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "metric/metric.h"
#include "reference/item.h"
#include "text/text_set.h"

namespace capella::test {

/// Caption k belongs to item k; the text is its own tokens. The items must outlive it.
class MetricTexts {
 public:
  MetricTexts(const std::vector<reference::Item>& items, text::Detail detail) : numbers_(items.size()) {
    text::StringColumn reference_tokens, caption_tokens;
    for (const reference::Item& item : items) {
      captions_.emplace_back(item.caption);
      caption_tokens.push_back(item.caption);
      for (const std::string& reference : item.references) {
        raw_.emplace_back(reference);
        reference_tokens.push_back(reference);
      }
      ends_.push_back(reference_tokens.size());
    }
    std::iota(numbers_.begin(), numbers_.end(), 0);
    reference_set_ = std::make_unique<text::TextSet>(std::move(reference_tokens), detail);
    caption_set_ = std::make_unique<text::TextSet>(std::move(caption_tokens), reference_set_.get());
    references_ = std::make_unique<metric::References>(metric::References{raw_, ends_, *reference_set_});
  }

  const metric::References& references() const { return *references_; }
  metric::Batch batch() const { return {*references_, numbers_, captions_, *caption_set_}; }

  /// The rows of all items, one after the other, as `metric` fills them when prepared with `resources`.
  std::vector<double> rows(const metric::Metric& metric, metric::Resources resources) const {
    ThreadPool pool(2);
    resources.pool = &pool;
    return rows(metric, metric.prepare(references(), resources).get());
  }
  std::vector<double> rows(const metric::Metric& metric, const metric::State* state) const {
    std::vector<double> out(numbers_.size() * metric.info().row_width);
    metric.rows(batch(), state, out.data());
    return out;
  }

 private:
  std::vector<std::string_view> captions_;
  std::vector<std::string_view> raw_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> numbers_;
  std::unique_ptr<text::TextSet> reference_set_, caption_set_;
  std::unique_ptr<metric::References> references_;
};

}  // namespace capella::test
