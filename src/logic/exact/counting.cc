#include "logic/exact/counting.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "logic/exact/counting_components.h"
#include "logic/exact/counting_state.h"
#include "logic/exact/elimination_order.h"
#include "logic/work_progress.h"

namespace capella::logic {
namespace {

constexpr std::size_t kMostListed = 50'000'000;  // variables and factors of components that are not done
constexpr double kMostOrdered = 4'294'967'296;
constexpr CountingCircuit::Node kNotYet = CountingCircuit::kImpossible - 1;

// The search keeps its own stack of components, since decisions may be as deep as there are variables.
class CountingSearch {
 public:
  CountingSearch(const FactorGraph& graph, const CountingLimits& limits, CountingCircuit& circuit)
      : graph_(graph),
        limits_(limits),
        circuit_(circuit),
        cache_(limits.cache_bytes),
        state_(graph),
        components_(state_),
        lone_(graph.variables(), kNotYet),
        degrees_(graph.variables()) {}

  bool run(CountingStatistics& statistics);

 private:
  using Node = CountingCircuit::Node;
  using Place = CountingComponents::Place;
  struct Frame {
    Place component;
    CountingCache::Hash hash;
    std::uint32_t variable;  // that is decided, false first
    bool value;
    Node no;  // what came of it
    // The product at hand: of what the decision leaves.
    bool possible;
    double log_weight;
    std::size_t first_decided, first_part, next_part, first_child;  // in the trail, parts_, again, children_
  };

  void rank_variables();
  std::uint32_t pick(Place component);
  std::uint32_t pick_busiest(Place component);
  Node search();
  void search_part(Place component);
  void begin_product(Frame& frame);
  void decide(Frame& frame, bool value);
  Node finish_product(const Frame& frame);
  void finish_branch();
  void deliver(Node node);
  Node lone_variable(std::uint32_t variable);
  Node leaf(Place component);
  void add_leaf_factor(unsigned mask, unsigned pattern, double weight);
  bool stopped();

  const FactorGraph& graph_;
  const CountingLimits& limits_;
  CountingCircuit& circuit_;
  CountingCache cache_;
  CountingState state_;
  CountingComponents components_;
  std::string limit_;
  std::size_t deepest_ = 0, steps_ = 0, steps_told_ = 0;
  WorkProgress progress_;
  std::vector<std::uint32_t> ranks_;    // the greatest is decided first
  std::vector<Frame> frames_;           // the first is the whole network, which decides nothing
  std::vector<Place> parts_;            // components that decisions leave: a stack
  std::vector<Node> children_;          // of products being made: a stack
  std::vector<Node> lone_;              // by variable: the component of it alone, without factors
  std::vector<std::uint32_t> degrees_;  // by variable, while one is picked
  std::vector<CountingCircuit::LeafFactor> leaf_factors_;
  static constexpr std::size_t kMasks = std::size_t{1} << CountingCircuit::kLeafVariables;
  std::array<std::uint16_t, kMasks * kMasks>
      leaf_places_{};  // of a mask and pattern in leaf_factors_, from 1
};

bool CountingSearch::run(CountingStatistics& statistics) {
  circuit_.clear(graph_);
  rank_variables();
  progress_.begin(limits_.progress, "counting", static_cast<double>(limits_.most_steps));
  if (!graph_.impossible) circuit_.set_root(search());
  progress_.end();
  statistics = {circuit_.size(), cache_.hits(), cache_.forgotten(), deepest_, limit_};
  return limit_.empty();
}

// Those that least-fill elimination would leave for the end separate the others best. Where that order was
// given up because the network is too wide, the rest comes before, those in most factors first.
void CountingSearch::rank_variables() {
  EliminationOrder order;
  order.find(graph_, kMostOrdered, true);
  ranks_ = order.position();
  for (std::size_t v = 0; v < ranks_.size(); ++v) {
    if (ranks_[v] == EliminationOrder::kNone) ranks_[v] = static_cast<std::uint32_t>(ranks_.size());
  }
}

std::uint32_t CountingSearch::pick(Place component) {
  const auto variables = components_.variables(component);
  steps_ += variables.size();
  const std::uint32_t best =
      *std::ranges::max_element(variables, {}, [&](std::uint32_t v) { return ranks_[v]; });
  return ranks_[best] == ranks_.size() ? pick_busiest(component) : best;
}

// Of those without a rank, the first of those in most factors.
std::uint32_t CountingSearch::pick_busiest(Place component) {
  const auto variables = components_.variables(component);
  for (const std::uint32_t v : variables) degrees_[v] = 0;
  for (const std::uint32_t factor : components_.factors(component)) {
    steps_ += graph_.factor(factor).size();
    for (const Literal literal : graph_.factor(factor)) ++degrees_[literal.atom()];
  }
  const auto unranked_degree = [&](std::uint32_t v) {
    return ranks_[v] == ranks_.size() ? std::int64_t{degrees_[v]} : -1;
  };
  return *std::ranges::max_element(variables, {}, unranked_degree);
}

bool CountingSearch::stopped() {
  if (!limit_.empty()) return true;
  const std::size_t steps = steps_ + state_.steps() + components_.steps();
  progress_.add(steps - std::exchange(steps_told_, steps));
  if (circuit_.size() >= limits_.most_nodes) {
    limit_ = fmt::format("more than {} nodes", limits_.most_nodes);
  } else if (circuit_.bytes() >= limits_.most_nodes * CountingLimits::kBytesPerNode) {
    limit_ = fmt::format("more than {} MB for its nodes",
                         limits_.most_nodes * CountingLimits::kBytesPerNode / 1'000'000);
  } else if (steps >= limits_.most_steps) {
    limit_ = fmt::format("more than {} steps", limits_.most_steps);
  } else if (components_.listed() >= kMostListed) {
    limit_ = fmt::format("more than {} variables and factors in its stack", kMostListed);
  }
  return !limit_.empty();
}

CountingSearch::Node CountingSearch::search() {
  frames_.push_back(
      {components_.add_all(), {}, 0, true, CountingCircuit::kImpossible, true, graph_.offset, 0, 0, 0, 0});
  begin_product(frames_.back());
  for (;;) {
    Frame& frame = frames_.back();
    if (frame.possible && frame.next_part < parts_.size()) {
      search_part(parts_[frame.next_part++]);
    } else if (frames_.size() == 1) {
      return finish_product(frame);
    } else {
      finish_branch();
    }
  }
}

// A component that is known or small has its node at once; else it becomes the frame that is worked on.
void CountingSearch::search_part(Place component) {
  if (stopped()) return deliver(CountingCircuit::kImpossible);
  const auto key = components_.key(component);
  const std::size_t variables = components_.variables(component).size();
  if (key.size() == 2) return deliver(lone_variable(components_.variables(component)[0]));
  const CountingCache::Hash hash = CountingCache::hash(key);
  if (const std::optional<Node> node = cache_.find(hash, key)) return deliver(*node);
  if (variables <= CountingCircuit::kLeafVariables) {
    const Node node = leaf(component);
    cache_.insert(hash, key, node);
    return deliver(node);
  }
  frames_.push_back(
      {component, hash, pick(component), false, CountingCircuit::kImpossible, true, 0, 0, 0, 0, 0});
  deepest_ = std::max(deepest_, frames_.size() - 1);
  decide(frames_.back(), false);
}

void CountingSearch::decide(Frame& frame, bool value) {
  frame.value = value;
  frame.first_decided = state_.trail().size();
  frame.possible = state_.decide(Literal(frame.variable, value));
  frame.log_weight = state_.completed();
  begin_product(frame);
}

// What was decided, times the components of what is left of the variables.
void CountingSearch::begin_product(Frame& frame) {
  frame.first_child = children_.size();
  frame.first_part = frame.next_part = parts_.size();
  if (frame.possible) components_.split(frame.component, parts_);
}

CountingSearch::Node CountingSearch::finish_product(const Frame& frame) {
  Node node = CountingCircuit::kImpossible;
  if (frame.possible) {
    node = circuit_.add_product(std::span(state_.trail()).subspan(frame.first_decided), frame.log_weight,
                                std::span(children_).subspan(frame.first_child));
  }
  children_.resize(frame.first_child);
  if (parts_.size() > frame.first_part) components_.drop_from(parts_[frame.first_part].begin);
  parts_.resize(frame.first_part);
  state_.take_back(frame.first_decided);
  return node;
}

void CountingSearch::finish_branch() {
  Frame& frame = frames_.back();
  const Node node = finish_product(frame);
  if (!frame.value && limit_.empty()) {
    frame.no = node;
    return decide(frame, true);
  }
  const bool possible = frame.no != CountingCircuit::kImpossible || node != CountingCircuit::kImpossible;
  const Node choice =
      possible ? circuit_.add_choice(frame.variable, frame.no, node) : CountingCircuit::kImpossible;
  if (limit_.empty()) cache_.insert(frame.hash, components_.key(frame.component), choice);
  frames_.pop_back();
  deliver(choice);
}

void CountingSearch::deliver(Node node) {
  children_.push_back(node);
  frames_.back().possible = frames_.back().possible && node != CountingCircuit::kImpossible;
}

// Nothing is said of it but by its own weight. These are met very often.
CountingSearch::Node CountingSearch::lone_variable(std::uint32_t variable) {
  if (lone_[variable] == kNotYet) lone_[variable] = circuit_.add_leaf(std::span(&variable, 1), {});
  return lone_[variable];
}

CountingSearch::Node CountingSearch::leaf(Place component) {
  const auto members = components_.variables(component);
  leaf_factors_.clear();
  for (const std::uint32_t factor : components_.factors(component)) {
    unsigned mask = 0, pattern = 0;
    for (const Literal literal : graph_.factor(factor)) {
      if (!state_.open(literal.atom())) continue;
      const auto at = std::ranges::find(members, literal.atom()) - members.begin();
      mask |= 1u << at;
      if (literal.positive()) pattern |= 1u << at;
    }
    add_leaf_factor(mask, pattern, graph_.weights[factor]);
  }
  for (const CountingCircuit::LeafFactor& factor : leaf_factors_)
    leaf_places_[factor.mask * kMasks + factor.pattern] = 0;
  return circuit_.add_leaf(members, leaf_factors_);
}

// What decisions leave of different factors may be the same.
void CountingSearch::add_leaf_factor(unsigned mask, unsigned pattern, double weight) {
  std::uint16_t& place = leaf_places_[mask * kMasks + pattern];
  if (place != 0) {
    leaf_factors_[place - 1].weight += weight;
    return;
  }
  leaf_factors_.push_back({static_cast<std::uint8_t>(mask), static_cast<std::uint8_t>(pattern), weight});
  place = static_cast<std::uint16_t>(leaf_factors_.size());
}

}  // namespace

bool counting_is_hopeless(const FactorGraph& graph, double most_entries) {
  FactorGraph pairs;
  pairs.log_odds.assign(graph.variables(), 0);
  for (std::size_t k = 0; k < graph.factors(); ++k) {
    const auto literals = graph.factor(k);
    if (graph.weights[k] == -kHard) return false;
    if (literals.size() > 2) continue;
    pairs.weights.push_back(graph.weights[k]);
    pairs.literals.insert(pairs.literals.end(), literals.begin(), literals.end());
    pairs.starts.push_back(static_cast<std::uint32_t>(pairs.literals.size()));
  }
  return !EliminationOrder().find(pairs, most_entries);
}

bool count(const FactorGraph& graph, const CountingLimits& limits, CountingCircuit& circuit,
           CountingStatistics& statistics) {
  return CountingSearch(graph, limits, circuit).run(statistics);
}

}  // namespace capella::logic
