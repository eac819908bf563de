// Gibbs sampling of a network in memory: {"log_odds": [...], "factors": [[weight, literal, literal, ...],
// ...], "chains": ..., "burn_in": ..., "sweeps": ...}; literals count from 1 and are negative if negated, as
// in DIMACS. All sweeps are made, with all that a run keeps of its draws; burn-in is timed apart. `metrics`
// may name a version of the kernel.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "logic/gibbs/gibbs_sample.h"
#include "measure.h"

namespace capella::bench {
namespace {

using logic::FactorGraph;
using logic::GibbsKernel;
using logic::Literal;

FactorGraph read_graph(const nlohmann::json& network) {
  FactorGraph graph;
  graph.log_odds = network.at("log_odds").get<std::vector<double>>();
  for (const nlohmann::json& factor : network.at("factors")) {
    for (std::size_t k = 1; k < factor.size(); ++k) {
      const int literal = factor[k].get<int>();
      graph.literals.emplace_back(static_cast<logic::AtomId>(std::abs(literal) - 1), literal > 0);
    }
    std::sort(graph.literals.begin() + graph.starts.back(), graph.literals.end());
    graph.starts.push_back(static_cast<std::uint32_t>(graph.literals.size()));
    graph.weights.push_back(factor[0].get<double>());
  }
  return graph;
}

const GibbsKernel& chosen(const Job& job) {
  const std::vector<const GibbsKernel*> kernels = logic::gibbs_kernels();
  if (job.metrics.empty()) return *kernels.back();
  for (const GibbsKernel* kernel : kernels) {
    if (kernel->name == job.metrics[0]) return *kernel;
  }
  throw std::runtime_error("this machine has no kernel " + job.metrics[0]);
}

}  // namespace

nlohmann::json run_gibbs(const Job& job) {
  std::ifstream file(job.references);
  const nlohmann::json network = nlohmann::json::parse(file);
  const FactorGraph graph = read_graph(network);
  logic::GibbsOptions options;
  options.chains = network.at("chains");
  options.burn_in = network.at("burn_in");
  options.most_sweeps = network.at("sweeps");
  options.least_ess_atom = std::numeric_limits<double>::infinity();
  options.threads = job.threads;
  std::vector<double> warm;  // seconds until the end of burn-in
  logic::GibbsResult result;
  nlohmann::json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    const auto begin = std::chrono::steady_clock::now();
    warm.push_back(0);
    options.progress = [&](std::string_view, std::size_t done, std::size_t) {
      const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
      if (done <= options.burn_in) warm.back() = since.count();
    };
    result = logic::sample_with(chosen(job), graph, options);
  }));
  std::vector<double> rates;
  const double updates = static_cast<double>(graph.variables() * result.chains * result.sweeps);
  for (std::size_t k = 0; k < warm.size(); ++k) {
    rates.push_back(updates / (answer["seconds"][k].get<double>() - warm[k]));
  }
  answer["updates_per_second"] = rates;
  answer["kernel"] = std::string(chosen(job).name);
  answer["ess_min"] = result.ess_min;
  answer["rhat_max"] = result.rhat_max;
  answer["values"] = {{"marginal", {{"items", result.marginals}}}, {"mcse", {{"items", result.mcse}}}};
  return answer;
}

}  // namespace capella::bench
