#include "metric/hwcm_chains.h"

#include <algorithm>
#include <tuple>

#include "base/hash.h"
#include "text/lowercase.h"

namespace capella::metric {
namespace {

constexpr double kSmall = 1e-9;  // keeps the quotients finite; the value is LCEval's

bool in_tree(const syntax::Token& token) {
  return token.head != syntax::kNoHead;
}

// The place of the word's head, or `none` for the root.
std::size_t head_of(const syntax::Tree& tree, std::size_t place, std::size_t none) {
  const int head = tree.tokens[place].head;
  if (head <= 0) return none;
  const auto place_of_head = static_cast<std::size_t>(head - 1);
  return in_tree(tree.tokens[place_of_head]) ? place_of_head : none;
}

std::vector<std::uint64_t> values_of(const syntax::Tree& tree, ChainOf of) {
  std::vector<std::uint64_t> values;
  values.reserve(tree.tokens.size());
  for (const syntax::Token& token : tree.tokens) values.push_back(hash_bytes(chain_value(token, of)));
  return values;
}

std::size_t shared(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::size_t count = 0;
  for (auto in_a = a.begin(), in_b = b.begin(); in_a != a.end() && in_b != b.end();) {
    const std::uint64_t left = *in_a;
    const std::uint64_t right = *in_b;
    count += left == right;
    in_a += left <= right;
    in_b += right <= left;
  }
  return count;
}

// The links, ascending by head, whose head is `value`.
template <class Links>
auto links_from(const Links& links, std::uint64_t value) {
  const auto is_below = [](const auto& link, std::uint64_t head) { return link.head < head; };
  const auto begin = std::lower_bound(links.begin(), links.end(), value, is_below);
  const auto is_other = [value](const auto& link) { return link.head != value; };
  return std::span(begin, std::find_if(begin, links.end(), is_other));
}

}  // namespace

// A link that two texts have, as often as each of them has it.
struct Chains::SharedLink {
  std::uint64_t head, child;
  double in_a, in_b;

  // Adds the chains of `length` words and more that begin with this link; so far, what came before was in the
  // texts as often as it says.
  void add_chains(std::span<const SharedLink> links, std::size_t length, double before_a, double before_b,
                  ByLength& counts) const {
    const double now_a = before_a * in_a;
    const double now_b = before_b * in_b;
    counts[length - 1] += std::min(now_a, now_b);
    if (length == kLongestChain) return;
    for (const SharedLink& next : links_from(links, child))
      next.add_chains(links, length + 1, now_a, now_b, counts);
  }
};

std::string chain_value(const syntax::Token& token, ChainOf of) {
  return of == ChainOf::lemmas ? text::lowered(token.lemma) : token.relation;
}

Chains::Chains(std::span<const syntax::Tree> trees, ChainOf of, ChainJoin join) {
  std::array<std::vector<std::uint64_t>, kLongestChain> chains;
  for (const syntax::Tree& tree : trees) add(tree, of, join, chains);
  for (std::size_t n = 0; n < kLongestChain; ++n) {
    std::ranges::sort(chains[n]);
    hashes_.insert(hashes_.end(), chains[n].begin(), chains[n].end());
    ends_[n] = hashes_.size();
    counts_[n] = static_cast<double>(chains[n].size());
  }
  hashes_.shrink_to_fit();
  if (join == ChainJoin::values) count_joined();
}

// Every word ends one chain of each length, up to as many words as there are above it.
void Chains::add(const syntax::Tree& tree, ChainOf of, ChainJoin join,
                 std::array<std::vector<std::uint64_t>, kLongestChain>& chains) {
  const std::vector<std::uint64_t> values = values_of(tree, of);
  const std::size_t none = values.size();
  for (std::size_t word = 0; word < values.size(); ++word) {
    if (!in_tree(tree.tokens[word])) continue;
    chains[0].push_back(values[word]);
    std::uint64_t chain = values[word];
    std::size_t head = head_of(tree, word, none);
    if (join == ChainJoin::values) {
      if (head != none) links_.push_back({values[head], values[word], 1.0});
      continue;
    }
    for (std::size_t n = 1; n < kLongestChain && head != none; ++n) {
      chain = hash_combine(chain, values[head]);
      chains[n].push_back(chain);
      head = head_of(tree, head, none);
    }
  }
}

// Joins equal links to one that counts, and counts the chains that links make. Chains are not listed: there
// may be as many as the cube of the links.
void Chains::count_joined() {
  std::ranges::sort(links_, {}, [](const Link& link) { return std::tie(link.head, link.child); });
  std::size_t kept = 0;
  for (const Link& link : links_) {
    if (kept > 0 && links_[kept - 1].head == link.head && links_[kept - 1].child == link.child) {
      ++links_[kept - 1].count;
    } else {
      links_[kept++] = link;
    }
  }
  links_.resize(kept);
  links_.shrink_to_fit();
  std::vector<double> ways(kept, 1.0);  // to go on from each link, with as many links as were taken
  for (std::size_t n = 1; n < kLongestChain; ++n) {
    counts_[n] = 0.0;
    for (std::size_t i = 0; i < kept; ++i) counts_[n] += links_[i].count * ways[i];
    std::vector<double> longer(kept);
    for (std::size_t i = 0; i < kept; ++i) {
      for (const Link& next : links_from(links_, links_[i].child))
        longer[i] += next.count * ways[static_cast<std::size_t>(&next - links_.data())];
    }
    ways = std::move(longer);
  }
}

std::vector<Chains::SharedLink> Chains::shared_links(const Chains& a, const Chains& b) {
  std::vector<SharedLink> links;
  auto in_b = b.links_.begin();
  for (const Link& link : a.links_) {
    const auto wanted = std::tie(link.head, link.child);
    while (in_b != b.links_.end() && std::tie(in_b->head, in_b->child) < wanted) ++in_b;
    if (in_b == b.links_.end()) break;
    if (std::tie(in_b->head, in_b->child) == wanted)
      links.push_back({link.head, link.child, link.count, in_b->count});
  }
  return links;
}

ByLength Chains::in_common(const Chains& a, const Chains& b) {
  ByLength counts{};
  for (std::size_t n = 0; n < kLongestChain; ++n)
    counts[n] = static_cast<double>(shared(a.of_length(n + 1), b.of_length(n + 1)));
  const std::vector<SharedLink> links = shared_links(a, b);
  for (const SharedLink& link : links) link.add_chains(links, 2, 1.0, 1.0, counts);
  return counts;
}

ByLength chain_overlaps(const Chains& caption, const Chains& reference) {
  ByLength overlaps = Chains::in_common(caption, reference);
  for (std::size_t n = 0; n < kLongestChain; ++n) overlaps[n] /= reference.counts()[n] + kSmall;
  return overlaps;
}

ByLength hwcm_scores(const ByLength& overlaps) {
  const auto& [one, two, three, four] = overlaps;
  return {one, 0.5 * (one + two), 0.33 * (one + two + three), 0.25 * (one + two + three + four)};
}

}  // namespace capella::metric
