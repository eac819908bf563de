#include "metric/rouge_1.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace capella::metric {
namespace {

using Words = std::vector<text::WordId>;

Words sorted(std::span<const text::WordId> words) {
  Words copy(words.begin(), words.end());
  std::ranges::sort(copy);
  return copy;
}

// The words that two sorted lists share, each as often as in the list that has it less often.
Words in_common(const Words& a, const Words& b) {
  Words common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return common;
}

double recall(const Words& caption, const Words& reference) {
  if (reference.empty()) return 0.0;
  return static_cast<double>(in_common(caption, reference).size()) / static_cast<double>(reference.size());
}

class Rouge1 final : public MeanMetric {
 public:
  Rouge1() : info_{"rouge-1", {{"ROUGE-1-R", 1.0, 100.0}}, 2, text::Detail::words} {}

  const Info& info() const override { return info_; }
  std::string choices(const State*) const override { return "ref:max"; }

  Explanation explain(const Batch& batch, const State*) const override {
    Explanation explanation{
        info_.name,
        {"the reference of whose words the caption has the largest share counts"},
        {{"against each reference", {"reference", "words", "in the caption", "recall", "missing"}, {}}}};
    const References& references = batch.references;
    const Words caption = sorted(batch.tokens.words(0));
    for (std::size_t r = references.begin(batch.items[0]); r < references.end(batch.items[0]); ++r) {
      const Words words = sorted(references.tokens.words(r));
      const Words common = in_common(caption, words);
      explanation.tables[0].rows.push_back({std::string(references.tokens.text(r)),
                                            fmt::to_string(words.size()), fmt::to_string(common.size()),
                                            fmt::format("{:.4f}", recall(caption, words)),
                                            missing_words(references, r, common)});
    }
    return explanation;
  }

 protected:
  double value(const Batch& batch, std::size_t k, const State*) const override {
    const References& references = batch.references;
    const Words caption = sorted(batch.tokens.words(k));
    double best = 0.0;
    for (std::size_t r = references.begin(batch.items[k]); r < references.end(batch.items[k]); ++r)
      best = std::max(best, recall(caption, sorted(references.tokens.words(r))));
    return best;
  }

 private:
  // The reference's words without those in `common`, as they stand in it.
  static std::string missing_words(const References& references, std::size_t r, Words common) {
    std::vector<std::string_view> missing;
    for (const text::WordId word : references.tokens.words(r)) {
      if (const auto place = std::ranges::find(common, word); place != common.end()) {
        common.erase(place);
      } else {
        missing.push_back(references.tokens.vocabulary().word(word));
      }
    }
    return fmt::format("{}", fmt::join(missing, " "));
  }

  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_rouge_1(const Settings&) {
  return std::make_unique<Rouge1>();
}

}  // namespace capella::metric
