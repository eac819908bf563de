#include "io/raw_ratings.h"

#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "capella/error.h"

#include "base/hash.h"
#include "base/names.h"
#include "io/benchmark_builder.h"
#include "io/benchmark_records.h"

namespace capella::io {
namespace {

const FieldNames kWorkerNames{"worker", "worker_id", "workerid", "annotator", "judge", "user"};
const FieldNames kImageNames{"imgid", "image_id", "image", "file_name", "img"};
const FieldNames kCaptionFields{"mt", "cand", "candidate", "caption"};
const FieldNames kRatingNames{"rating", "score", "answer"};
const FieldNames kSecondsNames{"seconds", "time", "response_time", "duration"};
const FieldNames kReferenceNames{"refs", "references"};

class RatingCollector {
 public:
  RatingCollector(NumberRange scale, const std::string& references) : scale_(scale) {
    if (!references.empty()) table_.emplace(references);
  }

  void add(const Record& record, const Source& source) {
    const std::string worker = record.id(kWorkerNames);
    const double rating = record.number(kRatingNames, scale_);
    const double seconds = record.has(kSecondsNames) ? record.number(kSecondsNames, {.low = 0})
                                                     : std::numeric_limits<double>::quiet_NaN();
    const std::uint32_t caption = caption_number(record, source);
    const auto [found, is_new] = workers_.emplace(worker, ratings_.workers.size());
    if (is_new) ratings_.workers.push_back(worker);
    if (!judged_.insert((std::uint64_t{found->second} << 32) | caption).second) {
      throw RowProblem{fmt::format("the worker {} has judged this caption before, expected one judgement",
                                   excerpt(worker))};
    }
    ratings_.judgements.push_back({found->second, caption, rating, seconds});
  }

  RawRatings finish() { return std::move(ratings_); }

 private:
  std::uint32_t caption_number(const Record& record, const Source& source) {
    std::string image = record.id(kImageNames);
    std::string text(record.text(kCaptionFields));
    std::string key = fmt::format("{} {}{}", image.size(), image, text);
    const auto found = captions_.find(key);
    if (found != captions_.end()) {
      check_same_references(record, ratings_.captions[found->second]);
      return found->second;
    }
    std::vector<std::string> references = references_of(record, image, source);
    const auto number = static_cast<std::uint32_t>(ratings_.captions.size());
    ratings_.captions.push_back({std::move(image), std::move(text), std::move(references)});
    captions_.emplace(std::move(key), number);
    return number;
  }

  std::vector<std::string> references_of(const Record& record, const std::string& image,
                                         const Source& source) const {
    if (table_) {
      const auto texts = table_->of(image);
      return {texts.begin(), texts.end()};
    }
    if (record.has(kReferenceNames)) return record.texts(kReferenceNames);
    throw DataError(
        fmt::format("{}: the rows have no references, neither refs nor references; add them, or name a file "
                    "of captions by image with --references",
                    source.name));
  }

  void check_same_references(const Record& record, const RawRatings::Caption& caption) const {
    if (table_ || !record.has(kReferenceNames)) return;
    if (record.texts(kReferenceNames) != caption.references) {
      throw RowProblem{"the references differ from those of an earlier row of the same caption"};
    }
  }

  NumberRange scale_;
  std::optional<ReferenceTable> table_;
  RawRatings ratings_;
  tsl::robin_map<std::string, std::uint32_t> workers_;
  tsl::robin_map<std::string, std::uint32_t> captions_;
  tsl::robin_set<std::uint64_t, IntegerHash> judged_;
};

}  // namespace

RawRatings read_raw_ratings(const std::string& path, double low, double high, const std::string& references) {
  const Source source = open_records(path, "judgements");
  RatingCollector collector({low, high}, references);
  for_each_record(source, [&](const Record& record) { collector.add(record, source); });
  return collector.finish();
}

}  // namespace capella::io
