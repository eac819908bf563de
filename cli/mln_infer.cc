// capella mln infer
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/logic.h"

#include "base/file.h"
#include "cli/mln.h"
#include "cli/mln_captions.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/logic_pictures.h"
#include "report/logic_report.h"

namespace capella::cli {
namespace {

struct InferCommand {
  CommonOptions common;
  CaptionsCommand captions;
  LogicRun run;
  std::string authors_rules;
  std::string authors_parameters;
  std::string tree;
  std::string picture;
  std::string worlds;
  std::string counting;
  std::size_t tree_depth = 6;
  std::size_t top = 20;
  bool nodes_given = false;  // else image networks have a bound of their own
};

bool asks_for_authors(const InferCommand& command) {
  return !command.authors_rules.empty() || !command.authors_parameters.empty();
}

constexpr std::string_view kOwnNetwork = "NET";
constexpr std::string_view kCaptions = "--ground and --nli";
constexpr std::string_view kAuthors = "--authors-rules and --authors-parameters";

// The three jobs share the options of inference; the others are for some of them.
const std::vector<OptionUse>& option_uses() {
  static const std::vector<OptionUse> uses = {{"NET", {kOwnNetwork}},
                                              {"--db", {kOwnNetwork}},
                                              {"--query", {kOwnNetwork}},
                                              {"--mpe", {kOwnNetwork}},
                                              {"--tree", {kOwnNetwork}},
                                              {"--tree-depth", {kOwnNetwork}},
                                              {"--picture", {kOwnNetwork}},
                                              {"--worlds", {kOwnNetwork}},
                                              {"--export-wmc", {kOwnNetwork}},
                                              {"--ground", {kCaptions}},
                                              {"--nli", {kCaptions}},
                                              {"--results", {kCaptions}},
                                              {"--margin", {kCaptions}},
                                              {"--unseen", {kCaptions}},
                                              {"--resamples", {kCaptions}},
                                              {"--authors-rules", {kAuthors}},
                                              {"--authors-parameters", {kAuthors}},
                                              {"--top", {kOwnNetwork, kAuthors}}};
  return uses;
}

std::string_view job_of(const InferCommand& command) {
  if (asks_for_captions(command.captions)) return kCaptions;
  return asks_for_authors(command) ? kAuthors : kOwnNetwork;
}

void run_published(const InferCommand& command, report::Format format) {
  if (command.authors_rules.empty() || command.authors_parameters.empty())
    throw UsageError("--authors-rules and --authors-parameters go together; name both files");
  check_outputs(std::vector{command.common.output},
                std::vector{command.authors_rules, command.authors_parameters});
  const PublishedNetworks networks =
      infer_published(command.authors_rules, command.authors_parameters, command.run.inference);
  if (command.run.inference.sum_exp)
    notice(command.common,
           "sum-exp is what the authors' program computes; it is not a probability of the network, and for "
           "comparison only");
  if (networks.unknown_rules > 0)
    warn(command.common, fmt::format("{} rules have weights but are not in {}", networks.unknown_rules,
                                     command.authors_rules));
  notice(command.common,
         fmt::format("{} networks solved in {:.3f} s", networks.images.size(), networks.seconds));
  emit(command.common, format, report::format_published(networks, format, command.top));
}

void check_ending(std::string_view option, const std::string& file,
                  std::initializer_list<std::string_view> endings, std::string_view expected) {
  if (file.empty()) return;
  for (const std::string_view ending : endings) {
    if (file.ends_with(ending)) return;
  }
  throw UsageError(fmt::format("{} {}: expected a file's name that ends with {}", option, file, expected));
}

void check_files(const InferCommand& command) {
  if (command.run.network.empty())
    throw UsageError(
        "no network: name NET.mln, or --ground and --nli, or --authors-rules and --authors-parameters");
  check_ending("--tree", command.tree, {".svg", ".dot", ".json"}, ".svg, .dot or .json");
  check_ending("--picture", command.picture, {".svg"}, ".svg");
  check_ending("--worlds", command.worlds, {".svg"}, ".svg");
  std::vector<std::string> inputs = {command.run.network};
  if (!command.run.evidence.empty()) inputs.push_back(command.run.evidence);
  check_outputs(
      std::vector{command.common.output, command.tree, command.picture, command.worlds, command.counting},
      inputs);
}

std::string tree_text(const std::string& file, const std::vector<CountingNode>& tree) {
  if (file.ends_with(".dot")) return report::counting_tree_dot(tree);
  return file.ends_with(".json") ? report::counting_tree_json(tree) : report::draw_counting_tree(tree);
}

void write_pictures(const InferCommand& command, const LogicAnswer& answer) {
  if (!command.tree.empty()) write_file_atomically(command.tree, tree_text(command.tree, answer.tree));
  if (!command.worlds.empty()) {
    const std::string title = fmt::format("Worlds of {}", command.run.network);
    write_file_atomically(command.worlds, report::draw_worlds(answer.worlds, title));
  }
  if (command.picture.empty()) return;
  std::vector<double> marginals;
  for (const auto& [atom, p] : answer.marginals) marginals.push_back(p);
  const std::string title = command.run.query.empty() ? command.run.network
                                                      : fmt::format("{}: P({}) = {:.4f}", command.run.network,
                                                                    command.run.query, answer.query_p);
  write_file_atomically(command.picture, report::draw_ground_network(answer.grounded, marginals, title));
}

// What needs no solving is there even if that fails; the picture gets its probabilities later.
void write_unsolved(const InferCommand& command, const LogicAnswer& answer) {
  if (!command.counting.empty()) write_file_atomically(command.counting, answer.counting);
  if (!command.picture.empty())
    write_file_atomically(command.picture,
                          report::draw_ground_network(answer.grounded, {}, command.run.network));
}

void run_network(InferCommand& command, report::Format format) {
  check_files(command);
  command.run.tree_depth = command.tree.empty() ? 0 : command.tree_depth;
  command.run.worlds = !command.worlds.empty();
  command.run.grounded = !command.picture.empty();
  command.run.counting = !command.counting.empty();
  command.run.before_solving = [&](const LogicAnswer& unsolved) { write_unsolved(command, unsolved); };
  const LogicAnswer answer = infer_logic(command.run);
  notice(command.common, fmt::format("method {}: {}", answer.method, answer.why));
  for (const std::string& note : answer.notes) warn(command.common, note);
  write_pictures(command, answer);
  const bool lists_atoms =
      format != report::Format::table && format != report::Format::markdown && format != report::Format::json;
  if (lists_atoms && (!command.run.query.empty() || command.run.most_probable))
    warn(command.common,
         fmt::format("--format {} lists the atoms alone; the query and the most probable world are in table, "
                     "md and json",
                     command.common.format));
  emit(command.common, format, report::format_logic_answer(answer, format, command.top));
}

void run(InferCommand& command) {
  const report::Format format = result_format(command.common);
  command.run.inference.seed = command.common.seed;
  command.run.inference.threads = command.common.threads;
  command.run.inference.progress = progress_bar(command.common);
  if (asks_for_captions(command.captions)) {
    if (!command.nodes_given) command.run.inference.most_nodes = kMostNodesPerImage;
    run_captions(command.captions, command.common, command.run.inference);
  } else if (asks_for_authors(command)) {
    run_published(command, format);
  } else {
    run_network(command, format);
  }
}

constexpr const char* kMlnInferFooter =
    R"(NET lists types, predicates and weighted formulas; a .db file lists evidence: On(Man,Bike), !On(Man,Bike), or
0.83 On(Man,Bike) if it is uncertain. Prints the probability of every atom and of the query, and log Z.

auto uses elimination (exact) if its tables are small enough, otherwise weighted counting (ptp) within its bounds,
otherwise Gibbs sampling, and reports which. A method that is named and cannot do it is an error. --sum-exp samples with
the conditional of the published text, which is not that of a Markov logic network, for comparison.

Examples:
  capella mln infer rules.mln --db known.db
  capella mln infer rules.mln --query 'Ride(Man,Bike) ^ !On(Woman,Bike)'
  capella mln infer rules.mln --method gibbs --seed 7 --chains 32
  capella mln infer rules.mln --mpe --picture network.svg --tree tree.svg
  capella mln infer --authors-rules allrules.txt \
      --authors-parameters rule_parameters.txt --format json
  capella mln infer --ground ground.jsonl --nli nli.jsonl \
      --results results.json)";

void add_input_options(Command& app, InferCommand& command) {
  app.add_option("NET", command.run.network, "Network, .mln");
  app.add_option("--db", command.run.evidence, "Evidence, .db");
  app.add_option("--query", command.run.query,
                 "Formula without variables whose probability to compute, e.g. \"Ride(Man,Bike)\"");
  app.add_option("--authors-rules", command.authors_rules,
                 "The authors' published rules, one per line, to use instead of NET");
  app.add_option("--authors-parameters", command.authors_parameters,
                 "The authors' published weights of each image, JSON");
}

void add_output_options(Command& app, InferCommand& command) {
  app.add_flag("--mpe", command.run.most_probable, "Also compute the most probable world");
  app.add_option("--top", command.top,
                 "Number of atoms in the table, the most and the least probable; 0: all. JSON and CSV always "
                 "have all")
      ->check(not_negative)
      ->show_default();
  app.add_option("--picture", command.picture, "Draw the ground network into this SVG file");
  app.add_option("--worlds", command.worlds,
                 "Plot the probabilities of worlds into this SVG file; for at most 16 open atoms");
  Option* tree = app.add_option("--tree", command.tree,
                                "Write the tree of weighted counting to this file: .svg, .dot or .json");
  app.add_option("--tree-depth", command.tree_depth, "Depth of the tree to show")
      ->between(1, 64)
      ->needs(tree)
      ->show_default();
  app.add_option("--export-wmc", command.counting,
                 "Write the network to this file as a weighted model counting problem (DIMACS)");
}

void add_exact_options(Command& app, InferenceOptions& inference) {
  app.add_option("--method", inference.method, "Method of inference")
      ->one_of({"auto", "exact", "ptp", "gibbs"})
      ->show_default();
  app.add_option("--max-entries", inference.most_entries,
                 "auto: maximum number of table entries for elimination")
      ->check(above_zero)
      ->show_default();
  app.add_option("--max-nodes", inference.most_nodes, "ptp: maximum number of nodes of the search")
      ->check(not_negative)
      ->show_default();
  app.add_option("--cache-mb", inference.cache_megabytes, "ptp: memory for the cache in megabytes")
      ->between(1, 1 << 20)
      ->show_default();
}

void add_sampling_options(Command& app, InferenceOptions& inference) {
  app.add_option("--chains", inference.chains, "gibbs: number of chains, rounded up to a multiple of 16")
      ->between(1, 1 << 16)
      ->show_default();
  app.add_option("--burn-in", inference.burn_in, "gibbs: number of sweeps to discard first")
      ->check(not_negative)
      ->show_default();
  app.add_option("--sweeps", inference.most_sweeps, "gibbs: maximum number of sweeps after burn-in")
      ->between(1, std::int64_t{1} << 40)
      ->show_default();
  app.add_flag("--random-scan", inference.random_scan, "gibbs: visit atoms in random order");
  app.add_flag("--blocks", inference.blocks, "gibbs: sample small sets of atoms jointly");
  app.add_option("--temperatures", inference.temperatures,
                 "gibbs: number of temperatures for parallel tempering")
      ->between(1, 64)
      ->show_default();
  app.add_flag("--start-from-evidence", inference.start_from_evidence,
               "gibbs: draw initial states from soft evidence instead of uniformly");
  app.add_flag("--sum-exp", inference.sum_exp,
               "gibbs: use the published text's conditional, which adds exponentials of weights");
}

// Options that would do nothing are refused.
void check_sampling_options(const Command& app, const std::string& method) {
  if (method != "exact" && method != "ptp") return;
  for (const char* option : {"--chains", "--burn-in", "--sweeps", "--random-scan", "--blocks",
                             "--temperatures", "--start-from-evidence", "--sum-exp"}) {
    if (app.count(option) > 0)
      throw UsageError(
          fmt::format("{} is for sampling and is not compatible with --method {}; leave one "
                      "out, or choose --method gibbs",
                      option, method));
  }
}

}  // namespace

void add_mln_infer(Command& mln) {
  const auto command = std::make_shared<InferCommand>();
  Command* app = mln.add_subcommand("infer", "Compute probabilities of atoms, queries and captions");
  add_input_options(*app, *command);
  add_exact_options(*app, command->run.inference);
  add_sampling_options(*app, command->run.inference);
  add_output_options(*app, *command);
  add_captions_options(*app, command->captions);
  add_common(*app, command->common);
  app->footer(kMlnInferFooter);
  app->callback([command, app] {
    command->nodes_given = app->count("--max-nodes") > 0;
    if (app->count("--sweeps") + app->count("--burn-in") > 0)
      command->run.inference.most_work = std::numeric_limits<double>::infinity();
    refuse_options_of_others(*app, job_of(*command), option_uses());
    check_sampling_options(*app, command->run.inference.method);
    run(*command);
  });
}

}  // namespace capella::cli
