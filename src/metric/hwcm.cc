#include "metric/hwcm.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/step_counter.h"
#include "metric/hwcm_explanation.h"
#include "metric/hwcm_texts.h"

namespace capella::metric {
namespace {

constexpr std::string_view kJoins[] = {"nodes", "values"};
constexpr std::size_t kScores = 2 * kLongestChain;
constexpr std::size_t kRowWidth = kScores + 1;  // the scores' sums, and how many captions they are of

std::vector<std::string_view> texts_of(const text::TextSet& tokens, std::size_t begin, std::size_t end) {
  std::vector<std::string_view> texts;
  for (std::size_t i = begin; i < end; ++i) texts.push_back(tokens.text(i));
  return texts;
}

// The references' chains. Threads take them in pieces.
class PreparedHwcm final : public State {
 public:
  PreparedHwcm(const References& references, const Resources& resources, ChainJoin join)
      : texts(resources.facts->parser(), join),
        prepared_from_(&references.tokens),
        first_(references.begin(std::min(resources.items.begin, references.items()))) {
    const std::size_t end_item = std::min(resources.items.end, references.items());
    const std::size_t end = end_item == 0 ? 0 : references.end(end_item - 1);
    references_.resize(std::max(end, first_) - first_);
    const std::size_t pieces = (references_.size() + kPiece - 1) / kPiece;
    StepCounter steps(resources.progress, "parsing", pieces);
    resources.pool->parallel_for(pieces, [&](std::size_t piece) {
      const std::size_t begin = first_ + piece * kPiece;
      const auto found = texts.find(texts_of(references.tokens, begin, std::min(begin + kPiece, end)));
      std::ranges::copy(found, references_.begin() + static_cast<std::ptrdiff_t>(piece * kPiece));
      steps.done();
    });
  }

  /// Whether these are the references that were prepared; a caller may bring others.
  bool has(const References& references) const { return prepared_from_ == &references.tokens; }

  const HwcmText& reference(std::size_t place) const { return *references_[place - first_]; }

  const HwcmTexts texts;

 private:
  static constexpr std::size_t kPiece = 256;

  const text::TextSet* prepared_from_;
  std::size_t first_;
  std::vector<HwcmTexts::Text> references_;  // from `first_` on, those for which captions will come
};

// Of each score the highest that any reference gives.
template <class Reference>
void fill_row(const HwcmText& caption, const References& references, std::uint32_t item,
              Reference reference_at, double* row) {
  std::fill(row, row + kScores, 0.0);
  row[kScores] = 1.0;
  for (std::size_t r = references.begin(item); r < references.end(item); ++r) {
    const HwcmText& reference = reference_at(r);
    const ByLength by_lemma = hwcm_scores(chain_overlaps(caption.lemmas, reference.lemmas));
    const ByLength by_label = hwcm_scores(chain_overlaps(caption.labels, reference.labels));
    for (std::size_t n = 0; n < kLongestChain; ++n) {
      row[n] = std::max(row[n], by_lemma[n]);
      row[kLongestChain + n] = std::max(row[kLongestChain + n], by_label[n]);
    }
  }
}

class Hwcm final : public Metric {
 public:
  explicit Hwcm(ChainJoin join) : join_(join) {
    info_.name = "hwcm";
    info_.row_width = kRowWidth;
    info_.reads = text::Detail::tokens;
    info_.parses = true;
    for (const std::string_view ending : {"", "-dep"}) {
      for (std::size_t n = 1; n <= kLongestChain; ++n) {
        const bool is_main = n == kLongestChain && ending.empty();
        info_.scores.push_back(
            {fmt::format("HWCM-{}{}", n, ending), 1.0, 100.0, is_main ? Shown::always : Shown::detail});
      }
    }
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<PreparedHwcm>(references, resources, join_);
  }

  void rows(const Batch& batch, const State* state, double* out) const override {
    const auto& prepared = static_cast<const PreparedHwcm&>(*state);
    const auto captions = prepared.texts.find(texts_of(batch.tokens, 0, batch.size()));
    const References& references = batch.references;
    std::vector<HwcmTexts::Text> brought;
    if (!prepared.has(references))
      brought = prepared.texts.find(texts_of(references.tokens, 0, references.tokens.size()));
    const auto reference_at = [&](std::size_t r) -> const HwcmText& {
      return brought.empty() ? prepared.reference(r) : *brought[r];
    };
    for (std::size_t k = 0; k < batch.size(); ++k)
      fill_row(*captions[k], references, batch.items[k], reference_at, out + k * kRowWidth);
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    for (std::size_t i = 0; i < kScores; ++i) scores[i] = row[i] / row[kScores];
  }

  std::string choices(const State* state) const override {
    const std::uint64_t model = static_cast<const PreparedHwcm&>(*state).texts.parser().fingerprint();
    return fmt::format("parser:#{:08x}|chains:{}", model >> 32, kJoins[static_cast<std::size_t>(join_)]);
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    const References& references = batch.references;
    std::vector<std::string_view> texts =
        texts_of(references.tokens, references.begin(batch.items[0]), references.end(batch.items[0]));
    texts.push_back(batch.tokens.text(0));
    auto trees = static_cast<const PreparedHwcm&>(*state).texts.parser().parse(texts);
    std::vector<ParsedReference> parsed;
    for (std::size_t i = 0; i + 1 < texts.size(); ++i) parsed.push_back({texts[i], std::move(trees[i])});
    return explain_hwcm(trees.back(), parsed, join_);
  }

 private:
  ChainJoin join_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_hwcm(const Settings& settings) {
  return std::make_unique<Hwcm>(static_cast<ChainJoin>(settings.choice("chains", kJoins)));
}

}  // namespace capella::metric
