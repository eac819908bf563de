#include "logic/gibbs/start_state.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::logic {
namespace {

constexpr std::size_t kTries = 3;
constexpr double kNoise = 0.4;  // how often any variable is flipped where each breaks something

std::size_t most_flips(std::size_t forbidden) {
  return 100'000 + 20 * forbidden;
}

}  // namespace

StartSearch::StartSearch(const FactorGraph& graph) : graph_(graph), starts_(graph.variables() + 1, 0) {
  for (std::uint32_t k = 0; k < graph.factors(); ++k) {
    if (!std::isinf(graph.weights[k])) continue;
    forbidden_.push_back(k);
    for (const Literal literal : graph.factor(k)) ++starts_[literal.atom() + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  incident_.resize(starts_.back());
  for (std::uint32_t k = 0; k < forbidden_.size(); ++k) {
    for (const Literal literal : graph.factor(forbidden_[k])) incident_[next[literal.atom()]++] = k;
  }
}

// The state, how many literals of each forbidden conjunction hold, and which conjunctions hold.
struct StartSearch::Walk {
  Walk(const StartSearch& search, std::vector<std::uint8_t> first)
      : given(search), world(std::move(first)), held(given.forbidden_.size(), 0), at(held.size(), kNowhere) {
    for (std::uint32_t k = 0; k < held.size(); ++k) {
      for (const Literal literal : literals(k)) held[k] += holds(literal);
      if (held[k] == literals(k).size()) break_one(k);
    }
  }

  std::span<const Literal> literals(std::uint32_t k) const {
    return given.graph_.factor(given.forbidden_[k]);
  }
  std::span<const std::uint32_t> of(AtomId variable) const {
    const std::size_t begin = given.starts_[variable];
    return std::span(given.incident_).subspan(begin, given.starts_[variable + 1] - begin);
  }
  std::uint32_t holds(Literal literal) const { return (world[literal.atom()] != 0) == literal.positive(); }

  void break_one(std::uint32_t k) {
    at[k] = static_cast<std::uint32_t>(broken.size());
    broken.push_back(k);
  }

  void mend_one(std::uint32_t k) {
    broken[at[k]] = broken.back();
    at[broken.back()] = at[k];
    broken.pop_back();
    at[k] = kNowhere;
  }

  void flip(AtomId variable) {
    world[variable] ^= 1;
    for (const std::uint32_t k : of(variable)) {
      for (const Literal literal : literals(k)) {
        if (literal.atom() == variable) holds(literal) ? ++held[k] : --held[k];
      }
      const bool all = held[k] == literals(k).size();
      if (all && at[k] == kNowhere) break_one(k);
      if (!all && at[k] != kNowhere) mend_one(k);
    }
  }

  // How many conjunctions would hold that do not now.
  std::size_t cost(AtomId variable) const {
    std::size_t result = 0;
    for (const std::uint32_t k : of(variable)) {
      if (held[k] + 1 != literals(k).size()) continue;
      for (const Literal literal : literals(k)) result += literal.atom() == variable && !holds(literal);
    }
    return result;
  }

  void step(ScalarRandom& random) {
    const auto choices = literals(broken[random.below(static_cast<std::uint32_t>(broken.size()))]);
    AtomId best = choices[random.below(static_cast<std::uint32_t>(choices.size()))].atom();
    const bool any = random.uniform() < kNoise;
    std::size_t least = cost(best);
    for (const Literal literal : choices) {
      const std::size_t other = cost(literal.atom());
      if (any ? other == 0 && least > 0 : other < least) {
        best = literal.atom();
        least = other;
      }
    }
    flip(best);
  }

  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
  const StartSearch& given;
  std::vector<std::uint8_t> world;
  std::vector<std::uint32_t> held;
  std::vector<std::uint32_t> at;      // the place in `broken`
  std::vector<std::uint32_t> broken;  // conjunctions that hold
};

std::vector<std::uint8_t> StartSearch::find(ScalarRandom& random, bool from_log_odds) const {
  for (std::size_t attempt = 0; attempt < kTries; ++attempt) {
    std::vector<std::uint8_t> world(graph_.variables());
    for (std::size_t v = 0; v < world.size(); ++v) {
      const double p = from_log_odds ? 1 / (1 + std::exp(-graph_.log_odds[v])) : 0.5;
      world[v] = random.uniform() < p;
    }
    Walk walk(*this, std::move(world));
    for (std::size_t flips = 0; !walk.broken.empty() && flips < most_flips(forbidden_.size()); ++flips) {
      walk.step(random);
    }
    if (walk.broken.empty()) return std::move(walk.world);
  }
  throw DataError(fmt::format(
      "the sampler found no state that obeys all {} hard groundings in {} tries of {} flips each: they "
      "contradict each other or are hard to satisfy together; take --method ptp or --method exact, which "
      "decide this",
      forbidden_.size(), kTries, most_flips(forbidden_.size())));
}

}  // namespace capella::logic
