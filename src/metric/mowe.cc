#include "metric/mowe.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "metric/vector_words.h"
#include "text/stop_words.h"

namespace capella::metric {
namespace {

constexpr double kUndefined = -1.0;  // as far from the references as can be

// The sum of vectors, which points where their mean does.
struct Sum {
  std::vector<double> total;
  double square = 0.0;  // of its length; 0 if there was nothing to add, or it cancelled out
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Nothing if one of them has no direction.
std::optional<double> cosine(const Sum& a, const Sum& b) {
  if (a.square == 0.0 || b.square == 0.0) return std::nullopt;
  // With one root instead of two a text's cosine with itself is exactly 1.
  return std::clamp(product(a.total, b.total) / std::sqrt(a.square * b.square), -1.0, 1.0);
}

// Adds up the vectors of a batch's captions and references.
class Adder {
 public:
  Adder(const Batch& batch, const VectorState& prepared) : batch_(batch), words_(prepared.words_of(batch)) {}

  Sum caption(std::size_t k) const { return add(batch_.tokens, k); }
  Sum reference(std::size_t r) const { return add(batch_.references.tokens, r); }

  /// The best of caption k's cosines.
  double best(std::size_t k) const {
    const References& references = batch_.references;
    const Sum sum = caption(k);
    double best = kUndefined;
    for (std::size_t r = references.begin(batch_.items[k]); r < references.end(batch_.items[k]); ++r)
      best = std::max(best, cosine(sum, reference(r)).value_or(kUndefined));
    return best;
  }

  /// The words that count, or those that do not.
  std::string words(const text::TextSet& texts, std::size_t sentence, bool that_count) const {
    std::vector<std::string_view> chosen;
    for (const text::WordId id : texts.pieces(sentence)) {
      const std::string_view word = texts.vocabulary().word(id);
      if (!word.empty() && words_.counts(id) == that_count) chosen.push_back(word);
    }
    return fmt::format("{}", fmt::join(chosen, " "));
  }

 private:
  // In the order of the words, so that every run rounds alike.
  Sum add(const text::TextSet& texts, std::size_t sentence) const {
    Sum sum{std::vector<double>(words_.dimensions())};
    for (const text::WordId word : texts.pieces(sentence)) {
      if (!words_.counts(word)) continue;
      const float* vector = words_.vector(word);
      for (std::size_t i = 0; i < sum.total.size(); ++i) sum.total[i] += static_cast<double>(vector[i]);
    }
    sum.square = product(sum.total, sum.total);
    return sum;
  }

  const Batch& batch_;
  VectorWords words_;
};

class Mowe final : public Metric {
 public:
  explicit Mowe(const std::string& vectors)
      : info_{"mowe", {{"MOWE", 1.0, 100.0, Shown::always, -1.0}}, 2, text::Detail::words} {
    info_.vectors = vectors;
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<VectorState>(references, *resources.vectors, VectorNorm::raw, info_.name);
  }

  // A row is {score, 1}: the corpus score is the mean over captions.
  void rows(const Batch& batch, const State* state, double* out) const override {
    const Adder adder(batch, prepared_of(state));
    for (std::size_t k = 0; k < batch.size(); ++k) {
      out[2 * k] = adder.best(k);
      out[2 * k + 1] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = row[0] / row[1];
  }

  std::string choices(const State* state) const override {
    return fmt::format("vec:{}|stop:{}", prepared_of(state).vectors.description(), text::kStopWordList);
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    Explanation explanation{
        info_.name, {}, {{"against each reference", {"reference", "words that count", "cosine"}, {}}}};
    const Adder adder(batch, prepared_of(state));
    const References& references = batch.references;
    const Sum caption = adder.caption(0);
    for (std::size_t r = references.begin(batch.items[0]); r < references.end(batch.items[0]); ++r) {
      const auto angle = cosine(caption, adder.reference(r));
      explanation.tables[0].rows.push_back({std::string(references.tokens.text(r)),
                                            adder.words(references.tokens, r, true),
                                            angle ? fmt::format("{:.4f}", *angle) : "-"});
    }
    const std::string counted = adder.words(batch.tokens, 0, true);
    const std::string left_out = adder.words(batch.tokens, 0, false);
    explanation.summary.push_back(counted.empty() ? "no word of the caption has a vector"
                                                  : fmt::format("words that count: {}", counted));
    if (!left_out.empty())
      explanation.summary.push_back(
          fmt::format("left out, as stop words or words without a vector: {}", left_out));
    return explanation;
  }

  std::vector<std::string> warnings(const State* state) const override { return prepared_of(state).warnings; }

 private:
  static const VectorState& prepared_of(const State* state) {
    return static_cast<const VectorState&>(*state);
  }

  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_mowe(const Settings& settings) {
  return std::make_unique<Mowe>(vectors_setting(settings));
}

}  // namespace capella::metric
