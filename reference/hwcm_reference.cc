#include "reference/hwcm_reference.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace capella::reference {
namespace {

using Chain = std::vector<std::string>;

// A word of the text: where it stands, and what stands for it in chains.
struct Node {
  std::size_t tree = 0;
  int number = 0;  // counted from 1
  int head = 0;
  std::string value;
};

std::vector<Node> nodes_of(const ParsedText& text, const HwcmOptions& options) {
  std::vector<Node> nodes;
  for (std::size_t tree = 0; tree < text.size(); ++tree) {
    int number = 0;
    for (const syntax::Token& token : text[tree].tokens) {
      ++number;
      if (token.head == syntax::kNoHead) continue;
      std::string value = options.labels ? token.relation : token.lemma;
      if (!options.labels) {
        for (char& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
      nodes.push_back({tree, number, token.head, value});
    }
  }
  return nodes;
}

// Chains of nodes: every way of following links head > child.
std::vector<std::vector<Node>> longer(const std::vector<std::vector<Node>>& chains,
                                      const std::vector<std::vector<Node>>& links, bool by_value) {
  std::vector<std::vector<Node>> found;
  for (const std::vector<Node>& chain : chains) {
    for (const std::vector<Node>& link : links) {
      const Node& end = chain.back();
      const Node& start = link.front();
      const bool same_word = end.tree == start.tree && end.number == start.number;
      if (by_value ? end.value != start.value : !same_word) continue;
      std::vector<Node> joined = chain;
      joined.push_back(link.back());
      found.push_back(joined);
    }
  }
  return found;
}

// As often as both have it, over what the reference has.
double overlap(const std::vector<Chain>& caption, const std::vector<Chain>& reference) {
  std::map<Chain, int> left;
  for (const Chain& chain : reference) ++left[chain];
  int matches = 0;
  for (const Chain& chain : caption) {
    if (left[chain] > 0) {
      --left[chain];
      ++matches;
    }
  }
  return matches / (static_cast<double>(reference.size()) + 1e-9);
}

}  // namespace

std::array<std::vector<std::vector<std::string>>, 4> headword_chains(const ParsedText& text,
                                                                     const HwcmOptions& options) {
  const std::vector<Node> nodes = nodes_of(text, options);
  std::vector<std::vector<Node>> singles, links;
  for (const Node& child : nodes) {
    singles.push_back({child});
    for (const Node& head : nodes) {
      if (head.tree == child.tree && head.number == child.head) links.push_back({head, child});
    }
  }
  const auto threes = longer(links, links, options.by_value);
  const auto fours = longer(threes, links, options.by_value);
  std::array<std::vector<std::vector<std::string>>, 4> all;
  const std::vector<std::vector<Node>>* const by_length[] = {&singles, &links, &threes, &fours};
  for (std::size_t n = 0; n < 4; ++n) {
    for (const std::vector<Node>& chain : *by_length[n]) {
      Chain& values = all[n].emplace_back();
      for (const Node& node : chain) values.push_back(node.value);
    }
  }
  return all;
}

std::array<double, 4> hwcm(const ParsedText& caption, const std::vector<ParsedText>& references,
                           const HwcmOptions& options) {
  const auto own = headword_chains(caption, options);
  std::array<double, 4> best{};
  for (const ParsedText& reference : references) {
    const auto chains = headword_chains(reference, options);
    std::array<double, 4> o{};
    for (std::size_t n = 0; n < 4; ++n) o[n] = overlap(own[n], chains[n]);
    const std::array<double, 4> scores = {o[0], 0.5 * (o[0] + o[1]), 0.33 * (o[0] + o[1] + o[2]),
                                          0.25 * (o[0] + o[1] + o[2] + o[3])};
    for (std::size_t n = 0; n < 4; ++n) best[n] = std::max(best[n], scores[n]);
  }
  return best;
}

}  // namespace capella::reference
