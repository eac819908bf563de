#include "metric/meteor.h"

#include <algorithm>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "base/replace_all.h"
#include "metric/meteor_comparison.h"
#include "metric/meteor_explanation.h"

namespace capella::metric {
namespace {

// A row: the 23 statistics of the best reference, and 1 if the segment is perfect. The chunk of a perfect
// segment does not count in a corpus.
constexpr std::size_t kPerfect = std::tuple_size_v<MeteorStatistics>;
constexpr std::size_t kWidth = kPerfect + 1;

// The references' words, and what METEOR knows of them.
class PreparedMeteor final : public State {
 public:
  PreparedMeteor(const References& references, const resource::MeteorData& data, bool paraphrases)
      : lexicon(data), texts(lexicon, paraphrases), prepared_from_(&references.tokens) {
    for (std::size_t i = 0; i < references.tokens.size(); ++i) texts.add(references.tokens.text(i));
  }

  /// Whether these are the references that were prepared; a caller may bring others.
  bool has(const References& references) const { return prepared_from_ == &references.tokens; }

  MeteorLexicon lexicon;
  MeteorTexts texts;

 private:
  const text::TextSet* prepared_from_;
};

// coco-caption separates captions by "|||" and so takes that out of a caption, with the spaces it leaves.
std::string without_separators(std::string_view caption) {
  const std::string joined = replace_all(caption, "|||", "");
  return replace_all(std::string_view(joined), "  ", " ");
}

// Scores the captions of a batch, one after the other.
class BatchScorer {
 public:
  BatchScorer(const Batch& batch, const PreparedMeteor& prepared, bool paraphrases)
      : batch_(batch),
        prepared_(prepared),
        lexicon_(prepared.lexicon.data(), &prepared.lexicon),
        captions_(lexicon_, paraphrases),
        references_(lexicon_, paraphrases),
        comparer_(lexicon_, paraphrases) {}

  /// The statistics against the first of the references with the highest score.
  MeteorStatistics best(std::size_t k) {
    captions_.clear();
    captions_.add(without_separators(batch_.tokens.text(k)));
    const MeteorTexts& references = find_references(k);
    comparer_.set_caption(captions_.get(0));
    MeteorStatistics best{};
    double best_score = -1.0;
    for (std::size_t r = first_; r < first_ + count_; ++r) {
      const MeteorStatistics statistics = comparer_.compare(references.get(r));
      const double score = meteor_value(statistics).score;
      if (score > best_score) {
        best = statistics;
        best_score = score;
      }
    }
    return best;
  }

 private:
  const MeteorTexts& find_references(std::size_t k) {
    const References& references = batch_.references;
    const std::uint32_t item = batch_.items[k];
    first_ = references.begin(item);
    count_ = references.end(item) - first_;
    if (prepared_.has(references)) return prepared_.texts;
    references_.clear();
    for (std::size_t r = first_; r < first_ + count_; ++r) references_.add(references.tokens.text(r));
    first_ = 0;
    return references_;
  }

  const Batch& batch_;
  const PreparedMeteor& prepared_;
  MeteorLexicon lexicon_;
  MeteorTexts captions_;
  MeteorTexts references_;  // when they are not the prepared ones
  MeteorComparer comparer_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

class Meteor final : public Metric {
 public:
  explicit Meteor(bool paraphrases) : paraphrases_(paraphrases) {
    info_.name = "meteor";
    info_.scores = {{"METEOR", 1.0, 100.0}};
    info_.row_width = kWidth;
    info_.reads = text::Detail::tokens;
    info_.data = "meteor";
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<PreparedMeteor>(references, *resources.meteor, paraphrases_);
  }

  void rows(const Batch& batch, const State* state, double* out) const override {
    BatchScorer scorer(batch, static_cast<const PreparedMeteor&>(*state), paraphrases_);
    for (std::size_t k = 0; k < batch.size(); ++k, out += kWidth) {
      const MeteorStatistics statistics = scorer.best(k);
      std::copy(statistics.begin(), statistics.end(), out);
      out[kPerfect] = is_perfect(statistics) ? 1.0 : 0.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    MeteorStatistics statistics;
    std::copy_n(row.begin(), statistics.size(), statistics.begin());
    statistics[kChunks] -= row[kPerfect];
    scores[0] = meteor_value(statistics).score;
  }

  std::string choices(const State*) const override {
    return fmt::format("para:{}|syn:wn3.0|stem:porter2", paraphrases_ ? "en-1.5" : "none");
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    const References& references = batch.references;
    std::vector<std::string_view> texts;
    for (std::size_t r = references.begin(batch.items[0]); r < references.end(batch.items[0]); ++r)
      texts.push_back(references.tokens.text(r));
    return explain_meteor(compare_by_meteor(without_separators(batch.tokens.text(0)), texts,
                                            static_cast<const PreparedMeteor&>(*state).lexicon.data(),
                                            paraphrases_));
  }

 private:
  bool paraphrases_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_meteor(const Settings& settings) {
  constexpr std::string_view kTables[] = {"en-1.5", "none"};
  return std::make_unique<Meteor>(settings.choice("paraphrases", kTables) == 0);
}

}  // namespace capella::metric
