#include "logic/exact/counting_circuit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace capella::logic {
namespace {

constexpr char kNodeOpen = 0, kNodeTrue = 1, kNodeFalse = 2;

double log_sum(double a, double b) {
  const double most = std::max(a, b), least = std::min(a, b);
  return least == kNever ? most : most + std::log1p(std::exp(least - most));
}

double log_sum(std::span<const double> logs) {
  const double most = *std::ranges::max_element(logs);
  if (most == kNever) return kNever;
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - most);
  return most + std::log(sum);
}

}  // namespace

void CountingCircuit::clear(const FactorGraph& graph) {
  graph_ = &graph;
  root_ = kImpossible;
  solved_ = false;
  nodes_.clear();
  numbers_.clear();
  leaf_factors_.clear();
  held_.assign(graph.variables(), kNodeOpen);
}

CountingCircuit::Node CountingCircuit::add_leaf(std::span<const std::uint32_t> variables,
                                                std::span<const LeafFactor> factors) {
  nodes_.push_back({Kind::leaf, static_cast<std::uint8_t>(variables.size()), 0, numbers_.size(), 0,
                    static_cast<std::uint32_t>(factors.size()), leaf_factors_.size(), 0});
  numbers_.insert(numbers_.end(), variables.begin(), variables.end());
  leaf_factors_.insert(leaf_factors_.end(), factors.begin(), factors.end());
  return static_cast<Node>(nodes_.size() - 1);
}

CountingCircuit::Node CountingCircuit::add_choice(std::uint32_t variable, Node no, Node yes) {
  nodes_.push_back({Kind::choice, 0, variable, numbers_.size(), 0, 2, 0, 0});
  numbers_.push_back(no);
  numbers_.push_back(yes);
  return static_cast<Node>(nodes_.size() - 1);
}

CountingCircuit::Node CountingCircuit::add_product(std::span<const Literal> decided, double log_weight,
                                                   std::span<const Node> children) {
  nodes_.push_back({Kind::product, 0, 0, numbers_.size(), static_cast<std::uint32_t>(decided.size()),
                    static_cast<std::uint32_t>(children.size()), 0, log_weight});
  for (const Literal literal : decided) numbers_.push_back(literal.code());
  numbers_.insert(numbers_.end(), children.begin(), children.end());
  return static_cast<Node>(nodes_.size() - 1);
}

std::size_t CountingCircuit::bytes() const {
  return nodes_.size() * (sizeof(Entry) + 2 * sizeof(double)) + numbers_.size() * sizeof numbers_[0] +
         leaf_factors_.size() * sizeof(LeafFactor);
}

bool CountingCircuit::hold(std::span<const Literal> fixed) {
  bool possible = true;
  for (const Literal literal : fixed) {
    const char wanted = literal.positive() ? kNodeTrue : kNodeFalse;
    possible = possible && (held_[literal.atom()] == kNodeOpen || held_[literal.atom()] == wanted);
    held_[literal.atom()] = wanted;
  }
  return possible;
}

void CountingCircuit::let_go(std::span<const Literal> fixed) {
  for (const Literal literal : fixed) held_[literal.atom()] = kNodeOpen;
}

double CountingCircuit::literal_weight(Literal literal) const {
  const char held = held_[literal.atom()];
  if (held != kNodeOpen && (held == kNodeTrue) != literal.positive()) return kNever;
  return literal.positive() ? graph_->log_odds[literal.atom()] : 0;
}

// Bit k of a world's number tells whether variable k is true. Each factor is added to the worlds in which it
// holds: no weight is ever taken away again, so nothing is lost by rounding.
std::size_t CountingCircuit::weigh_worlds(const Entry& leaf, Worlds& worlds) const {
  std::size_t size = 1;
  worlds[0] = 0;
  for (std::size_t k = 0; k < leaf.variables; ++k, size *= 2) {
    const std::uint32_t variable = numbers_[leaf.start + k];
    const double no = literal_weight(Literal(variable, false)), yes = literal_weight(Literal(variable));
    for (std::size_t world = 0; world < size; ++world) {
      worlds[size + world] = worlds[world] + yes;
      worlds[world] += no;
    }
  }
  for (std::size_t k = 0; k < leaf.size; ++k) {
    const LeafFactor& factor = leaf_factors_[leaf.factors + k];
    const std::size_t free = (size - 1) & ~std::size_t{factor.mask};
    std::size_t rest = 0;
    do {
      worlds[factor.pattern | rest] += factor.weight;
      rest = (rest - free) & free;
    } while (rest != 0);
  }
  return size;
}

std::span<const std::uint32_t> CountingCircuit::children(const Entry& entry) const {
  return std::span(numbers_).subspan(entry.start + entry.decided, entry.size);
}

double CountingCircuit::of(Node node) const {
  return node == kImpossible ? kNever : values_[node];
}

template <bool sum>
double CountingCircuit::value(const Entry& entry) const {
  if (entry.kind == Kind::leaf) {
    Worlds worlds;
    const std::span all(worlds, weigh_worlds(entry, worlds));
    return sum ? log_sum(all) : *std::ranges::max_element(all);
  }
  const auto below = children(entry);
  if (entry.kind == Kind::choice) {
    const double no = of(below[0]), yes = of(below[1]);
    return sum ? log_sum(no, yes) : std::max(no, yes);
  }
  double product = entry.log_weight;
  for (std::size_t k = 0; k < entry.decided; ++k) {
    const std::uint32_t code = numbers_[entry.start + k];
    product += literal_weight(Literal(code / 2, code % 2 == 0));
  }
  for (const Node child : below) product += values_[child];
  return product;
}

template <bool sum>
double CountingCircuit::evaluate(std::span<const Literal> fixed) {
  const bool possible = hold(fixed) && root_ != kImpossible;
  if (possible) {
    values_.resize(nodes_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k) values_[k] = value<sum>(nodes_[k]);
  }
  return possible ? values_[root_] : kNever;
}

double CountingCircuit::log_z(std::span<const Literal> fixed) {
  const double log_z = evaluate<true>(fixed);
  let_go(fixed);
  if (fixed.empty()) {
    log_z_ = log_z;
    solved_ = true;
  }
  return log_z;
}

double CountingCircuit::solve(std::vector<double>& marginals, std::span<const Literal> fixed) {
  marginals.resize(graph_->variables());
  const double log_z = evaluate<true>(fixed);
  if (log_z > kNever) flow_down(marginals);
  let_go(fixed);
  return log_z;
}

double CountingCircuit::log_probability(std::span<const Literal> literals) {
  if (!solved_) log_z();
  const double with = log_z(literals);
  return with == kNever ? kNever : std::min(with - log_z_, 0.0);
}

// Flows are never negative and sum up to one at each variable, so marginals keep their digits.
void CountingCircuit::flow_down(std::vector<double>& marginals) {
  std::ranges::fill(marginals, 0);
  flows_.assign(nodes_.size(), 0);
  flows_[root_] = 1;
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    if (flows_[k] > 0) flow_from(nodes_[k], flows_[k], values_[k], marginals);
  }
  for (double& p : marginals) p = std::min(p, 1.0);
}

void CountingCircuit::flow_from(const Entry& entry, double flow, double value,
                                std::vector<double>& marginals) {
  if (entry.kind == Kind::leaf) {
    Worlds worlds;
    const std::size_t size = weigh_worlds(entry, worlds);
    for (std::size_t world = 0; world < size; ++world) {
      const double part = flow * std::exp(worlds[world] - value);
      for (std::size_t k = 0; k < entry.variables; ++k) {
        if ((world >> k & 1) != 0) marginals[numbers_[entry.start + k]] += part;
      }
    }
    return;
  }
  for (std::size_t k = 0; k < entry.decided; ++k) {
    const std::uint32_t code = numbers_[entry.start + k];
    if (code % 2 == 0) marginals[code / 2] += flow;
  }
  for (const Node child : children(entry)) {
    if (child == kImpossible) continue;
    flows_[child] += entry.kind == Kind::choice ? flow * std::exp(values_[child] - value) : flow;
  }
}

double CountingCircuit::most_probable(std::vector<char>& world, std::span<const Literal> fixed) {
  world.assign(graph_->variables(), 0);
  const double best = evaluate<false>(fixed);
  if (best > kNever) {
    flows_.assign(nodes_.size(), 0);  // 1: part of the best world
    flows_[root_] = 1;
    for (std::size_t k = nodes_.size(); k-- > 0;) {
      if (flows_[k] > 0) choose_from(nodes_[k], world);
    }
  }
  let_go(fixed);
  return best;
}

void CountingCircuit::choose_from(const Entry& entry, std::vector<char>& world) {
  if (entry.kind == Kind::leaf) {
    Worlds worlds;
    const std::size_t size = weigh_worlds(entry, worlds);
    const auto best = static_cast<std::size_t>(std::max_element(worlds, worlds + size) - worlds);
    for (std::size_t k = 0; k < entry.variables; ++k)
      world[numbers_[entry.start + k]] = static_cast<char>(best >> k & 1);
    return;
  }
  const auto below = children(entry);
  if (entry.kind == Kind::choice) {
    flows_[of(below[1]) > of(below[0]) ? below[1] : below[0]] = 1;
    return;
  }
  for (std::size_t k = 0; k < entry.decided; ++k) {
    const std::uint32_t code = numbers_[entry.start + k];
    world[code / 2] = code % 2 == 0;
  }
  for (const Node child : below) flows_[child] = 1;
}

}  // namespace capella::logic
