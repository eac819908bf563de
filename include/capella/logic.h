// Markov logic on its own: probabilities in a network of weighted formulas, and weights from worlds. See
// docs/mln.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capella/progress.h"

namespace capella {

/// How probabilities are computed.
struct InferenceOptions {
  std::string method = "auto";  ///< auto, exact (elimination), ptp (weighted counting), gibbs
  std::uint64_t seed = 12345;
  std::size_t threads = 0;
  // Bounds of exact methods.
  double most_entries = 16'777'216;    ///< of elimination's tables, for `auto`
  std::size_t most_nodes = 5'000'000;  ///< of ptp's search
  std::size_t cache_megabytes = 256;   ///< of ptp
  // Sampling.
  std::size_t chains = 16;
  std::size_t burn_in = 500;
  std::size_t most_sweeps = 20'000;
  /// Draws of atoms and looks at their factors, in all chains, so that large networks end in seconds. Only
  /// while most_sweeps is what stands here: another number of sweeps is kept.
  double most_work = 2e10;
  bool random_scan = false;
  bool blocks = false;
  std::size_t temperatures = 1;
  bool start_from_evidence = false;  ///< first states are drawn by soft evidence instead of fair coins
  /// Samples with the conditional of the published text, which adds exponentials of weights instead of
  /// weights. It is not the network's: for comparison only.
  bool sum_exp = false;
  Progress progress = {};
};

/// Files that are at hand as text, by the names that stand for them: these are not opened.
using LogicTexts = std::map<std::string, std::string>;

struct LogicAnswer;

struct LogicRun {
  std::string network;         ///< an .mln file
  std::string evidence;        ///< a .db file; empty: none
  std::string query;           ///< a formula without variables; empty: none
  bool most_probable = false;  ///< the most probable world, too
  std::size_t tree_depth = 0;  ///< > 0: the search tree of ptp, so deep
  bool worlds = false;         ///< all worlds, too, see list_worlds()
  bool grounded = false;       ///< the ground formulas, too, see ground_logic()
  bool counting = false;       ///< the counting problem, too, see export_counting()
  /// Called before the network is solved, which may fail, with what then stands: `grounded`, `counting`.
  std::function<void(const LogicAnswer& answer)> before_solving = {};
  InferenceOptions inference = {};
  LogicTexts texts = {};  ///< of network and evidence
};

/// A node of ptp's search: a case distinction on an atom ("choice"), what follows from it and independent
/// parts
/// ("product"), or a few atoms all of whose worlds are added up ("leaf").
struct CountingNode {
  std::string kind;
  std::string label;    ///< the atom that is branched on; what a product decides; the atoms of a leaf
  std::string branch;   ///< how its parent led here: "true" or "false" below a choice
  double log_z = 0;     ///< of the part below
  bool cached = false;  ///< is shown elsewhere with its children: it was not counted again
  bool cut = false;     ///< there is more below
  std::vector<std::size_t> children;  ///< places in the list of nodes
};

/// A world of a network.
struct LogicWorld {
  std::vector<std::string> true_atoms;
  double p = 0;
};

/// Atoms and ground formulas, for pictures and other programs.
struct GroundedLogic {
  std::vector<std::string> atoms;
  struct Factor {
    std::vector<std::size_t> atoms;
    std::vector<bool> positive;
    bool conjunction = true;  ///< else a clause
    double weight = 0;        ///< infinite: hard
    std::size_t formula = 0;
  };
  std::vector<Factor> factors;
  std::vector<std::string> formulas;
  std::vector<double> evidence;          ///< an atom's given probability, 0 or 1 if known; not a number: none
  std::vector<std::size_t> query_atoms;  ///< those that the query names, ascending
};

struct LogicAnswer {
  std::string method;  ///< that was used
  std::string why;     ///< for people
  std::size_t atoms = 0;
  std::size_t groundings = 0;
  double unmentioned_atoms = 0;  ///< too many to list, and nothing is said of them: each is true with 1/2
  double log_z = std::numeric_limits<double>::quiet_NaN();  ///< not a number by sampling
  std::vector<std::pair<std::string, double>> marginals;
  bool has_query = false;
  double query_p = 0;
  double query_log_p = 0;
  double query_mcse = 0;
  bool query_unseen = false;    ///< a sampler never saw it: query_log_p is an upper bound (95 %)
  std::string query_method;     ///< "exact" also where a sampler never saw the query and it could be computed
  bool query_converged = true;  ///< of the query's own sampling, as the next two
  double query_rhat = 1;
  double query_ess = 0;
  std::vector<double> mcse;  ///< of the marginals; empty if exact
  double rhat_max = 0;       ///< by sampling
  double ess_min = 0;
  std::size_t sweeps = 0;
  std::size_t chains = 0;
  bool converged = true;
  double swap_rate = 1;                 ///< the least between two temperatures
  std::vector<std::string> true_atoms;  ///< of the most probable world, if it was asked for
  double most_probable_log_p = std::numeric_limits<double>::quiet_NaN();  ///< not a number: not asked for
  std::vector<CountingNode> tree;  ///< the first is the root; empty if not asked for
  std::vector<LogicWorld> worlds;  ///< if asked for, as the next two
  GroundedLogic grounded;
  std::string counting;
  std::vector<std::string> notes;  ///< what the user should know
};
/// Throws DataError that names the file for what is no network, for contradicting hard formulas, and where
/// the method that was asked for cannot do it; UsageError for an unknown method.
LogicAnswer infer_logic(const LogicRun& run);

/// The network as a weighted counting problem for other programs (DIMACS, weights in comments), with its
/// query asserted if there is one: the weighted count is Z, or Z times the query's probability.
std::string export_counting(const LogicRun& run);

/// All possible worlds, the most probable first. Throws DataError where more than 16 atoms are open.
std::vector<LogicWorld> list_worlds(const LogicRun& run);

/// The ground formulas.
GroundedLogic ground_logic(const LogicRun& run);

/// The authors' published networks: rules and each image's weights.
struct PublishedNetworks {
  struct Image {
    std::string id;
    std::string method;  ///< empty: the network is empty
    double log_z = 0;
    std::vector<std::pair<std::string, double>> marginals;  ///< "man:ride:bike"
    std::vector<double> mcse;                               ///< of the marginals, by sampling; else empty
    std::vector<double> sum_exp;  ///< what the authors' own formula gives, all captions neutral; if asked for
  };
  std::vector<Image> images;  ///< non-empty ones
  std::size_t networks = 0;
  std::size_t rules = 0;          ///< lines of the rules' file that are different
  std::size_t unknown_rules = 0;  ///< with weights but not in the rules' file
  std::vector<std::pair<std::string, std::size_t>> methods;
  std::size_t most_atoms = 0;
  double mean_difference = 0, most_difference = 0;  ///< of sum_exp from the marginals
  double seconds = 0;                               ///< of inference alone
};
/// Every image's first weights are its network's; rules of weight 0 take no part. With `sum_exp`, the
/// authors' formula beside the probabilities.
PublishedNetworks infer_published(const std::string& rules, const std::string& parameters,
                                  const InferenceOptions& options);

struct WeightLearning {
  std::string network;  ///< .mln; formulas with weights start from them, hard ones stay hard
  /// .db files, a world each, what they do not list is false; or .jsonl files of triplets, a world per image.
  std::vector<std::string> worlds;
  std::string output;                ///< .mln; empty: none
  std::string objective = "pseudo";  ///< or "exact"
  std::string optimiser = "lbfgs";   ///< or "gradient", "newton"
  double prior_sd = 10;
  double l1 = 0;
  double step = 0;             ///< of gradient ascent; 0: one that never overshoots
  std::size_t iterations = 0;  ///< at most; 0: 1,000, of gradient ascent 10,000
  bool per_predicate = false;
  bool merged = false;          ///< all images of a triplets' file are one world
  std::string split = "train";  ///< of triplets
  std::size_t threads = 0;
  Progress progress = {};
  LogicTexts texts = {};  ///< of network and worlds
};

struct LearnedFormula {
  std::string formula;
  double weight = 0;
  double standard_error = 0;  ///< not a number: none
  bool hard = false;
  bool idle = false;  ///< the worlds say nothing about it
};

struct WeightsLearned {
  std::vector<LearnedFormula> formulas;
  std::string errors_from;
  std::size_t worlds = 0, atoms = 0, rows = 0, nonzeros = 0, iterations = 0;
  std::string measure;        ///< what was made as large as possible, e.g. "log pseudo-likelihood"
  double log_likelihood = 0;  ///< of that kind
  double objective = 0;       ///< with the prior
  bool converged = false;
  std::string network;  ///< with its weights, as text
  std::vector<std::string> notes;
};
/// Writes the network with its weights, too, if there is a file to write to. Throws DataError for worlds that
/// break hard formulas.
WeightsLearned learn_logic_weights(const WeightLearning& options);

}  // namespace capella
