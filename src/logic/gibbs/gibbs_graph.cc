#include "logic/gibbs/gibbs_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

namespace capella::logic {
namespace {

// Greedy: each variable takes the least colour that none of its neighbours has. Beyond kMostColours they are
// all the last one: the order stays right, only slower.
constexpr std::uint32_t kMostColours = 64;

std::vector<std::uint32_t> colours(const FactorGraph& graph, const FactorsOfVariables& factors) {
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::uint32_t> result(graph.variables(), kNone);
  for (std::size_t v = 0; v < result.size(); ++v) {
    std::uint64_t taken = 0;
    for (const std::uint32_t factor : factors[v]) {
      for (const Literal literal : graph.factor(factor)) {
        const std::uint32_t colour = result[literal.atom()];
        if (colour < kMostColours) taken |= std::uint64_t{1} << colour;
      }
      if (~taken == 0) break;
    }
    result[v] = std::min(static_cast<std::uint32_t>(std::countr_one(taken)), kMostColours - 1);
  }
  return result;
}

struct Shape {
  std::uint32_t colour = 0;
  std::uint32_t longs = 0;
  std::uint32_t triples = 0;
  std::uint32_t pairs = 0;
  friend auto operator<=>(const Shape&, const Shape&) = default;
};

std::vector<Shape> shapes(const FactorGraph& graph, const FactorsOfVariables& factors) {
  const std::vector<std::uint32_t> colour = colours(graph, factors);
  std::vector<Shape> result(graph.variables());
  for (std::size_t v = 0; v < result.size(); ++v) {
    result[v].colour = colour[v];
    for (const std::uint32_t factor : factors[v]) {
      const std::size_t size = graph.factor(factor).size();
      ++(size == 2 ? result[v].pairs : size == 3 ? result[v].triples : result[v].longs);
    }
  }
  return result;
}

// What a factor of weight w adds to a variable's log odds where all its other literals hold.
float contribution(double weight, bool positive, double scale) {
  const double sign = positive ? 1 : -1;
  if (std::isinf(weight)) return static_cast<float>(-sign) * GibbsGraph::kForbidden;
  const double bounded = std::clamp(weight, -GibbsGraph::kMostLogOdds, GibbsGraph::kMostLogOdds);
  return static_cast<float>(sign * bounded * scale);
}

}  // namespace

FactorsOfVariables::FactorsOfVariables(const FactorGraph& graph)
    : starts_(graph.variables() + 1, 0), factors_(graph.literals.size()) {
  for (const Literal literal : graph.literals) ++starts_[literal.atom() + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::uint32_t k = 0; k < graph.factors(); ++k) {
    for (const Literal literal : graph.factor(k)) factors_[next[literal.atom()]++] = k;
  }
}

GibbsGraph::GibbsGraph(const FactorGraph& graph, double temperature)
    : order(graph.variables()), places(graph.variables()), run_of(graph.variables()) {
  const FactorsOfVariables factors(graph);
  const std::vector<Shape> shape = shapes(graph, factors);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return shape[a] < shape[b]; });
  for (std::uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  const double scale = std::numbers::log2e / temperature;
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const Shape& own = shape[order[place]];
    if (place == 0 || own.longs > 0 || own != shape[order[place - 1]]) {
      runs.push_back(
          {place, place, own.pairs, own.triples, own.longs, pairs.size(), triples.size(), longs.size()});
    }
    runs.back().end = place + 1;
    run_of[place] = static_cast<std::uint32_t>(runs.size() - 1);
    const double odds = std::clamp(graph.log_odds[order[place]], -kMostLogOdds, kMostLogOdds);
    log_odds.push_back(static_cast<float>(odds * scale) + 0.0f);  // no negative zero
    add_place(graph, place, factors[order[place]], scale);
  }
}

void GibbsGraph::add_place(const FactorGraph& graph, std::uint32_t place,
                           std::span<const std::uint32_t> factors, double scale) {
  std::vector<PlaceLiteral> others;
  for (const std::uint32_t factor : factors) {
    others.clear();
    float weight = 0;
    for (const Literal one : graph.factor(factor)) {
      if (one.atom() == order[place]) weight = contribution(graph.weights[factor], one.positive(), scale);
      if (one.atom() != order[place]) others.push_back(literal(one));
    }
    if (others.size() == 1) {
      pairs.push_back({others[0], weight});
    } else if (others.size() == 2) {
      triples.push_back({others[0], others[1], weight});
    } else {
      longs.push_back(static_cast<std::uint32_t>(others.size()));
      longs.push_back(std::bit_cast<std::uint32_t>(weight));
      longs.insert(longs.end(), others.begin(), others.end());
    }
  }
}

GibbsRun GibbsGraph::single(std::uint32_t place) const {
  GibbsRun run = runs[run_of[place]];
  const std::size_t skipped = place - run.begin;
  run.begin = place;
  run.end = place + 1;
  run.pair_at += skipped * run.pairs;
  run.triple_at += skipped * run.triples;
  return run;
}

}  // namespace capella::logic
