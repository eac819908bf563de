// The inside of Solver.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "logic/exact/counting.h"
#include "logic/exact/elimination.h"
#include "logic/solver.h"

namespace capella::logic {

struct Solver::Parts {
  Parts(const GroundNetwork& given, const SolverOptions& chosen) : network(given), options(chosen) {}

  void choose();
  const std::vector<double>& find_marginals();
  QueryAnswer ask(const Query& query);
  void run_sampler();
  MostProbable find_most_probable();
  CountingTrace find_trace(std::size_t depth);

  const GroundNetwork& network;
  SolverOptions options;
  Simplifier simplifier;
  Simplified simplified;
  Elimination elimination;
  CountingCircuit circuit;
  CountingStatistics counted;
  Method method = Method::exact;
  std::string why;
  double log_z = 0;
  std::vector<double> marginals;
  std::optional<GibbsResult> sampled;
  std::unique_ptr<Parts> exactly;  // the same network by other methods, once sampling did not see a query

 private:
  bool try_elimination(double most_entries);
  double counting_entries() const;
  bool worth_counting();
  bool try_counting();
  CountingLimits counting_limits() const;
  void sample_instead();
  void check_weights() const;
  std::string place_of(const FormulaSource& formula) const;  // for messages
  void check_possible();
  [[noreturn]] void refuse_contradiction(std::size_t culprit) const;
  bool possible_without(std::size_t first_ignored);
  std::size_t find_culprit();
  std::vector<double> by_atom(const std::vector<double>& by_variable, double decided) const;

  GibbsResult draw(const FactorGraph& graph, const std::vector<std::vector<Literal>>& query) const;
  QueryAnswer ask_conjunction(std::vector<Literal> literals);
  QueryAnswer ask_clauses(const Query& query);
  std::optional<double> asserted_log_z(const Query& query);
  QueryAnswer ask_sampler(const FactorGraph& graph, const std::vector<std::vector<Literal>>& clauses,
                          double log_rest, const Query& query);
  QueryAnswer ask_marginal(Literal literal, double log_rest, const Query& query);
  QueryAnswer answer_of(const GibbsResult& result, double p, double mcse, double log_rest,
                        const Query& query);
  QueryAnswer ask_sampler_clauses(const Query& query);
  std::optional<QueryAnswer> ask_exactly(const Query& query);
};

}  // namespace capella::logic
