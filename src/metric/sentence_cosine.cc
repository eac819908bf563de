#include "metric/sentence_cosine.h"

#include <fmt/format.h>

#include "metric/reference_cosines.h"

namespace capella::metric {
namespace {

using encoder::Pooling;

constexpr std::string_view kOver[] = {"max", "mean", "both"};
constexpr std::string_view kPoolings[] = {"told", "mean", "first", "pooler"};

class SentenceCosine final : public Metric {
 public:
  explicit SentenceCosine(const Settings& settings)
      : over_(settings.choice("over", kOver)),
        pooling_(static_cast<Pooling>(settings.choice("pooling", kPoolings))) {
    info_.name = "sentence-cosine";
    info_.scores = {{"Sentence-cosine-max", 1.0, 100.0, Shown::detail, -1.0},
                    {"Sentence-cosine-mean", 1.0, 100.0, Shown::detail, -1.0},
                    {"Sentence-cosine", 1.0, 100.0, Shown::always, -1.0}};
    info_.row_width = 3;
    info_.reads = text::Detail::captions;
    want_encoder(settings, info_);
    info_.eight_bits = wants_eight_bits(settings);
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<SentenceState>(references, resources, pooling_);
  }

  // A row is {max, mean, 1}.
  void rows(const Batch& batch, const State* state, double* out) const override {
    const ReferenceCosines cosines(batch, prepared_of(state));
    for (std::size_t k = 0; k < batch.size(); ++k, out += 3) {
      const CosineSummary summary = summarize(cosines.of(k));
      out[0] = summary.max;
      out[1] = summary.mean;
      out[2] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = row[0] / row[2];
    scores[1] = row[1] / row[2];
    scores[2] = main_of({scores[0], scores[1]});
  }

  std::string choices(const State* state) const override {
    return fmt::format("{}|ref:{}", prepared_of(state).choices(), kOver[over_]);
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    const std::vector<double> cosines = ReferenceCosines(batch, prepared_of(state), false).of(0);
    Explanation explanation{info_.name, {}, {{"against each reference", {"reference", "cosine"}, {}}}};
    const std::size_t first = batch.references.begin(batch.items[0]);
    for (std::size_t i = 0; i < cosines.size(); ++i)
      explanation.tables[0].rows.push_back(
          {std::string(batch.references.raw[first + i]), fmt::format("{:.4f}", cosines[i])});
    const CosineSummary summary = summarize(cosines);
    explanation.summary.push_back(
        cosines.empty() ? "there is no reference to compare with"
                        : fmt::format("cosine {:.4f} with the nearest reference, {:.4f} on average; "
                                      "score {:.4f} (over={})",
                                      summary.max, summary.mean, main_of(summary), kOver[over_]));
    return explanation;
  }

  std::vector<std::string> warnings(const State* state) const override {
    const SentenceState& prepared = prepared_of(state);
    return prepared.cut.warnings(info_.name, prepared.encoder.most_in_sentence());
  }

 private:
  static const SentenceState& prepared_of(const State* state) {
    return static_cast<const SentenceState&>(*state);
  }

  double main_of(const CosineSummary& summary) const {
    return over_ == 0 ? summary.max : over_ == 1 ? summary.mean : summary.both();
  }

  std::size_t over_;
  Pooling pooling_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_sentence_cosine(const Settings& settings) {
  return std::make_unique<SentenceCosine>(settings);
}

}  // namespace capella::metric
