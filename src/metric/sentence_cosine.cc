#include "metric/sentence_cosine.h"

#include <fmt/format.h>

#include "metric/reference_cosines.h"

namespace capella::metric {
namespace {

using encoder::Pooling;

constexpr std::string_view kOver[] = {"max", "mean", "both", "centroid", "max+centroid"};
constexpr std::string_view kPoolings[] = {"told", "mean", "first", "pooler"};

class SentenceCosine final : public Metric {
 public:
  explicit SentenceCosine(const Settings& settings)
      : over_(settings.choice("over", kOver)),
        pooling_(static_cast<Pooling>(settings.choice("pooling", kPoolings))) {
    info_.name = "sentence-cosine";
    info_.scores = {{"Sentence-cosine-max", 1.0, 100.0, Shown::detail, -1.0},
                    {"Sentence-cosine-mean", 1.0, 100.0, Shown::detail, -1.0},
                    {"Sentence-cosine-centroid", 1.0, 100.0, Shown::detail, -1.0},
                    {"Sentence-cosine", 1.0, 100.0, Shown::always, -1.0}};
    info_.row_width = 4;
    info_.reads = text::Detail::captions;
    want_encoder(settings, info_);
    info_.eight_bits = wants_eight_bits(settings);
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<SentenceState>(references, resources, pooling_);
  }

  // A row is {max, mean, centroid, 1}.
  void rows(const Batch& batch, const State* state, double* out) const override {
    const ReferenceCosines cosines(batch, prepared_of(state));
    for (std::size_t k = 0; k < batch.size(); ++k, out += 4) {
      const CosineSummary summary = cosines.summary(k);
      out[0] = summary.max;
      out[1] = summary.mean;
      out[2] = summary.centroid;
      out[3] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    for (std::size_t i = 0; i < 3; ++i) scores[i] = row[i] / row[3];
    scores[3] = main_of({scores[0], scores[1], scores[2]});
  }

  std::string choices(const State* state) const override {
    return fmt::format("{}|ref:{}", prepared_of(state).choices(), kOver[over_]);
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    const ReferenceCosines compared(batch, prepared_of(state), false);
    const std::vector<double> cosines = compared.of(0);
    Explanation explanation{info_.name, {}, {{"against each reference", {"reference", "cosine"}, {}}}};
    const std::size_t first = batch.references.begin(batch.items[0]);
    for (std::size_t i = 0; i < cosines.size(); ++i)
      explanation.tables[0].rows.push_back(
          {std::string(batch.references.raw[first + i]), fmt::format("{:.4f}", cosines[i])});
    const CosineSummary summary = compared.summary(0);
    explanation.summary.push_back(
        cosines.empty()
            ? "there is no reference to compare with"
            : fmt::format("cosine {:.4f} with the nearest reference, {:.4f} on average, {:.4f} with "
                          "their centroid; score {:.4f} (over={})",
                          summary.max, summary.mean, summary.centroid, main_of(summary), kOver[over_]));
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
    const double choices[] = {summary.max, summary.mean, summary.both(), summary.centroid,
                              summary.max_and_centroid()};
    return choices[over_];
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
