#include "metric/bleu.h"

#include <cmath>

#include <fmt/format.h>

#include "metric/bleu_statistics.h"

namespace capella::metric {
namespace {

// Keep the quotients finite; the values are the reference program's and show in the last digits.
constexpr double kTiny = 1e-15;
constexpr double kSmall = 1e-9;

// The share of the n-grams tried that are right; without the constants, so that no match is 0.
double precision(std::span<const double> row, std::size_t n) {
  const double guessed = row[kGuessed + n - 1];
  return guessed == 0.0 ? 0.0 : row[kCorrect + n - 1] / guessed;
}

class Bleu final : public Metric {
 public:
  Bleu() {
    info_.name = "bleu";
    info_.row_width = kBleuWidth;
    for (std::size_t n = 1; n <= text::kMaxOrder; ++n)
      info_.scores.push_back({fmt::format("BLEU-{}", n), 1.0, 100.0});
    for (std::size_t n = 1; n <= text::kMaxOrder; ++n)
      info_.scores.push_back({fmt::format("BLEU-P{}", n), 1.0, 100.0, Shown::numbers});
  }

  const Info& info() const override { return info_; }

  void rows(const Batch& batch, const State*, double* out) const override {
    for (std::size_t k = 0; k < batch.size(); ++k) fill_bleu_row(batch, k, out + k * kBleuWidth);
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    const double ratio = (row[kLength] + kTiny) / (row[kReferenceLength] + kSmall);
    const double brevity = std::exp(1 - 1 / ratio);
    double product = 1.0;
    for (std::size_t n = 1; n <= text::kMaxOrder; ++n) {
      product *= (row[kCorrect + n - 1] + kTiny) / (row[kGuessed + n - 1] + kSmall);
      scores[n - 1] = std::pow(product, 1.0 / static_cast<double>(n));
      if (ratio < 1) scores[n - 1] *= brevity;
      scores[text::kMaxOrder + n - 1] = precision(row, n);
    }
  }

  std::string choices(const State*) const override { return "ref:closest|smooth:1e-15"; }

  Explanation explain(const Batch& batch, const State*) const override {
    return explain_bleu(batch, info_.name);
  }

 private:
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_bleu(const Settings&) {
  return std::make_unique<Bleu>();
}

}  // namespace capella::metric
