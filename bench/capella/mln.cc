// Markov logic: sampling a network, and the gradient that weights are learned with; both from what is in
// memory, reading and grounding left out.
#include <algorithm>
#include <limits>

#include "base/file.h"
#include "base/thread_pool.h"
#include "logic/gibbs/gibbs.h"
#include "logic/ground/ground.h"
#include "logic/language/language.h"
#include "logic/learn/pseudo_likelihood.h"
#include "measure.h"

namespace capella::bench {
namespace {

constexpr double kUpdates = 1e9;  // of a repetition, where that are neither too few nor too many sweeps
constexpr std::size_t kFewestSweeps = 1000;
constexpr std::size_t kMostSweeps = 20'000;

logic::GibbsOptions sampling_of(std::size_t variables, std::size_t threads) {
  logic::GibbsOptions options;
  const double sweeps = kUpdates / static_cast<double>(options.chains * std::max<std::size_t>(variables, 1));
  options.most_sweeps = std::clamp(static_cast<std::size_t>(sweeps), kFewestSweeps, kMostSweeps);
  options.least_ess_atom = std::numeric_limits<double>::infinity();  // all of them
  options.threads = threads;
  return options;
}

nlohmann::json atom_probabilities(const logic::GroundNetwork& network, const logic::Simplified& simple,
                                  const std::vector<double>& of_variables, double constant) {
  std::vector<double> values;
  for (logic::AtomId atom = 0; atom < network.atoms(); ++atom) {
    const logic::AtomPlace place = simple.places[atom];
    values.push_back(place.is_variable() ? of_variables[place.variable] : constant);
  }
  return {{"items", values}};
}

/// {"rows": [[formula, ...], ...], "changes": [[number, ...], ...], "truth": [...], "weights": [...]}
logic::PseudoRows rows_of(const nlohmann::json& given) {
  logic::PseudoRows rows(given.at("weights").size());
  rows.begin_world();
  std::vector<logic::RowEntry> row;
  for (std::size_t k = 0; k < given.at("rows").size(); ++k) {
    row.clear();
    for (std::size_t i = 0; i < given["rows"][k].size(); ++i)
      row.push_back({given["rows"][k][i].get<std::uint32_t>(), given["changes"][k][i].get<double>()});
    rows.add(row, given["truth"][k].get<bool>());
  }
  return rows;
}

}  // namespace

nlohmann::json run_mln_gibbs(const Job& job) {
  const logic::Network rules = logic::read_network(read_file(job.references), job.references);
  const logic::GroundNetwork network = logic::ground(rules);
  const logic::Simplified simple = logic::simplify(network);
  const logic::GibbsOptions options = sampling_of(simple.graph.variables(), job.threads);
  logic::GibbsResult found;
  nlohmann::json answer = measured(
      time_each(job.repetitions, [&](std::size_t) { found = logic::sample(simple.graph, options); }));
  const auto sweeps = static_cast<double>(found.chains * (options.burn_in + found.sweeps));
  answer["values"] = {{"marginals", atom_probabilities(network, simple, found.marginals, 0.5)},
                      {"mcse", atom_probabilities(network, simple, found.mcse, 0)},
                      {"updates", {{"corpus", sweeps * static_cast<double>(simple.graph.variables())}}},
                      {"ess_min", {{"corpus", found.ess_min}}}};
  for (logic::AtomId atom = 0; atom < network.atoms(); ++atom) answer["lines"].push_back(network.name(atom));
  answer["kernel"] = logic::gibbs_kernel();
  return answer;
}

nlohmann::json run_mln_gradient(const Job& job) {
  const nlohmann::json given = nlohmann::json::parse(read_file(job.references));
  const logic::PseudoRows rows = rows_of(given);
  const auto weights = given["weights"].get<std::vector<double>>();
  std::vector<std::uint32_t> active(weights.size());
  for (std::uint32_t k = 0; k < active.size(); ++k) active[k] = k;
  ThreadPool pool(job.threads);
  const logic::PseudoLikelihood likelihood(rows, active, false, pool);
  std::vector<double> gradient(weights.size());
  double value = 0;
  nlohmann::json answer = measured(
      time_each(job.repetitions, [&](std::size_t) { value = likelihood.evaluate(weights, gradient); }));
  answer["values"] = {{"likelihood", {{"corpus", value}, {"items", gradient}}}};
  return answer;
}

}  // namespace capella::bench
