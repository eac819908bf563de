#include "method/mln/rules/chains.h"

#include <algorithm>
#include <string>
#include <utility>

namespace capella::method::mln {

ImageChains::ImageChains(std::span<const GroundLiteral> literals, const Labels* labels)
    : neighbours_(literals.size()) {
  if (labels) {
    join_by_text(literals, *labels);
  } else {
    join_by_constants(literals);
  }
}

// By an index from constants to the literals that have them, so that the work is that of writing the result.
void ImageChains::join_by_constants(std::span<const GroundLiteral> literals) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> index;  // constant, literal
  for (std::uint32_t k = 0; k < literals.size(); ++k) {
    index.emplace_back(literals[k].subject, k);
    if (literals[k].object != literals[k].subject) index.emplace_back(literals[k].object, k);
  }
  std::ranges::sort(index);
  for (std::size_t begin = 0; begin < index.size();) {
    std::size_t end = begin;
    while (end < index.size() && index[end].first == index[begin].first) ++end;
    for (std::size_t a = begin; a < end; ++a) {
      for (std::size_t b = begin; b < end; ++b) {
        if (a != b) neighbours_[index[a].second].push_back(index[b].second);
      }
    }
    begin = end;
  }
  for (std::vector<std::uint32_t>& list : neighbours_) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

void ImageChains::join_by_text(std::span<const GroundLiteral> literals, const Labels& labels) {
  const auto noun = [&](std::uint32_t constant) -> const std::string& {
    return labels.constants[constant].label;
  };
  std::vector<std::string> texts;
  for (const GroundLiteral& literal : literals)
    texts.push_back(noun(literal.subject) + ":" + labels.predicates[literal.predicate].label + ":" +
                    noun(literal.object));
  const auto found_in = [&](const GroundLiteral& literal, const std::string& text) {
    return text.find(noun(literal.subject)) != std::string::npos ||
           text.find(noun(literal.object)) != std::string::npos;
  };
  for (std::uint32_t a = 0; a < literals.size(); ++a) {
    for (std::uint32_t b = 0; b < literals.size(); ++b) {
      if (a != b && (found_in(literals[a], texts[b]) || found_in(literals[b], texts[a])))
        neighbours_[a].push_back(b);
    }
  }
}

bool ImageChains::joined(std::uint32_t a, std::uint32_t b) const {
  return std::ranges::binary_search(neighbours_[a], b);
}

// Of connected sets of up to four, only a star with three rays is no chain: one is joined with all others,
// and these with no one else.
bool ImageChains::is_star(const Chain& four) const {
  std::size_t edges = 0;
  std::size_t most = 0;
  for (const std::uint32_t a : four) {
    std::size_t degree = 0;
    for (const std::uint32_t b : four) degree += a != b && joined(a, b) ? 1 : 0;
    edges += degree;
    most = std::max(most, degree);
  }
  return edges == 6 && most == 3;
}

std::vector<Chain> ImageChains::single() const {
  std::vector<Chain> out;
  for (std::uint32_t k = 0; k < neighbours_.size(); ++k) out.push_back({k});
  return out;
}

std::vector<Chain> ImageChains::longer(std::span<const Chain> shorter, std::size_t size, bool tree,
                                       std::size_t most, bool& capped) const {
  std::vector<Chain> out;
  const auto tidy = [&] {
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
  };
  // A chain is found from each of its parts; repeated ones are thrown out before they become too many.
  const std::size_t room = 2 * size * most + 1024;
  const auto extend = [&](const Chain& chain, std::uint32_t literal) {
    Chain next = chain;
    std::size_t place = size - 1;
    for (; place > 0 && next[place - 1] > literal; --place) next[place] = next[place - 1];
    next[place] = literal;
    if (tree || size < kLongestChain || !is_star(next)) out.push_back(next);
  };
  for (const Chain& chain : shorter) {
    const auto members = std::span(chain).first(size - 1);
    for (const std::uint32_t member : members) {
      for (const std::uint32_t literal : neighbours_[member]) {
        if (std::ranges::find(members, literal) == members.end()) extend(chain, literal);
      }
    }
    if (out.size() > room) tidy();
    if (out.size() > room) break;
  }
  tidy();
  if (out.size() > most) {
    capped = true;
    out.resize(most);
  }
  return out;
}

}  // namespace capella::method::mln
