// Parallel tempering: every chain has copies at higher temperatures, which move freely, and neighbours on the
// ladder swap their states. The kernels sample each rung in sixteen lanes; a swap exchanges the bits of a
// lane.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "logic/gibbs/gibbs_sweeper.h"

namespace capella::logic {
namespace {

using LaneValues = std::array<double, kGibbsLanes>;

class TemperedSweeper final : public Sweeper {
 public:
  TemperedSweeper(const GibbsModel& model, std::size_t group) : model_(model), swaps_(model.hot.size()) {
    for (std::size_t rung = 1; rung <= model.hot.size(); ++rung) rungs_.emplace_back(model, group, rung);
    for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) {
      random_.emplace_back(place_seed(model.options.seed, Purpose::swaps, group, lane));
    }
  }

  void sweep(const LaneArrays& lanes, bool sum) override {
    const auto draw = sum ? model_.kernel.draw_and_sum : model_.kernel.draw;
    draw(model_.graph, model_.graph.runs.data(), model_.graph.runs.size(), lanes);
    for (std::size_t k = 0; k < rungs_.size(); ++k) {
      const GibbsGraph& graph = model_.hot[k];
      model_.kernel.draw(graph, graph.runs.data(), graph.runs.size(), rungs_[k].arrays(nullptr));
    }
    for (std::size_t low = parity_; low < rungs_.size(); low += 2) {
      swap(low, low == 0 ? lanes.states : rungs_[low - 1].states(), rungs_[low].states());
    }
    parity_ = 1 - parity_;
  }

  double swap_rate() const override {
    double least = 1;
    for (const Swaps& swaps : swaps_) {
      if (swaps.tried > 0) least = std::min(least, swaps.made / swaps.tried);
    }
    return least;
  }

 private:
  struct Swaps {
    double tried = 0;
    double made = 0;
  };

  static void add(unsigned mask, double weight, LaneValues& to) {
    for (; mask != 0; mask &= mask - 1) to[static_cast<std::size_t>(std::countr_zero(mask))] += weight;
  }

  // The log weight of each lane's state; forbidden states do not occur.
  LaneValues log_weights(const LaneMask* states) const {
    LaneValues result{};
    const FactorGraph& factors = model_.factors;
    for (std::size_t v = 0; v < factors.variables(); ++v) {
      add(states[2 * model_.graph.places[v]], factors.log_odds[v], result);
    }
    for (std::size_t k = 0; k < factors.factors(); ++k) {
      if (std::isinf(factors.weights[k])) continue;
      unsigned mask = kAllLanes;
      for (const Literal literal : factors.factor(k)) mask &= states[model_.graph.literal(literal)];
      add(mask, factors.weights[k], result);
    }
    return result;
  }

  // Between rung `low` and the next: with probability exp((1/T - 1/T') (their difference in log weight)).
  void swap(std::size_t low, LaneMask* cold, LaneMask* warm) {
    const LaneValues of_cold = log_weights(cold), of_warm = log_weights(warm);
    const double difference = model_.inverse[low] - model_.inverse[low + 1];
    unsigned chosen = 0;
    for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) {
      const double ratio = std::exp(difference * (of_warm[lane] - of_cold[lane]));
      if (random_[lane].uniform() < ratio) chosen |= 1u << lane;
    }
    swaps_[low].tried += kGibbsLanes;
    swaps_[low].made += std::popcount(chosen);
    for (std::size_t k = 0; k < 2 * model_.graph.size(); ++k) {
      const unsigned changed = (static_cast<unsigned>(cold[k]) ^ warm[k]) & chosen;
      cold[k] = static_cast<LaneMask>(cold[k] ^ changed);
      warm[k] = static_cast<LaneMask>(warm[k] ^ changed);
    }
  }

  const GibbsModel& model_;
  std::vector<LaneStates> rungs_;     // above the first
  std::vector<ScalarRandom> random_;  // of each lane, for swaps
  std::vector<Swaps> swaps_;          // between a rung and the next
  std::size_t parity_ = 0;
};

}  // namespace

std::unique_ptr<Sweeper> make_tempered_sweeper(const GibbsModel& model, std::size_t group) {
  return std::make_unique<TemperedSweeper>(model, group);
}

}  // namespace capella::logic
