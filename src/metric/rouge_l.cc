#include "metric/rouge_l.h"

#include <algorithm>

#include <fmt/format.h>

#include "metric/lcs.h"

namespace capella::metric {
namespace {

struct Overlap {
  std::size_t common;
  double precision;
  double recall;
};

// Words are the pieces between single spaces, as in the reference program: an empty caption is one empty
// word.
Overlap overlap(const Batch& batch, std::size_t k, std::size_t reference) {
  const auto candidate = batch.tokens.pieces(k);
  const auto words = batch.references.tokens.pieces(reference);
  const std::size_t common = lcs_length(candidate, words);
  const auto length = static_cast<double>(common);
  return {common, length / static_cast<double>(candidate.size()), length / static_cast<double>(words.size())};
}

class RougeL final : public MeanMetric {
 public:
  explicit RougeL(double beta)
      : beta_(beta), info_{"rouge-l", {{"ROUGE-L", 1.0, 100.0}}, 2, text::Detail::words} {}

  const Info& info() const override { return info_; }
  std::string choices(const State*) const override { return fmt::format("beta:{}|ref:max", beta_); }

  Explanation explain(const Batch& batch, const State*) const override {
    Explanation explanation{
        info_.name,
        {},
        {{"against each reference", {"reference", "common words", "precision", "recall"}, {}}}};
    const References& references = batch.references;
    for (std::size_t r = references.begin(batch.items[0]); r < references.end(batch.items[0]); ++r) {
      const Overlap o = overlap(batch, 0, r);
      explanation.tables[0].rows.push_back({std::string(references.tokens.text(r)), fmt::to_string(o.common),
                                            fmt::format("{:.4f}", o.precision),
                                            fmt::format("{:.4f}", o.recall)});
    }
    explanation.summary.push_back(
        "the best precision and the best recall count, even if they come from different references");
    return explanation;
  }

 protected:
  double value(const Batch& batch, std::size_t k, const State*) const override {
    double precision = 0.0;
    double recall = 0.0;
    const References& references = batch.references;
    for (std::size_t r = references.begin(batch.items[k]); r < references.end(batch.items[k]); ++r) {
      const Overlap o = overlap(batch, k, r);
      precision = std::max(precision, o.precision);
      recall = std::max(recall, o.recall);
    }
    if (precision == 0.0 || recall == 0.0) return 0.0;
    const double beta2 = beta_ * beta_;
    return ((1 + beta2) * precision * recall) / (recall + beta2 * precision);
  }

 private:
  double beta_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_rouge_l(const Settings& settings) {
  return std::make_unique<RougeL>(settings.number("beta", 0.0, 100.0));
}

}  // namespace capella::metric
