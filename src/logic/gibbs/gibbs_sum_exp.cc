#include "logic/gibbs/gibbs_sum_exp.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "logic/gibbs/gibbs_sweeper.h"

namespace capella::logic {
namespace {

// e^most times these is A and B.
struct Sums {
  double most = 0;
  std::array<double, 2> of{};  // by the atom's value

  void scale_to(double weight) {
    if (weight <= most) return;
    for (double& sum : of) sum *= std::exp(most - weight);
    most = weight;
  }
  double probability(double p) const {
    const double yes = p * of[1], no = (1 - p) * of[0];
    return of[0] == 0 && of[1] == 0 ? p : yes / (yes + no);
  }
};

// A formula that holds in the share `holds` of the cases, `times` over.
void add(Sums& sums, bool value, double weight, double holds, double times) {
  sums.scale_to(weight);
  sums.of[value] += times * (holds * std::exp(weight - sums.most) + (1 - holds) * std::exp(-sums.most));
}

struct Repeated {
  double weight;
  double times;
};

// Equal groundings one by one; where a formula was taken apart, the part as a whole.
Repeated repeated(const GroundNetwork& network, std::size_t grounding) {
  const double weight = network.formulas[network[grounding].formula].weight;
  const double times = network[grounding].coefficient;
  const bool counts = times >= 1 && times == std::floor(times);
  return counts ? Repeated{weight, times} : Repeated{weight * times, 1};
}

// The share of cases in which the formula holds if literal k is `true_literal`; `others` tells for the other
// literals how often they are as a conjunction needs them.
double held(GroundFormula::Kind kind, bool true_literal, double all_others, double none_of_others) {
  if (kind == GroundFormula::Kind::conjunction) return true_literal ? all_others : 0;
  return true_literal ? 1 : 1 - none_of_others;
}

// `share(literal)`: how often a literal of another atom holds; independent of each other.
template <class Share>
std::vector<double> conditionals(const GroundNetwork& network, Share share) {
  std::vector<Sums> sums(network.atoms());
  for (std::size_t k = 0; k < network.size(); ++k) {
    const GroundFormula formula = network[k];
    const Repeated own = repeated(network, k);
    if (std::isinf(own.weight)) continue;  // hard formulas have no exponential
    for (const Literal literal : formula.literals) {
      double all = 1, none = 1;
      for (const Literal other : formula.literals) {
        if (other == literal) continue;
        all *= share(other);
        none *= 1 - share(other);
      }
      for (const bool value : {false, true}) {
        const double holds = held(formula.kind, value == literal.positive(), all, none);
        add(sums[literal.atom()], value, own.weight, holds, own.times);
      }
    }
  }
  std::vector<double> result(network.atoms());
  for (AtomId atom = 0; atom < result.size(); ++atom) {
    const double p = network.probability(atom);
    result[atom] = sums[atom].probability(std::isnan(p) ? 0.5 : p);
  }
  return result;
}

// Draws by the same conditional of a factor graph, one chain after the other.
class SumExpSweeper final : public Sweeper {
 public:
  SumExpSweeper(const GibbsModel& model, std::size_t group) : model_(model) {
    for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) {
      random_.emplace_back(place_seed(model.options.seed, Purpose::sum_exp, group, lane));
    }
  }

  void sweep(const LaneArrays& lanes, bool sum) override {
    for (std::size_t place = 0; place < model_.graph.size(); ++place) {
      for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) {
        const double p = probability(model_.graph.order[place], lanes.states, lane);
        set_lane(lanes.states, place, lane, random_[lane].uniform() < p);
        if (sum) lanes.sums[place * kGibbsLanes + lane] += static_cast<float>(p) * kProbabilityUnit;
      }
    }
  }

 private:
  double probability(std::uint32_t variable, const LaneMask* states, std::size_t lane) const {
    Sums sums;
    for (const std::uint32_t factor : model_.incident[variable]) {
      if (std::isinf(model_.factors.weights[factor])) continue;
      bool positive = false, others = true;
      for (const Literal literal : model_.factors.factor(factor)) {
        if (literal.atom() == variable)
          positive = literal.positive();
        else
          others = others && ((states[model_.graph.literal(literal)] >> lane) & 1u);
      }
      for (const bool value : {false, true}) {
        add(sums, value, model_.factors.weights[factor], value == positive && others ? 1 : 0, 1);
      }
    }
    return sums.probability(1 / (1 + std::exp(-model_.factors.log_odds[variable])));
  }

  const GibbsModel& model_;
  std::vector<ScalarRandom> random_;  // of each lane
};

}  // namespace

std::vector<double> sum_exp_conditionals(const GroundNetwork& network, const std::vector<bool>& world) {
  return conditionals(
      network, [&](Literal literal) { return world[literal.atom()] == literal.positive() ? 1.0 : 0.0; });
}

std::vector<double> sum_exp_neutral(const GroundNetwork& network) {
  return conditionals(network, [](Literal) { return 0.5; });
}

std::unique_ptr<Sweeper> make_sum_exp_sweeper(const GibbsModel& model, std::size_t group) {
  return std::make_unique<SumExpSweeper>(model, group);
}

}  // namespace capella::logic
