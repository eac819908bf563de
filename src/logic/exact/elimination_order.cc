#include "logic/exact/elimination_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace capella::logic {
namespace {

constexpr std::size_t kSmall = 64;

}  // namespace

bool EliminationOrder::find(const FactorGraph& graph, double most_entries, bool partial) {
  most_entries_ = most_entries;
  partial_ = partial;
  entries_ = 0;
  width_ = 0;
  order_.clear();
  component_ends_.clear();
  later_starts_.assign(1, 0);
  later_.clear();
  position_.assign(graph.variables(), kNone);
  split(graph);
  join_neighbours(graph);
  bool fits = true;
  for (std::size_t k = 0, start = 0; fits && k < member_ends_.size(); start = member_ends_[k++]) {
    const auto members = std::span(members_).subspan(start, member_ends_[k] - start);
    fits = members.size() <= kSmall ? order_small(members) : order_large(graph, members);
    component_ends_.push_back(static_cast<std::uint32_t>(order_.size()));
  }
  if (fits) sort_later();
  return fits;
}

// Lists the members of each component, components in the order of their first variables.
void EliminationOrder::split(const FactorGraph& graph) {
  const auto count = static_cast<std::uint32_t>(graph.variables());
  sets_.reset(count);
  for (std::size_t k = 0; k < graph.factors(); ++k) {
    const auto literals = graph.factor(k);
    std::uint32_t root = sets_.root(literals[0].atom());
    for (const Literal literal : literals.subspan(1)) root = sets_.join(root, literal.atom());
  }
  for (std::uint32_t v = 0; v < count; ++v) sets_.settle(v);
  list_members();
  sort_members(graph);
}

void EliminationOrder::list_members() {
  const auto count = static_cast<std::uint32_t>(sets_.size());
  sizes_.assign(count, 0);
  local_.resize(count);
  for (std::uint32_t v = 0; v < count; ++v) local_[v] = sizes_[sets_.settled_root(v)]++;
  member_ends_.clear();
  members_.resize(count);
  masks_.resize(count);  // until they are needed: where a root's component begins
  std::uint32_t end = 0;
  for (std::uint32_t v = 0; v < count; ++v) {
    if (sets_.settled_root(v) == v) {
      masks_[v] = end;
      end += sizes_[v];
      member_ends_.push_back(end);
    }
    members_[masks_[sets_.settled_root(v)] + local_[v]] = v;
  }
}

void EliminationOrder::sort_members(const FactorGraph& graph) {
  degrees_.assign(graph.variables(), 0);
  for (const Literal literal : graph.literals) ++degrees_[literal.atom()];
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return degrees_[a] != degrees_[b] ? degrees_[a] < degrees_[b] : a < b;
  };
  for (std::size_t k = 0, start = 0; k < member_ends_.size(); start = member_ends_[k++]) {
    const auto members = std::span(members_).subspan(start, member_ends_[k] - start);
    if (members.size() <= 2) continue;
    std::ranges::sort(members, before);
    for (std::uint32_t at = 0; at < members.size(); ++at) local_[members[at]] = at;
  }
}

void EliminationOrder::join_neighbours(const FactorGraph& graph) {
  std::ranges::fill(masks_, 0);
  first_factor_.assign(graph.variables(), kNone);
  next_factor_.resize(graph.factors());
  for (std::uint32_t k = 0; k < graph.factors(); ++k) {
    const auto literals = graph.factor(k);
    const std::uint32_t root = sets_.settled_root(literals[0].atom());
    if (sizes_[root] > kSmall) {
      next_factor_[k] = std::exchange(first_factor_[root], k);
      continue;
    }
    std::uint64_t all = 0;
    for (const Literal literal : literals) all |= std::uint64_t{1} << local_[literal.atom()];
    for (const Literal literal : literals) masks_[literal.atom()] |= all;
  }
}

// The variable of least fill, the first of equals.
std::uint32_t EliminationOrder::pick_small(std::uint64_t open, std::span<const std::uint32_t> members) const {
  std::uint32_t best = 0;
  int least = 64 * 64;
  for (std::uint64_t rest = open; rest != 0; rest &= rest - 1) {
    const auto at = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint64_t neighbours = masks_[members[at]] & open & ~(std::uint64_t{1} << at);
    int fill = 0;
    for (std::uint64_t left = neighbours; left != 0 && fill < least; left &= left - 1) {
      const std::uint64_t missing = left & ~masks_[members[std::countr_zero(left)]];
      if (missing != 0) fill += std::popcount(missing);
    }
    if (fill >= least) continue;
    least = fill;
    best = at;
    if (fill == 0) break;
  }
  return best;
}

bool EliminationOrder::order_small(std::span<const std::uint32_t> members) {
  std::uint64_t open =
      members.size() == kSmall ? ~std::uint64_t{0} : (std::uint64_t{1} << members.size()) - 1;
  for (std::size_t left = members.size(); left > 0; --left) {
    const std::uint32_t at = pick_small(open, members);
    open &= ~(std::uint64_t{1} << at);
    const std::uint64_t neighbours = masks_[members[at]] & open;
    for (std::uint64_t rest = neighbours; rest != 0; rest &= rest - 1) {
      const std::uint32_t neighbour = members[std::countr_zero(rest)];
      masks_[neighbour] |= neighbours;
      later_.push_back(neighbour);
    }
    append(members[at]);
    if (!count(later_.size() - later_starts_[order_.size() - 1])) return false;
  }
  return true;
}

// Of a large component: who is in a factor with whom.
Neighbours EliminationOrder::list_neighbours(const FactorGraph& graph,
                                             std::span<const std::uint32_t> members) const {
  const std::uint32_t first = first_factor_[sets_.settled_root(members[0])];
  std::vector<std::size_t> starts(members.size() + 1, 0);
  for (std::uint32_t k = first; k != kNone; k = next_factor_[k]) {
    for (const Literal literal : graph.factor(k)) ++starts[local_[literal.atom()]];
  }
  std::size_t end = 0;
  for (std::size_t& start : starts) start = end += start;
  std::vector<std::uint32_t> factors(end);
  for (std::uint32_t k = first; k != kNone; k = next_factor_[k]) {
    for (const Literal literal : graph.factor(k)) factors[--starts[local_[literal.atom()]]] = k;
  }
  Neighbours neighbours(members.size());
  std::vector<std::uint32_t> seen_by(members.size(), kNone), list;
  for (std::uint32_t node = 0; node < members.size(); ++node) {
    list.clear();
    seen_by[node] = node;
    for (std::size_t at = starts[node]; at < starts[node + 1]; ++at) {
      for (const Literal literal : graph.factor(factors[at])) {
        const std::uint32_t other = local_[literal.atom()];
        if (std::exchange(seen_by[other], node) != node) list.push_back(other);
      }
    }
    std::ranges::sort(list);
    neighbours[node] = list;
  }
  return neighbours;
}

// A factor, or a part of the graph whose nodes all have many neighbours, shows at once that tables are large.
bool EliminationOrder::order_large(const FactorGraph& graph, std::span<const std::uint32_t> members) {
  const double widest = std::log2(most_entries_);
  for (std::uint32_t k = first_factor_[sets_.settled_root(members[0])]; k != kNone; k = next_factor_[k]) {
    const std::size_t size = graph.factor(k).size();
    if (static_cast<double>(size) > widest && !count(size - 1)) return false;
  }
  Neighbours neighbours = list_neighbours(graph, members);
  if (!partial_) {
    const std::size_t least = degeneracy(neighbours);
    if (static_cast<double>(least + 1) > widest && !count(least)) return false;
  }
  LeastFill least_fill(std::move(neighbours));
  for (std::size_t left = members.size(); left > 0; --left) {
    const std::uint32_t at = least_fill.next();
    if (!count(least_fill.degree(at))) return false;
    for (const std::uint32_t neighbour : least_fill.eliminate(at)) later_.push_back(members[neighbour]);
    append(members[at]);
    if (!least_fill.exhausted()) continue;
    entries_ = std::numeric_limits<double>::infinity();
    return false;
  }
  return true;
}

void EliminationOrder::append(std::uint32_t variable) {
  position_[variable] = static_cast<std::uint32_t>(order_.size());
  order_.push_back(variable);
  later_starts_.push_back(static_cast<std::uint32_t>(later_.size()));
}

bool EliminationOrder::count(std::size_t neighbours) {
  width_ = std::max(width_, static_cast<unsigned>(neighbours));
  entries_ += neighbours < 31 ? static_cast<double>(std::uint32_t{2} << neighbours)
                              : std::exp2(static_cast<double>(neighbours) + 1);
  return entries_ <= most_entries_;
}

void EliminationOrder::sort_later() {
  for (std::size_t p = 0; p < order_.size(); ++p) {
    const auto begin = later_.begin() + later_starts_[p], end = later_.begin() + later_starts_[p + 1];
    for (auto at = begin; at != end; ++at) {  // by insertion: they are few
      const std::uint32_t position = position_[*at];
      auto to = at;
      for (; to != begin && *(to - 1) > position; --to) *to = *(to - 1);
      *to = position;
    }
  }
}

}  // namespace capella::logic
