#include "logic/gibbs/gibbs_sweeper.h"

#include <cmath>

#include "logic/gibbs/gibbs_random.h"

namespace capella::logic {
namespace {

class InTurn final : public Sweeper {
 public:
  explicit InTurn(const GibbsModel& model) : model_(model) {}

  void sweep(const LaneArrays& lanes, bool sum) override {
    const auto draw = sum ? model_.kernel.draw_and_sum : model_.kernel.draw;
    draw(model_.graph, model_.graph.runs.data(), model_.graph.runs.size(), lanes);
  }

 private:
  const GibbsModel& model_;
};

// As many picks as there are variables, the same for all chains of the group. The probabilities are summed
// once at the end, for every variable.
class AtRandom final : public Sweeper {
 public:
  AtRandom(const GibbsModel& model, std::size_t group)
      : model_(model), random_(place_seed(model.options.seed, Purpose::scan, group, 0)) {}

  void sweep(const LaneArrays& lanes, bool sum) override {
    const auto places = static_cast<std::uint32_t>(model_.graph.size());
    for (std::uint32_t k = 0; k < places; ++k) {
      const GibbsRun run = model_.graph.single(random_.below(places));
      model_.kernel.draw(model_.graph, &run, 1, lanes);
    }
    if (sum) model_.kernel.sum(model_.graph, model_.graph.runs.data(), model_.graph.runs.size(), lanes);
  }

 private:
  const GibbsModel& model_;
  ScalarRandom random_;
};

}  // namespace

GibbsModel::GibbsModel(const FactorGraph& factor_graph, const GibbsOptions& given, const GibbsKernel& version)
    : factors(factor_graph),
      options(given),
      kernel(version),
      graph(factor_graph),
      start(factor_graph),
      incident(factor_graph),
      inverse{1.0} {
  for (std::size_t k = 1; k < options.temperatures; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(options.temperatures - 1);
    const double temperature = std::pow(options.hottest, share);
    hot.emplace_back(factor_graph, temperature);
    inverse.push_back(1 / temperature);
  }
  if (options.blocks) blocks = tree_blocks(factor_graph, incident);
}

LaneStates::LaneStates(const GibbsModel& model, std::size_t group, std::size_t rung)
    : states_(2 * padded_places(model.graph.size())), random_(4 * kGibbsLanes) {
  for (std::size_t place = 0; place < model.graph.size(); ++place) states_[2 * place + 1] = kAllLanes;
  for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) {
    const std::size_t own = kGibbsLanes * rung + lane;
    const LaneRandom words(place_seed(model.options.seed, Purpose::lanes, group, own));
    for (std::size_t k = 0; k < 4; ++k) random_[k * kGibbsLanes + lane] = words.words[k];
    ScalarRandom random(place_seed(model.options.seed, Purpose::start, group, own));
    const std::vector<std::uint8_t> world = model.start.find(random, model.options.start_from_evidence);
    for (std::size_t v = 0; v < world.size(); ++v) {
      set_lane(states_.data(), model.graph.places[v], lane, world[v] != 0);
    }
  }
}

std::unique_ptr<Sweeper> make_sweeper(const GibbsModel& model, std::size_t group) {
  if (model.options.sum_exp) return make_sum_exp_sweeper(model, group);
  if (model.options.temperatures > 1) return make_tempered_sweeper(model, group);
  if (model.options.blocks) return make_block_sweeper(model, group);
  if (model.options.random_scan) return std::make_unique<AtRandom>(model, group);
  return std::make_unique<InTurn>(model);
}

}  // namespace capella::logic
