#include "metric/sacrebleu.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "metric/bleu_statistics.h"
#include "text/tokenizer_13a.h"

namespace capella::metric {
namespace {

constexpr std::string_view kSmoothing[] = {"exp", "floor", "add-k", "none"};
enum Smoothing : std::size_t { kExp, kFloor, kAddK, kNone };
constexpr double kFloorValue = 0.1;
constexpr double kLogOfZero = -9999999999.0;  // sacreBLEU's stand-in

// Adds a caption's tokens to `out`.
using Rule = void (*)(std::string_view caption, std::string& out);

void add_as_is(std::string_view caption, std::string& out) {
  out += caption;
}

text::StringColumn tokenize_all(std::span<const std::string_view> captions, Rule rule) {
  text::StringColumn tokens;
  for (const std::string_view caption : captions) {
    rule(caption, tokens.bytes());
    tokens.finish_string();
  }
  return tokens;
}

// The references, tokenized as sacreBLEU does.
struct SacreReferences final : State {
  SacreReferences(const References& references, bool tokenized)
      : raw(references.raw),
        rule(tokenized ? add_as_is : text::tokenize_13a),
        tokens(tokenize_all(references.raw, rule)) {
    for (std::size_t item = 0; item < references.items(); ++item) {
      fewest = std::min(fewest, references.end(item) - references.begin(item));
      most = std::max(most, references.end(item) - references.begin(item));
    }
  }

  std::span<const std::string_view> raw;
  Rule rule;
  text::TextSet tokens;
  std::size_t fewest = SIZE_MAX;  // references per item
  std::size_t most = 0;
};

class SacreBleu final : public Metric {
 public:
  SacreBleu(std::size_t smoothing, bool effective_order)
      : smoothing_(smoothing),
        effective_order_(effective_order),
        info_{"sacrebleu", {{"sacreBLEU", 100.0, 1.0}}, kBleuWidth, text::Detail::captions} {}

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<SacreReferences>(references, resources.tokenized);
  }

  void rows(const Batch& batch, const State* state, double* out) const override {
    with_tokens(batch, state, [out](const Batch& tokenized) {
      for (std::size_t k = 0; k < tokenized.size(); ++k) fill_bleu_row(tokenized, k, out + k * kBleuWidth);
    });
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    const bool any_match =
        std::any_of(row.begin() + kCorrect, row.begin() + kBleuWidth, [](double count) { return count > 0; });
    scores[0] = any_match ? brevity_penalty(row) * precision(row) : 0.0;
  }

  std::string choices(const State* state) const override {
    const auto& references = *static_cast<const SacreReferences*>(state);
    const std::string count = references.fewest == references.most ? fmt::to_string(references.most) : "var";
    return fmt::format("nrefs:{}|case:mixed|eff:{}|tok:{}|smooth:{}", count, effective_order_ ? "yes" : "no",
                       references.rule == add_as_is ? "none" : "13a", kSmoothing[smoothing_]);
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    Explanation explanation;
    with_tokens(batch, state,
                [&](const Batch& tokenized) { explanation = explain_bleu(tokenized, info_.name); });
    return explanation;
  }

 private:
  // Calls `use` with the same captions and references, tokenized as sacreBLEU does.
  template <class Use>
  static void with_tokens(const Batch& batch, const State* state, Use use) {
    const auto& prepared = *static_cast<const SacreReferences*>(state);
    std::optional<text::TextSet> others;  // references that came with the batch and were not prepared
    if (batch.references.raw.data() != prepared.raw.data())
      others.emplace(tokenize_all(batch.references.raw, prepared.rule));
    const text::TextSet& reference_tokens = others ? *others : prepared.tokens;
    const References references{batch.references.raw, batch.references.ends, reference_tokens};
    const text::TextSet tokens(tokenize_all(batch.captions, prepared.rule), &reference_tokens);
    use(Batch{references, batch.items, batch.captions, tokens});
  }

  static double brevity_penalty(std::span<const double> row) {
    if (row[kLength] >= row[kReferenceLength]) return 1.0;
    return row[kLength] > 0 ? std::exp(1 - row[kReferenceLength] / row[kLength]) : 0.0;
  }

  // Geometric mean of the precisions, in percent.
  double precision(std::span<const double> row) const {
    double halving = 1.0;
    double logs = 0.0;
    std::size_t order = text::kMaxOrder;
    for (std::size_t n = 1; n <= text::kMaxOrder; ++n) {
      const double add = smoothing_ == kAddK && n > 1 ? 1.0 : 0.0;
      const double correct = row[kCorrect + n - 1] + add;
      const double total = row[kGuessed + n - 1] + add;
      if (total == 0) {
        if (!effective_order_) logs += static_cast<double>(text::kMaxOrder - n + 1) * kLogOfZero;
        break;
      }
      if (effective_order_) order = n;
      double percent = 100.0 * correct / total;
      if (correct == 0 && smoothing_ == kExp) percent = 100.0 / ((halving *= 2) * total);
      if (correct == 0 && smoothing_ == kFloor) percent = 100.0 * kFloorValue / total;
      logs += percent == 0 ? kLogOfZero : std::log(percent);
    }
    return std::exp(logs / static_cast<double>(order));
  }

  std::size_t smoothing_;
  bool effective_order_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_sacrebleu(const Settings& settings) {
  return std::make_unique<SacreBleu>(settings.choice("smooth", kSmoothing), settings.flag("effective-order"));
}

}  // namespace capella::metric
