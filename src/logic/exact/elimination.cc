#include "logic/exact/elimination.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace capella::logic {
namespace {

constexpr double kPlainRange = 600;  // exp of it, times as much again for rounding, is a normal number
constexpr char kOpen = 0, kTrue = 1, kFalse = 2;

// Three ways to multiply and add: numbers themselves, their logarithms, and the greatest instead of the sum.
struct Plain {
  static constexpr double zero = 0, one = 1;
  static double of_log(double x) { return x == 0 ? 1 : std::exp(x); }
  static double times(double a, double b) { return a * b; }
  static double over(double a, double b) { return b == 0 ? 0 : a / b; }
  static double plus(double a, double b) { return a + b; }
};

struct Logs {
  static constexpr double zero = kNever, one = 0;
  static double of_log(double x) { return x; }
  static double times(double a, double b) { return a + b; }
  static double over(double a, double b) { return b == kNever ? kNever : a - b; }
  static double plus(double a, double b) {
    const double most = std::max(a, b), least = std::min(a, b);
    return least == kNever ? most : most + std::log1p(std::exp(least - most));
  }
};

struct Greatest : Logs {
  static double plus(double a, double b) { return std::max(a, b); }
};

// The logarithm of a product of many numbers, taken as rarely as possible.
class Product {
 public:
  void multiply(double factor) {
    product_ *= factor;
    if (product_ > 1e-20 && product_ < 1e20) return;
    log_ += std::log(factor) + std::log(product_ / factor);
    product_ = 1;
  }
  void multiply_log(double log) { log_ += log; }
  double log() const { return log_ + std::log(product_); }

 private:
  double product_ = 1, log_ = 0;
};

// Calls visit(x, y) for all x of so many bits, where y has those bits of x that the mask names, side by side.
template <class Visit>
void project(std::uint32_t mask, unsigned bits, Visit visit) {
  constexpr unsigned kLow = 10;
  std::array<std::uint32_t, 1 << kLow> low;
  const unsigned low_bits = std::min(bits, kLow);
  std::uint32_t next = 1;
  low[0] = 0;
  for (unsigned bit = 0; bit < low_bits; ++bit) {
    const bool named = (mask >> bit & 1) != 0;
    const std::uint32_t size = std::uint32_t{1} << bit;
    for (std::uint32_t x = 0; x < size; ++x) low[size + x] = low[x] + (named ? next : 0);
    if (named) next *= 2;
  }
  const std::uint32_t size = std::uint32_t{1} << low_bits;
  for (std::uint32_t block = 0; block < std::uint32_t{1} << (bits - low_bits); ++block) {
    std::uint32_t high = 0, unit = next;
    for (unsigned bit = kLow; bit < bits; ++bit) {
      if ((mask >> bit & 1) == 0) continue;
      if ((block >> (bit - kLow) & 1) != 0) high += unit;
      unit *= 2;
    }
    const std::uint32_t first = block << low_bits;
    for (std::uint32_t x = 0; x < size; ++x) visit(first + x, high + low[x]);
  }
}

}  // namespace

bool Elimination::compile(const FactorGraph& graph, double most_entries) {
  graph_ = &graph;
  solved_ = false;
  held_.assign(graph.variables(), kOpen);
  if (!order_.find(graph, std::min(most_entries, kMostEntries))) return false;
  lay_out();
  place_factors();
  measure_components();
  return true;
}

void Elimination::lay_out() {
  const std::size_t count = order_.order().size();
  table_starts_.resize(count + 1);
  shared_.resize(count);
  std::size_t end = 0;
  for (std::size_t p = 0; p < count; ++p) {
    table_starts_[p] = end;
    end += std::size_t{1} << bits(p);
    const auto later = order_.later(p);
    std::uint32_t shared = 0;
    if (!later.empty()) {
      shared = 1;  // its next
      const auto others = order_.later(later[0]);
      for (std::size_t k = 1, at = 0; k < later.size(); ++k) {
        while (others[at] != later[k]) ++at;
        shared |= std::uint32_t{2} << at;
      }
    }
    shared_[p] = shared;
  }
  table_starts_[count] = end;
  if (tables_.size() < end) {
    tables_.resize(end);
    messages_.resize(end / 2);
  }
}

// Each factor belongs to the table of the first of its variables.
void Elimination::place_factors() {
  const FactorGraph& graph = *graph_;
  const std::size_t count = order_.order().size();
  factor_starts_.assign(count + 1, 0);
  place_of_.resize(graph.factors());
  for (std::size_t k = 0; k < graph.factors(); ++k) {
    std::uint32_t first = EliminationOrder::kNone;
    for (const Literal literal : graph.factor(k)) first = std::min(first, order_.position()[literal.atom()]);
    place_of_[k] = first;
    ++factor_starts_[first];
  }
  std::uint32_t end = 0;
  for (std::uint32_t& start : factor_starts_) start = end += start;
  factors_.resize(graph.factors());
  for (std::size_t k = graph.factors(); k-- > 0;) place_factor(k);
}

void Elimination::place_factor(std::size_t k) {
  const std::uint32_t position = place_of_[k];
  const auto later = order_.later(position);
  Factor factor{0, 0, static_cast<std::uint32_t>(k)};
  for (const Literal literal : graph_->factor(k)) {
    const std::uint32_t other = order_.position()[literal.atom()];
    std::uint32_t bit = 1;
    if (other != position) {
      const auto at = std::find(later.begin(), later.end(), other) - later.begin();
      bit = std::uint32_t{2} << at;
    }
    factor.mask |= bit;
    if (literal.positive()) factor.pattern |= bit;
  }
  factors_[--factor_starts_[position]] = factor;
}

// Each number met in a component is a sum of fewer than 2^variables products of some of its weights.
void Elimination::measure_components() {
  components_.clear();
  component_of_.resize(order_.order().size());
  std::uint32_t begin = 0;
  for (const std::uint32_t end : order_.component_ends()) {
    double range = (end - begin) * std::numbers::ln2;
    for (std::uint32_t p = begin; p < end; ++p) {
      component_of_[p] = static_cast<std::uint32_t>(components_.size());
      range += std::abs(graph_->log_odds[order_.order()[p]]);
      for (std::uint32_t k = factor_starts_[p]; k < factor_starts_[p + 1]; ++k) {
        const double weight = graph_->weights[factors_[k].factor];
        if (weight != kNever) range += std::abs(weight);
      }
    }
    components_.push_back({begin, end, range <= kPlainRange, 0});
    begin = end;
  }
}

// False if the literals contradict each other.
bool Elimination::hold(std::span<const Literal> fixed) {
  bool possible = true;
  for (const Literal literal : fixed) {
    const char wanted = literal.positive() ? kTrue : kFalse;
    possible = possible && (held_[literal.atom()] == kOpen || held_[literal.atom()] == wanted);
    held_[literal.atom()] = wanted;
  }
  return possible;
}

void Elimination::let_go(std::span<const Literal> fixed) {
  for (const Literal literal : fixed) held_[literal.atom()] = kOpen;
}

// The variable's own weight and those of the table's factors.
template <class Numbers>
void Elimination::fill(std::uint32_t position) {
  double* const table = &tables_[table_starts_[position]];
  const std::uint32_t size = std::uint32_t{1} << bits(position);
  const std::uint32_t variable = order_.order()[position];
  const double no = held_[variable] == kTrue ? Numbers::zero : Numbers::one;
  const double yes = held_[variable] == kFalse ? Numbers::zero : Numbers::of_log(graph_->log_odds[variable]);
  for (std::uint32_t x = 0; x < size; x += 2) {
    table[x] = no;
    table[x + 1] = yes;
  }
  for (std::uint32_t k = factor_starts_[position]; k < factor_starts_[position + 1]; ++k) {
    const Factor& factor = factors_[k];
    const double weight = Numbers::of_log(graph_->weights[factor.factor]);
    const std::uint32_t free = (size - 1) & ~factor.mask;
    std::uint32_t rest = 0;
    do {
      double& entry = table[factor.pattern | rest];
      entry = Numbers::times(entry, weight);
      rest = (rest - free) & free;
    } while (rest != 0);
  }
}

template <class Numbers>
double Elimination::up(const Component& component) {
  for (std::uint32_t p = component.begin; p < component.end; ++p) {
    fill<Numbers>(p);
    progress_.add(entries(p));
  }
  for (std::uint32_t p = component.begin; p < component.end; ++p) {
    progress_.add(entries(p));
    const double* const table = &tables_[table_starts_[p]];
    double* const message = &messages_[table_starts_[p] / 2];
    const std::uint32_t size = std::uint32_t{1} << (bits(p) - 1);
    for (std::uint32_t x = 0; x < size; ++x) message[x] = Numbers::plus(table[2 * x], table[2 * x + 1]);
    if (size == 1) return message[0];  // the last one of a component, and no other, is joined with none
    const std::uint32_t next = order_.later(p)[0];
    double* const other = &tables_[table_starts_[next]];
    project(shared_[p], bits(next),
            [=](std::uint32_t x, std::uint32_t y) { other[x] = Numbers::times(other[x], message[y]); });
  }
  return Numbers::one;  // not reached
}

// What the rest says of the shared variables is the next table summed over its others, without what came up.
template <class Numbers>
void Elimination::down(const Component& component, std::vector<double>& marginals) {
  for (std::uint32_t p = component.end; p-- > component.begin;) {
    double* const table = &tables_[table_starts_[p]];
    const std::uint32_t size = std::uint32_t{1} << (bits(p) - 1);
    if (size > 1) {
      const std::uint32_t next = order_.later(p)[0];
      const double* const other = &tables_[table_starts_[next]];
      double* const message = &messages_[table_starts_[p] / 2];
      sums_.assign(size, Numbers::zero);
      double* const sums = sums_.data();
      project(shared_[p], bits(next),
              [=](std::uint32_t x, std::uint32_t y) { sums[y] = Numbers::plus(sums[y], other[x]); });
      for (std::uint32_t x = 0; x < size; ++x) {
        const double rest = Numbers::over(sums[x], message[x]);
        table[2 * x] = Numbers::times(table[2 * x], rest);
        table[2 * x + 1] = Numbers::times(table[2 * x + 1], rest);
      }
    }
    marginals[order_.order()[p]] = marginal<Numbers>(p);
    progress_.add(entries(p));
  }
}

template <class Numbers>
double Elimination::marginal(std::uint32_t position) const {
  const double* const table = &tables_[table_starts_[position]];
  const std::uint32_t size = std::uint32_t{1} << bits(position);
  double no = table[0], yes = table[1];
  for (std::uint32_t x = 2; x < size; x += 2) {
    no = Numbers::plus(no, table[x]);
    yes = Numbers::plus(yes, table[x + 1]);
  }
  if (yes == Numbers::zero) return 0;
  if constexpr (Numbers::zero == 0) return yes / (no + yes);
  return 1 / (1 + std::exp(no - yes));
}

// A table is filled, summed up, and for marginals looked at again.
void Elimination::begin_progress(std::span<const Component> components, double passes) {
  double entries = 0;
  for (const Component& component : components)
    entries += static_cast<double>(table_starts_[component.end] - table_starts_[component.begin]);
  progress_.begin(listener_, "elimination", passes * entries);
}

double Elimination::log_z(std::span<const Literal> fixed) {
  return pass_over(fixed, nullptr);
}

double Elimination::solve(std::vector<double>& marginals, std::span<const Literal> fixed) {
  marginals.resize(graph_->variables());
  return pass_over(fixed, &marginals);
}

double Elimination::pass_over(std::span<const Literal> fixed, std::vector<double>* marginals) {
  Product z;
  begin_progress(components_, marginals == nullptr ? 2 : 3);
  bool possible = hold(fixed) && !graph_->impossible;
  for (std::size_t k = 0; possible && k < components_.size(); ++k) {
    Component& component = components_[k];
    const double part = component.plain ? up<Plain>(component) : up<Logs>(component);
    possible = component.plain ? part > 0 : part > kNever;
    if (!possible) break;
    if (fixed.empty()) component.z = part;
    component.plain ? z.multiply(part) : z.multiply_log(part);
    if (marginals == nullptr) continue;
    component.plain ? down<Plain>(component, *marginals) : down<Logs>(component, *marginals);
  }
  let_go(fixed);
  progress_.end();
  if (!possible) return kNever;
  if (fixed.empty()) solved_ = true;
  return graph_->offset + z.log();
}

double Elimination::log_probability(std::span<const Literal> literals) {
  if (!solved_ && log_z() == kNever) return kNever;
  touched_.clear();
  for (const Literal literal : literals) touched_.push_back(component_of_[order_.position()[literal.atom()]]);
  std::ranges::sort(touched_);
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  double sum = hold(literals) ? 0 : kNever;
  for (std::size_t k = 0; sum > kNever && k < touched_.size(); ++k) {
    const Component& component = components_[touched_[k]];
    begin_progress(std::span(&component, 1), 2);
    sum += component.plain ? std::log(up<Plain>(component) / component.z) : up<Logs>(component) - component.z;
    progress_.end();
  }
  let_go(literals);
  return std::min(sum, 0.0);
}

double Elimination::most_probable(std::vector<char>& world, std::span<const Literal> fixed) {
  world.assign(graph_->variables(), 0);
  double sum = hold(fixed) && !graph_->impossible ? graph_->offset : kNever;
  begin_progress(components_, 2);
  for (const Component& component : components_) {
    if (sum == kNever) break;
    sum += up<Greatest>(component);
    if (sum > kNever) trace_back(component, world);
  }
  let_go(fixed);
  progress_.end();
  return sum;
}

// From the last variable to the first: each takes its better value beside those that are decided.
void Elimination::trace_back(const Component& component, std::vector<char>& world) const {
  for (std::uint32_t p = component.end; p-- > component.begin;) {
    std::size_t x = 0, bit = 2;
    for (const std::uint32_t later : order_.later(p)) {
      if (world[order_.order()[later]]) x |= bit;
      bit *= 2;
    }
    const double* const table = &tables_[table_starts_[p]];
    world[order_.order()[p]] = table[x + 1] > table[x];
  }
}

}  // namespace capella::logic
