// Weights from worlds: .db files of whole worlds, or triplets of images.
#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"
#include "capella/logic.h"

#include "base/file.h"
#include "base/names.h"
#include "io/triplets.h"
#include "logic/ground/ground.h"
#include "logic/language/language.h"
#include "logic/learn/learn_weights.h"
#include "method/mln/rules/training_worlds.h"
#include "pipeline/logic_run.h"
#include "pipeline/value_by_name.h"

namespace capella {
namespace pipeline {
namespace {

// Numbers that make no sense, and those that another optimiser would not look at.
void check_numbers(const WeightLearning& options, logic::Optimiser optimiser) {
  using logic::Optimiser;
  if (!(options.prior_sd > 0))
    throw UsageError(
        fmt::format("found the prior's standard deviation {}, expected a number above 0 (inf: no prior)",
                    options.prior_sd));
  if (!(options.l1 >= 0) || std::isinf(options.l1))
    throw UsageError(fmt::format("found the L1 penalty {}, expected a number from 0 up", options.l1));
  if (options.l1 > 0 && optimiser != Optimiser::lbfgs)
    throw UsageError("the L1 penalty goes with the optimiser lbfgs only");
  if (!(options.step >= 0) || std::isinf(options.step))
    throw UsageError(fmt::format("found the step {}, expected a number from 0 up", options.step));
  if (options.step > 0 && optimiser != Optimiser::gradient_ascent)
    throw UsageError("a step goes with the optimiser gradient only");
}

logic::WeightOptions weight_options(const WeightLearning& options) {
  using logic::Objective;
  using logic::Optimiser;
  constexpr NamedValues<Objective, 2> kObjectives = {
      {{"pseudo", Objective::pseudo_likelihood}, {"exact", Objective::likelihood}}};
  constexpr NamedValues<Optimiser, 3> kOptimisers = {
      {{"lbfgs", Optimiser::lbfgs}, {"gradient", Optimiser::gradient_ascent}, {"newton", Optimiser::newton}}};
  logic::WeightOptions out;
  out.objective = value_by_name("objective", options.objective, kObjectives);
  out.optimiser = value_by_name("optimiser", options.optimiser, kOptimisers);
  check_numbers(options, out.optimiser);
  out.prior_sd = options.prior_sd;
  out.l1 = options.l1;
  out.step = options.step;
  out.most_iterations = options.iterations;
  out.per_predicate = options.per_predicate;
  out.threads = options.threads;
  out.progress = options.progress;
  return out;
}

// Worlds of .db files. Constants that only some files have exist in these alone.
class DatabaseWorlds {
 public:
  DatabaseWorlds(logic::Network& network, const std::vector<std::string>& files, const LogicTexts& texts)
      : network_(network) {
    const std::size_t own = network.constants.size();
    for (const std::string& file : files)
      databases_.push_back(logic::read_database(logic_text(file, texts), file, network));
    network = logic::expand_per_constant(std::move(network));
    const logic::Grounder grounder(network);
    for (const logic::Database& database : databases_) add(grounder, database, own);
  }

  std::span<const logic::TrainingWorld> worlds() const { return worlds_; }

  /// What the user should know of the files.
  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    std::string added = unlisted_note(network_, databases_);
    if (!added.empty()) notes.push_back(std::move(added));
    if (outside_ > 0)
      notes.push_back(fmt::format("{} fact{} outside what //@domain allows and not used, the first in {}",
                                  outside_, outside_ == 1 ? " is" : "s are", first_outside_));
    return notes;
  }

 private:
  void add(const logic::Grounder& grounder, const logic::Database& database, std::size_t own_constants) {
    logic::GroundOptions options;
    if (databases_.size() > 1) options.constants = constants_of(database, own_constants);
    const logic::GroundNetwork& ground = networks_.emplace_back(grounder.ground(nullptr, options));
    worlds_.push_back({database.source, &ground, truth_of(database, ground)});
  }

  // Those of the network's own file, and those that the world names.
  std::vector<logic::ConstantId> constants_of(const logic::Database& database, std::size_t own) const {
    std::vector<bool> here(network_.constants.size(), false);
    for (std::size_t constant = 0; constant < own; ++constant) here[constant] = true;
    for (const logic::Fact& fact : database.facts) {
      for (const logic::ConstantId constant : fact.arguments) here[constant] = true;
    }
    std::vector<logic::ConstantId> constants;
    for (logic::ConstantId constant = 0; constant < here.size(); ++constant) {
      if (here[constant]) constants.push_back(constant);
    }
    return constants;
  }

  // A fact that can be no atom is counted and not used.
  void note_if_outside(const logic::Database& database, const logic::Fact& fact) {
    const std::vector<std::vector<logic::ConstantId>>& domains = network_.predicates[fact.predicate].domains;
    const auto outside = [&](std::size_t place) {
      return !domains[place].empty() &&
             std::ranges::find(domains[place], fact.arguments[place]) == domains[place].end();
    };
    for (std::size_t place = 0; place < fact.arguments.size(); ++place) {
      if (!outside(place)) continue;
      if (outside_++ == 0) first_outside_ = fmt::format("{}:{}", database.source, fact.line);
      return;
    }
  }

  // What is not listed is false. Facts of atoms that no formula mentions may have no number: they say nothing
  // of weights.
  std::vector<bool> truth_of(const logic::Database& database, const logic::GroundNetwork& ground) {
    std::unordered_map<std::string_view, logic::AtomId> atoms;
    for (logic::AtomId atom = 0; atom < ground.atoms(); ++atom) atoms.emplace(ground.name(atom), atom);
    std::vector<bool> truth(ground.atoms(), false);
    for (const logic::Fact& fact : database.facts) {
      if (fact.probability != 0 && fact.probability != 1)
        throw DataError(
            fmt::format("{}:{}: found the probability {}, expected a world in which every atom is "
                        "true or false; soft evidence is for inference",
                        database.source, fact.line, fact.probability));
      const auto found = atoms.find(logic::atom_name(network_, fact.predicate, fact.arguments));
      if (found != atoms.end()) {
        truth[found->second] = fact.probability == 1;
      } else if (fact.probability == 1) {
        note_if_outside(database, fact);
      }
    }
    return truth;
  }

  logic::Network& network_;
  std::vector<logic::Database> databases_;
  std::deque<logic::GroundNetwork> networks_;
  std::vector<logic::TrainingWorld> worlds_;
  std::size_t outside_ = 0;  // facts
  std::string first_outside_;
};

bool is_triplets(const std::string& file) {
  return file.ends_with(".jsonl") || file.ends_with(".jsonl.gz");
}

// The rows of the splits that were asked for, of all files.
std::vector<io::TripletRow> triplet_rows(const WeightLearning& options) {
  const std::vector<std::string_view> wanted = split_list(options.split, ',');
  std::vector<io::TripletRow> rows;
  std::set<std::string> found;
  for (const std::string& file : options.worlds) {
    for (io::TripletRow& row : io::read_triplets(file)) {
      found.insert(row.split);
      if (wanted.empty() || std::ranges::find(wanted, row.split) != wanted.end())
        rows.push_back(std::move(row));
    }
  }
  if (rows.empty())
    throw DataError(fmt::format("{}: no row of split {} to learn from, found {}", options.worlds[0],
                                options.split,
                                found.empty() ? "no row at all" : fmt::format("{}", fmt::join(found, ", "))));
  return rows;
}

struct Learned {
  logic::LearnedWeights weights;
  std::size_t worlds = 0;
  std::vector<std::string> notes = {};
};

Learned learn_from_triplets(logic::Network& network, const WeightLearning& options,
                            const logic::WeightOptions& weight_options) {
  network = logic::expand_per_constant(std::move(network));
  const std::vector<io::TripletRow> rows = triplet_rows(options);
  const method::mln::WorldOptions world_options{options.merged, options.per_predicate, options.threads,
                                                options.progress};
  if (weight_options.objective == logic::Objective::likelihood) {
    const method::mln::GroundWorlds made = method::mln::training_worlds(network, rows, world_options);
    return {logic::learn_weights(made.worlds, weight_options), made.worlds.size()};
  }
  const logic::PseudoRows made = method::mln::training_rows(network, rows, world_options);
  return {logic::learn_weights(made, method::mln::formula_weights(network), weight_options), made.worlds()};
}

Learned learn(logic::Network& network, const WeightLearning& options) {
  const logic::WeightOptions weight_options = pipeline::weight_options(options);
  const auto triplets = std::ranges::count_if(options.worlds, is_triplets);
  if (triplets == std::ssize(options.worlds)) return learn_from_triplets(network, options, weight_options);
  if (triplets > 0)
    throw UsageError(
        "worlds are .db files or .jsonl files of triplets, not both at once; learn from one kind");
  if (options.merged) throw UsageError("only images of triplets (.jsonl) can be merged into one world");
  if (options.split != WeightLearning().split)
    throw UsageError(fmt::format(
        "found the split '{}', but only rows of triplets (.jsonl) have splits; leave it out for .db files",
        excerpt(options.split)));
  const DatabaseWorlds worlds(network, options.worlds, options.texts);
  return {logic::learn_weights(worlds.worlds(), weight_options), worlds.worlds().size(), worlds.notes()};
}

void put_weights(const logic::LearnedWeights& learned, logic::Network& network) {
  for (std::size_t k = 0; k < network.formulas.size(); ++k) {
    if (network.formulas[k].weight != logic::kHard) network.formulas[k].weight = learned.weights[k];
  }
}

WeightsLearned describe(const logic::LearnedWeights& learned, const logic::Network& network,
                        const WeightLearning& options) {
  WeightsLearned out;
  for (std::size_t k = 0; k < network.formulas.size(); ++k) {
    const bool hard = network.formulas[k].weight == logic::kHard;
    out.formulas.push_back({logic::format_formula(network.formulas[k], network), learned.weights[k],
                            learned.standard_errors[k], hard, !hard && learned.idle[k]});
  }
  out.errors_from = learned.errors_from;
  out.measure = options.objective == "exact" ? "log likelihood" : "log pseudo-likelihood";
  out.atoms = learned.atoms;
  out.rows = learned.rows;
  out.nonzeros = learned.nonzeros;
  out.iterations = learned.iterations;
  out.log_likelihood = learned.log_likelihood;
  out.objective = learned.objective;
  out.converged = learned.converged;
  return out;
}

void add_notes(WeightsLearned& out) {
  std::size_t idle = 0;
  for (const LearnedFormula& formula : out.formulas) idle += formula.idle ? 1 : 0;
  if (idle > 0)
    out.notes.push_back(
        fmt::format("the worlds say nothing about {} of {} formulas: their weight is 0, the prior's mean",
                    idle, out.formulas.size()));
  if (!out.converged)
    out.notes.push_back(fmt::format("learning has not converged after {} iterations", out.iterations));
}

}  // namespace
}  // namespace pipeline

WeightsLearned learn_logic_weights(const WeightLearning& options) {
  if (options.worlds.empty()) throw UsageError("no world to learn from, expected .db or .jsonl files");
  logic::Network network =
      logic::read_network(pipeline::logic_text(options.network, options.texts), options.network);
  if (network.formulas.empty())
    throw DataError(
        fmt::format("{}: the network has no formula, so there is no weight to learn", options.network));
  const pipeline::Learned learned = pipeline::learn(network, options);
  pipeline::put_weights(learned.weights, network);
  WeightsLearned out = pipeline::describe(learned.weights, network, options);
  out.worlds = learned.worlds;
  out.notes = learned.notes;
  pipeline::add_notes(out);
  out.network = logic::write_network(network);
  if (!options.output.empty()) write_file_atomically(options.output, out.network);
  return out;
}

}  // namespace capella
