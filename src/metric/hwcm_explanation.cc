#include "metric/hwcm_explanation.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace capella::metric {
namespace {

// Chains of one length as people read them, and how often each stands in the text.
using Counts = std::map<std::string, std::size_t>;

// The chains of a text, length by length.
class ChainLister {
 public:
  ChainLister(std::span<const syntax::Tree> trees, ChainJoin join) : join_(join) {
    for (const syntax::Tree& tree : trees) {
      for (std::size_t i = 0; i < tree.tokens.size(); ++i) add_word(tree, i);
      words_before_ += tree.tokens.size();
    }
    for (const auto& [ends, link] : links_) go_on(ends.second, link, link.head, 1, 2);
  }

  const std::array<Counts, kLongestChain>& get() const { return chains_; }

 private:
  struct Link {
    std::string head, child;
    std::size_t count = 0;
  };

  void add_word(const syntax::Tree& tree, std::size_t place) {
    const syntax::Token& token = tree.tokens[place];
    if (token.head == syntax::kNoHead) return;
    const std::string value = chain_value(token, ChainOf::lemmas);
    ++chains_[0][value];
    if (token.head == 0) return;
    const auto head = static_cast<std::size_t>(token.head - 1);
    const std::string head_value = chain_value(tree.tokens[head], ChainOf::lemmas);
    Link& link = links_[{node(head_value, head), node(value, place)}];
    link = {head_value, value, link.count + 1};
  }

  // What two links must share to be joined.
  std::size_t node(const std::string& value, std::size_t place) {
    if (join_ == ChainJoin::nodes) return words_before_ + place;
    return values_.try_emplace(value, values_.size()).first->second;
  }

  void go_on(std::size_t end, const Link& link, const std::string& before, std::size_t times,
             std::size_t length) {
    const std::string chain = before + " > " + link.child;
    chains_[length - 1][chain] += times * link.count;
    if (length == kLongestChain) return;
    for (auto next = links_.lower_bound({end, 0}); next != links_.end() && next->first.first == end; ++next)
      go_on(next->first.second, next->second, chain, times * link.count, length + 1);
  }

  ChainJoin join_;
  std::size_t words_before_ = 0;               // in trees before the one that is read
  std::map<std::string, std::size_t> values_;  // numbered as they come
  std::map<std::pair<std::size_t, std::size_t>, Link> links_;
  std::array<Counts, kLongestChain> chains_;
};

std::string with_count(const std::string& chain, std::size_t count) {
  return count == 1 ? chain : fmt::format("{} (x{})", chain, count);
}

// Fills one row per chain of the reference that the caption has, and per chain that it lacks.
std::vector<Explanation::Table> chain_tables(const ChainLister& caption, const ChainLister& reference) {
  Explanation::Table matched{"matched: in the caption and the best reference", {"length", "chain"}, {}};
  Explanation::Table missing{"missing: in the best reference only", {"length", "chain"}, {}};
  for (std::size_t n = 0; n < kLongestChain; ++n) {
    for (const auto& [chain, count] : reference.get()[n]) {
      const auto own = caption.get()[n].find(chain);
      const std::size_t common = own == caption.get()[n].end() ? 0 : std::min(own->second, count);
      const std::string length = fmt::to_string(n + 1);
      if (common > 0) matched.rows.push_back({length, with_count(chain, common)});
      if (common < count) missing.rows.push_back({length, with_count(chain, count - common)});
    }
  }
  return {std::move(matched), std::move(missing)};
}

std::vector<std::string> score_row(std::string_view text, const ByLength& lemmas, const ByLength& labels) {
  std::vector<std::string> row{std::string(text)};
  for (const double score : lemmas) row.push_back(fmt::format("{:.4f}", score));
  row.push_back(fmt::format("{:.4f}", labels.back()));
  return row;
}

}  // namespace

Explanation explain_hwcm(std::span<const syntax::Tree> caption, std::span<const ParsedReference> references,
                         ChainJoin join) {
  Explanation explanation{
      "hwcm",
      {},
      {{"against each reference", {"reference", "HWCM-1", "HWCM-2", "HWCM-3", "HWCM-4", "HWCM-4-dep"}, {}}}};
  const Chains lemmas(caption, ChainOf::lemmas, join);
  const Chains labels(caption, ChainOf::labels, join);
  const ParsedReference* best = nullptr;
  double highest = -1.0;
  for (const ParsedReference& reference : references) {
    const auto scores = hwcm_scores(chain_overlaps(lemmas, {reference.trees, ChainOf::lemmas, join}));
    const auto by_label = hwcm_scores(chain_overlaps(labels, {reference.trees, ChainOf::labels, join}));
    explanation.tables[0].rows.push_back(score_row(reference.text, scores, by_label));
    if (scores.back() <= highest) continue;
    highest = scores.back();
    best = &reference;
  }
  explanation.summary.push_back("each score is the best that any reference gives");
  if (best == nullptr) return explanation;
  explanation.summary.push_back(fmt::format("the best reference for HWCM-4 is: {}", best->text));
  for (Explanation::Table& table : chain_tables({caption, join}, {best->trees, join}))
    explanation.tables.push_back(std::move(table));
  return explanation;
}

}  // namespace capella::metric
