// How a Solver answers queries: conjunctions by holding literals in what was compiled, others by simplifying
// the network again with the query's clauses as hard ones, or by sampling.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "capella/error.h"

#include "logic/solver_parts.h"

namespace capella::logic {
namespace {

QueryAnswer exact_answer(double log_p, Method method) {
  return {.p = std::exp(log_p), .log_p = log_p, .log_p_upper = log_p, .method = method};
}

// Whether a literal is decided: 1 true, 0 false, -1 not.
int decided(Literal literal, const Simplified& simplified) {
  const std::uint32_t place = simplified.places[literal.atom()].variable;
  if (place != AtomPlace::kTrue && place != AtomPlace::kFalse) return -1;
  return (place == AtomPlace::kTrue) == literal.positive() ? 1 : 0;
}

// What can still be said of an event that so many independent draws never showed, with 95 % confidence.
double log_upper_bound(const GibbsResult& result) {
  double draws = result.query_ess;
  if (!(draws > 0) || !std::isfinite(draws)) draws = result.ess_min;
  if (!(draws > 0) || !std::isfinite(draws))
    draws = static_cast<double>(std::max<std::size_t>(result.chains, 1));
  return std::log(-std::expm1(std::log(0.05) / draws));
}

}  // namespace

QueryAnswer Solver::Parts::ask(const Query& query) {
  if (!query.conjunction()) return method == Method::gibbs ? ask_sampler_clauses(query) : ask_clauses(query);
  std::vector<Literal> literals;
  for (const auto& clause : query.clauses) literals.push_back(clause[0]);
  return ask_conjunction(std::move(literals));
}

QueryAnswer Solver::Parts::ask_conjunction(std::vector<Literal> literals) {
  std::ranges::sort(literals);
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  double log_rest = 0;
  std::vector<Literal> fixed;
  for (std::size_t k = 0; k < literals.size(); ++k) {
    const Literal literal = literals[k];
    const int known = decided(literal, simplified);
    const bool opposite = k > 0 && literals[k - 1].atom() == literal.atom();
    if (known == 0 || opposite) return exact_answer(kNever, method == Method::gibbs ? Method::exact : method);
    if (known == 1) continue;
    const AtomPlace place = simplified.places[literal.atom()];
    if (place.is_variable()) {
      fixed.emplace_back(place.variable, literal.positive());
    } else {
      log_rest -= std::numbers::ln2;
    }
  }
  if (fixed.empty()) return exact_answer(log_rest, method == Method::gibbs ? Method::exact : method);
  if (method == Method::exact) return exact_answer(elimination.log_probability(fixed) + log_rest, method);
  if (method == Method::ptp) return exact_answer(circuit.log_probability(fixed) + log_rest, method);
  std::vector<std::vector<Literal>> clauses;
  for (const Literal literal : fixed) clauses.push_back({literal});
  Query query;
  for (const Literal literal : literals) query.clauses.push_back({literal});
  if (fixed.size() == 1) return ask_marginal(fixed[0], log_rest, query);
  return ask_sampler(simplified.graph, clauses, log_rest, query);
}

QueryAnswer Solver::Parts::ask_clauses(const Query& query) {
  const std::optional<double> with = asserted_log_z(query);
  if (!with) {
    throw DataError(
        fmt::format("{}: the query joins so many atoms that it cannot be counted exactly; use --method gibbs",
                    network.source_name()));
  }
  return exact_answer(*with == kNever ? kNever : std::min(*with - log_z, 0.0), method);
}

// log Z of the network with the query as hard formulas; nothing if that is too large.
std::optional<double> Solver::Parts::asserted_log_z(const Query& query) {
  Simplified asserted;
  simplifier.run(network, query.clauses, asserted);
  if (asserted.graph.impossible) return kNever;
  const double most = options.method == Method::exact ? options.hard_most_entries : options.most_entries;
  if (method != Method::ptp) {
    Elimination elimination_with;
    elimination_with.tell(&options.gibbs.progress);
    if (elimination_with.compile(asserted.graph, most)) return elimination_with.log_z();
  }
  if (options.method == Method::automatic && counting_is_hopeless(asserted.graph, counting_entries()))
    return std::nullopt;
  CountingCircuit circuit_with;
  CountingStatistics statistics;
  if (count(asserted.graph, counting_limits(), circuit_with, statistics)) return circuit_with.log_z();
  return std::nullopt;
}

// As clauses over the graph's variables. Atoms of which nothing is said become variables of a larger graph.
QueryAnswer Solver::Parts::ask_sampler_clauses(const Query& query) {
  FactorGraph graph = simplified.graph;
  std::vector<std::uint32_t> variables;
  for (const AtomPlace place : simplified.places) variables.push_back(place.variable);
  std::vector<std::vector<Literal>> clauses;
  for (const auto& clause : query.clauses) {
    std::vector<Literal> open;
    bool holds = false;
    for (const Literal literal : clause) {
      const int known = decided(literal, simplified);
      holds = holds || known == 1 || std::ranges::find(clause, !literal) != clause.end();
      if (known != -1) continue;
      std::uint32_t& variable = variables[literal.atom()];
      if (variable == AtomPlace::kFree) {
        variable = static_cast<std::uint32_t>(graph.variables());
        graph.log_odds.push_back(0);
      }
      open.emplace_back(variable, literal.positive());
    }
    if (holds) continue;
    if (open.empty()) return exact_answer(kNever, Method::exact);
    clauses.push_back(std::move(open));
  }
  if (clauses.empty()) return exact_answer(0, Method::exact);
  return ask_sampler(graph, clauses, 0, query);
}

QueryAnswer Solver::Parts::ask_sampler(const FactorGraph& graph,
                                       const std::vector<std::vector<Literal>>& clauses, double log_rest,
                                       const Query& query) {
  const GibbsResult result = draw(graph, clauses);
  return answer_of(result, result.query_p, result.query_mcse, log_rest, query);
}

// The mean of the conditional probabilities, as in the list of marginals: `literal` is of a variable.
QueryAnswer Solver::Parts::ask_marginal(Literal literal, double log_rest, const Query& query) {
  run_sampler();
  std::size_t atom = 0;
  while (simplified.places[atom].variable != literal.atom()) ++atom;
  GibbsResult result;
  result.query_rhat = sampled->rhat[atom];
  result.query_ess = sampled->ess[atom];
  result.converged = sampled->converged;
  result.sweeps = sampled->sweeps;
  result.chains = sampled->chains;
  const double p = sampled->marginals[atom];
  return answer_of(result, literal.positive() ? p : 1 - p, sampled->mcse[atom], log_rest, query);
}

QueryAnswer Solver::Parts::answer_of(const GibbsResult& result, double p, double mcse, double log_rest,
                                     const Query& query) {
  QueryAnswer answer;
  answer.method = Method::gibbs;
  answer.converged = result.converged;
  answer.rhat = result.query_rhat;
  answer.ess = result.query_ess;
  answer.sweeps = result.sweeps;
  if (p > 0) {
    answer.p = p * std::exp(log_rest);
    answer.mcse = mcse * std::exp(log_rest);
    answer.log_p = answer.log_p_upper = std::log(p) + log_rest;
    return answer;
  }
  answer.unseen = true;
  if (auto exact = ask_exactly(query)) {
    exact->unseen = true;
    return *exact;
  }
  answer.log_p = answer.log_p_upper = log_upper_bound(result) + log_rest;
  return answer;
}

// Where sampling was asked for and never saw the query. (Where it was chosen, exact methods have failed.)
// The published text's conditional is not the network's, so the network's answer is none to it.
std::optional<QueryAnswer> Solver::Parts::ask_exactly(const Query& query) {
  if (options.method != Method::gibbs || options.gibbs.sum_exp) return std::nullopt;
  if (!exactly) {
    exactly = std::make_unique<Parts>(network, options);
    exactly->options.method = Method::automatic;
    exactly->choose();
  }
  if (exactly->method == Method::gibbs) return std::nullopt;
  if (query.conjunction()) return exactly->ask(query);
  const std::optional<double> with = exactly->asserted_log_z(query);
  if (!with) return std::nullopt;
  return exact_answer(*with == kNever ? kNever : std::min(*with - exactly->log_z, 0.0), exactly->method);
}

}  // namespace capella::logic
