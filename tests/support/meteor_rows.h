// METEOR's rows of items, straight from the metric, with any data table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metric/meteor.h"
#include "metric/meteor_statistics.h"
#include "reference/item.h"
#include "resource/meteor_data.h"
#include "text/text_set.h"

namespace capella::test {

inline std::unique_ptr<metric::Metric> make_meteor(bool paraphrases) {
  metric::Settings settings("meteor", metric::kMeteorSettings);
  if (!paraphrases) settings.set("paraphrases", "none");
  return metric::make_meteor(settings);
}

/// Items as METEOR is handed them; the text is its own tokens.
class MeteorBatch {
 public:
  MeteorBatch(const metric::Metric& metric, const std::vector<reference::Item>& items,
              const resource::MeteorData& data)
      : metric_(metric), items_(items), numbers_(items.size()) {
    text::StringColumn reference_tokens, caption_tokens;
    for (const reference::Item& item : items_) {
      captions_.emplace_back(item.caption);
      caption_tokens.push_back(item.caption);
      for (const std::string& reference : item.references) {
        references_.emplace_back(reference);
        reference_tokens.push_back(reference);
      }
      ends_.push_back(references_.size());
    }
    std::iota(numbers_.begin(), numbers_.end(), 0);
    reference_set_ = std::make_unique<text::TextSet>(std::move(reference_tokens));
    caption_set_ = std::make_unique<text::TextSet>(std::move(caption_tokens), reference_set_.get());
    metric::Resources resources;
    resources.meteor = &data;
    state_ = metric_.prepare(references(), resources);
  }

  /// The rows of all items, one after the other.
  std::vector<double> rows() const {
    std::vector<double> out(items_.size() * metric_.info().row_width);
    const metric::References given = references();
    metric_.rows({given, numbers_, captions_, *caption_set_}, state_.get(), out.data());
    return out;
  }

 private:
  metric::References references() const { return {references_, ends_, *reference_set_}; }

  const metric::Metric& metric_;
  std::vector<reference::Item> items_;
  std::vector<std::string_view> captions_, references_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> numbers_;
  std::unique_ptr<text::TextSet> reference_set_, caption_set_;
  std::unique_ptr<const metric::State> state_;
};

inline std::vector<double> meteor_rows(const metric::Metric& metric,
                                       const std::vector<reference::Item>& items,
                                       const resource::MeteorData& data) {
  return MeteorBatch(metric, items, data).rows();
}

/// Whether a row, or a sum of rows, holds these statistics. How it holds the chunks, which do not all count
/// in a corpus, is the metric's affair: the score tells whether they are right.
inline bool holds_statistics(std::span<const double> row, metric::MeteorStatistics statistics) {
  if (row.size() < statistics.size()) return false;
  statistics[metric::kChunks] = row[metric::kChunks];
  return std::equal(statistics.begin(), statistics.end(), row.begin());
}

/// The score of one row or of a sum of rows.
inline double finish_meteor(const metric::Metric& metric, std::span<const double> row) {
  double score = 0;
  metric.finish(row, {&score, 1});
  return score;
}

}  // namespace capella::test
