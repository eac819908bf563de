#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"
#include "capella/logic.h"

#include "base/file.h"
#include "base/names.h"
#include "pipeline/logic_run.h"

namespace capella {
namespace pipeline {
namespace {

logic::Method method_by_name(std::string_view name) {
  using logic::Method;
  constexpr std::array kMethods = {Method::automatic, Method::exact, Method::ptp, Method::gibbs};
  std::vector<std::string_view> names;
  for (const Method method : kMethods) {
    names.push_back(logic::method_name(method));
    if (names.back() == name) return method;
  }
  throw UsageError(unknown_name_message("method", name, names));
}

}  // namespace

std::string logic_text(const std::string& name, const LogicTexts& texts) {
  const auto found = texts.find(name);
  return found == texts.end() ? read_file(name) : found->second;
}

GroundedRun read_logic(const LogicRun& run) {
  if (run.network.empty()) throw UsageError("no network is named, expected an .mln file");
  GroundedRun read{logic::read_network(logic_text(run.network, run.texts), run.network), {}, {}, {}};
  if (read.network.predicates.empty() && read.network.formulas.empty())
    throw DataError(fmt::format(
        "{}: the file has neither a predicate nor a formula, so there is nothing to ask; expected "
        "a network such as On(thing,thing) and 1.5 On(x,y)",
        run.network));
  if (!run.evidence.empty())
    read.evidence = logic::read_database(logic_text(run.evidence, run.texts), run.evidence, read.network);
  logic::GroundOptions options;
  options.progress = run.inference.progress;
  read.ground = logic::ground(read.network, read.evidence ? &*read.evidence : nullptr, options);
  if (!run.query.empty()) read.query = logic::read_query(run.query, read.network, read.ground);
  return read;
}

std::string unlisted_note(const logic::Network& network, std::span<const logic::Database> databases) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> names;
  for (const logic::Database& database : databases) {
    for (const logic::ConstantId constant : database.unlisted)
      names.push_back(logic::format_constant(network.constants[constant].name));
  }
  if (names.empty()) return "";
  const std::size_t count = names.size();
  if (count > kShown) names.resize(kShown);
  return fmt::format("added {} constant{} that {} does not list: {}{}", count, count == 1 ? "" : "s",
                     network.source, fmt::join(names, ", "), count > kShown ? ", ..." : "");
}

logic::SolverOptions solver_options(const InferenceOptions& options) {
  logic::SolverOptions solver;
  solver.method = method_by_name(options.method);
  const bool exact = solver.method == logic::Method::exact || solver.method == logic::Method::ptp;
  if (options.sum_exp && exact)
    throw UsageError(
        fmt::format("method {} does not go with the published text's conditional, which is "
                    "sampled; take gibbs or auto",
                    options.method));
  if (options.sum_exp) solver.method = logic::Method::gibbs;
  solver.most_entries = options.most_entries;
  solver.most_nodes = options.most_nodes;
  solver.cache_bytes = options.cache_megabytes << 20;
  solver.gibbs.chains = options.chains;
  solver.gibbs.seed = options.seed;
  solver.gibbs.burn_in = options.burn_in;
  solver.gibbs.most_sweeps = options.most_sweeps;
  if (options.most_sweeps == InferenceOptions().most_sweeps) solver.gibbs.most_work = options.most_work;
  solver.gibbs.random_scan = options.random_scan;
  solver.gibbs.blocks = options.blocks;
  solver.gibbs.temperatures = options.temperatures;
  solver.gibbs.start_from_evidence = options.start_from_evidence;
  solver.gibbs.sum_exp = options.sum_exp;
  solver.gibbs.threads = options.threads;
  solver.gibbs.progress = options.progress;
  return solver;
}

namespace {

void take_marginals(logic::Solver& solver, const logic::GroundNetwork& ground, LogicAnswer& answer) {
  const std::vector<double>& marginals = solver.marginals();
  answer.marginals.reserve(marginals.size());
  for (logic::AtomId atom = 0; atom < ground.atoms(); ++atom)
    answer.marginals.emplace_back(ground.name(atom), marginals[atom]);
}

void take_query(logic::Solver& solver, const logic::Query& query, LogicAnswer& answer) {
  const logic::QueryAnswer found = solver.ask(query);
  answer.has_query = true;
  answer.query_p = found.p;
  answer.query_log_p = found.log_p;
  answer.query_mcse = found.mcse;
  const bool sampled = found.method == logic::Method::gibbs;
  answer.query_unseen = found.unseen && sampled;
  answer.query_method = logic::method_name(found.method);
  answer.query_converged = found.converged;
  answer.query_rhat = found.rhat;
  answer.query_ess = found.ess;
  if (found.unseen && !sampled)
    answer.notes.push_back("the query was never sampled; computed exactly instead");
  if (!found.converged && answer.converged)
    answer.notes.push_back(fmt::format(
        "the query's chains have not converged after {} sweeps (R-hat {:.3f}, effective sample size {:.0f})",
        found.sweeps, found.rhat, found.ess));
}

void take_sampling(logic::Solver& solver, LogicAnswer& answer) {
  const logic::GibbsResult* sampled = solver.sampling();
  if (sampled == nullptr) return;
  answer.mcse = sampled->mcse;
  answer.rhat_max = sampled->rhat_max;
  answer.ess_min = sampled->ess_min;
  answer.sweeps = sampled->sweeps;
  answer.chains = sampled->chains;
  answer.converged = sampled->converged;
  answer.swap_rate = sampled->swap_rate;
  if (sampled->converged) return;
  answer.notes.push_back(fmt::format(
      "the chains have not converged after {} sweeps (R-hat {:.3f}, effective sample size {:.0f}); {}",
      answer.sweeps, answer.rhat_max, answer.ess_min,
      sampled->cut_short
          ? "by default so large a network has no more: give a number of sweeps of your own, or "
            "simplify it"
          : "more sweeps, blocks or temperatures may help"));
}

void take_most_probable(logic::Solver& solver, const logic::GroundNetwork& ground, LogicAnswer& answer) {
  const logic::MostProbable best = solver.most_probable();
  answer.most_probable_log_p = best.log_p;
  for (logic::AtomId atom = 0; atom < ground.atoms(); ++atom) {
    if (best.world[atom]) answer.true_atoms.push_back(ground.name(atom));
  }
}

void add_notes(const LogicRun& run, LogicAnswer& answer) {
  if (run.inference.sum_exp)
    answer.notes.push_back(
        "the published text's conditional, which adds exponentials of weights, is not that of the network: "
        "these numbers are for comparison only");
  if (run.inference.temperatures > 1 && answer.chains > 0)
    answer.notes.push_back(fmt::format(
        "states of neighbouring temperatures were swapped in {:.0f} % of tries or more{}",
        100 * answer.swap_rate, answer.swap_rate < .1 ? "; more temperatures would swap more often" : ""));
  if (answer.query_unseen)
    answer.notes.push_back(
        "the sampler never saw the query: its log probability is an upper bound (95 %); an exact method "
        "would tell it");
  if (answer.unmentioned_atoms > 0)
    answer.notes.push_back(
        fmt::format("{:.0f} atoms that no formula and no evidence mentions are not listed; "
                    "each is true with probability 1/2",
                    answer.unmentioned_atoms));
}

}  // namespace
}  // namespace pipeline

LogicAnswer infer_logic(const LogicRun& run) {
  const logic::SolverOptions options = pipeline::solver_options(run.inference);
  const pipeline::GroundedRun read = pipeline::read_logic(run);
  LogicAnswer answer;
  if (run.grounded) answer.grounded = pipeline::ground_logic(read);
  if (run.counting) answer.counting = pipeline::export_counting(read, run);
  if (run.before_solving) run.before_solving(answer);
  logic::Solver solver(read.ground, options);
  answer.method = logic::method_name(solver.method());
  answer.why = solver.why();
  answer.atoms = read.ground.atoms();
  answer.groundings = read.ground.size();
  answer.unmentioned_atoms = read.ground.unmentioned_atoms;
  answer.log_z = solver.log_z();
  pipeline::take_marginals(solver, read.ground, answer);
  pipeline::take_sampling(solver, answer);
  if (read.query) pipeline::take_query(solver, *read.query, answer);
  if (run.most_probable) pipeline::take_most_probable(solver, read.ground, answer);
  if (run.tree_depth > 0) answer.tree = pipeline::counting_tree(solver.trace(run.tree_depth), read.ground);
  if (run.worlds) answer.worlds = pipeline::list_worlds(read);
  pipeline::add_notes(run, answer);
  if (read.evidence) {
    const std::string added = pipeline::unlisted_note(read.network, std::span(&*read.evidence, 1));
    if (!added.empty()) answer.notes.push_back(added);
  }
  return answer;
}

}  // namespace capella
