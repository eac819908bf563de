// capella mln report
#include "report/mln_report.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/file.h"
#include "cli/mln.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/mln_pictures.h"

namespace capella::cli {
namespace {

struct ReportCommand {
  CommonOptions common;
  std::string results, scores, concepts, ranks, ground, nli, captions, pictures;
  std::string published;
  std::string explain, system, against;
  std::string against_captions;
  InferenceOptions inference = {.most_nodes = kMostNodesPerImage};
  double margin = InferRun().margin;
  bool task = false;
  std::size_t task_claims = 6;
  std::size_t resamples = 1000;
};

// The jobs, as messages call them.
constexpr std::string_view kResults = "RESULTS";
constexpr std::string_view kScores = "--scores";
constexpr std::string_view kConcepts = "--concepts";
constexpr std::string_view kPublished = "--published";
constexpr std::string_view kExplain = "--explain";
constexpr std::string_view kRanks = "--ranks";
constexpr std::string_view kTask = "--task";

const std::vector<OptionUse>& mln_report_option_uses() {
  static const std::vector<OptionUse> uses = {
      {"--scores", {kScores}},
      {"--concepts", {kConcepts}},
      {"--system", {kExplain}},
      {"--captions", {kExplain}},
      {"--against", {kExplain}},
      {"--against-captions", {kExplain}},
      {"--nli", {kExplain}},
      {"--margin", {kExplain}},
      {"--method", {kExplain, kRanks}},
      {"--max-nodes", {kExplain, kRanks}},
      {"--ground", {kExplain, kRanks, kTask}},
      {"--claims", {kTask}},
      {"--resamples", {kConcepts, kRanks}},
      {"--pictures", {kResults, kScores, kConcepts, kPublished, kRanks}}};
  return uses;
}

InferenceOptions inference_of(const ReportCommand& command) {
  InferenceOptions made = command.inference;
  made.seed = command.common.seed;
  made.threads = command.common.threads;
  return made;
}

std::string_view job_of(const ReportCommand& command) {
  const int own =
      !command.published.empty() + !command.explain.empty() + !command.ranks.empty() + command.task;
  const bool results = !command.results.empty();
  if (own > 1 || (own == 0 && !results) || (own == 1 && results && command.explain.empty()))
    throw UsageError("expected one of RESULTS, --published, --explain, --ranks and --task");
  if (!command.published.empty()) return kPublished;
  if (!command.explain.empty()) return kExplain;
  if (!command.ranks.empty()) return kRanks;
  if (command.task) return kTask;
  if (!command.scores.empty() && !command.concepts.empty())
    throw UsageError("--scores and --concepts are two reports; ask for one at a time");
  return !command.scores.empty() ? kScores : !command.concepts.empty() ? kConcepts : kResults;
}

void write_picture(const ReportCommand& command, const std::string& name, const std::string& picture) {
  if (command.pictures.empty()) return;
  write_into_folder(command.pictures, std::vector<NamedContent>{{name, picture}});
}

std::string report_published(const ReportCommand& command, report::Format format) {
  const RankedSystems ranking = published_ranking(command.published == "test");
  write_picture(
      command, "published.svg",
      report::draw_ranking(ranking, fmt::format("Published systems, {} images", command.published)));
  return report::format_ranking(ranking, format);
}

// `captions`: the system's file; may be empty. RESULTS has the captions to rank it among.
MlnExplanation explain_one(const ReportCommand& command, const InferRun& run,
                           const std::optional<Verification>& results, const std::string& system,
                           const std::string& captions) {
  MlnExplanation made = explain_mln(run, system, command.explain, captions);
  if (results && !place_among(made, *results, command.results))
    warn(command.common,
         fmt::format("{}: {}'s caption of image {} has another probability there: give the options that it "
                     "was made with (--margin, --method, --max-nodes, --seed)",
                     command.results, system, command.explain));
  return made;
}

std::string report_explanation(const ReportCommand& command, report::Format format) {
  if (command.ground.empty() || command.nli.empty() || command.system.empty())
    throw UsageError("--explain needs --ground, --nli and --system");
  if (format != report::Format::table && format != report::Format::markdown && format != report::Format::json)
    throw UsageError(fmt::format("found --format {}, expected table, md or json for an explanation",
                                 command.common.format));
  InferRun run;
  run.ground = command.ground;
  run.nli = command.nli;
  run.margin = command.margin;
  run.inference = inference_of(command);
  std::optional<Verification> results;
  if (!command.results.empty()) results = read_verification(command.results);
  const MlnExplanation first = explain_one(command, run, results, command.system, command.captions);
  if (command.against.empty()) return report::format_mln_explanation(first, format);
  const MlnExplanation second = explain_one(command, run, results, command.against, command.against_captions);
  return report::format_mln_contrast(first, second, format);
}

std::string report_results(const ReportCommand& command, report::Format format) {
  const Verification verification = read_verification(command.results);
  write_picture(command, "systems.svg", report::draw_systems(verification));
  std::string text = report::format_verification(verification, format);
  if (!command.scores.empty()) {
    const RankedSystems ranking = rank_beside_scores(verification, command.scores);
    write_picture(command, "ranks.svg", report::draw_ranking(ranking, "Other metrics and Markov logic"));
    text = report::format_ranking(ranking, format);
  }
  if (!command.concepts.empty()) {
    const ConceptUncertainty concepts =
        concept_uncertainty(verification, command.concepts, command.resamples, command.common.seed);
    write_picture(command, "concepts.svg", report::draw_concepts(concepts));
    text = report::format_concepts(concepts, format);
  }
  return text;
}

std::string report_ranks(const ReportCommand& command, report::Format format) {
  if (command.ground.empty()) throw UsageError("--ranks needs --ground");
  const HumanRanking ranking =
      human_ranking(command.ground, command.ranks, inference_of(command), command.resamples);
  write_picture(command, "people.svg", report::draw_human_ranking(ranking));
  return report::format_human_ranking(ranking, format);
}

std::string report_task(const ReportCommand& command) {
  if (command.ground.empty()) throw UsageError("--task needs --ground");
  expect_no_format(command.common, "claims to rank are lines of JSON");
  return export_ranking_task(command.ground, command.task_claims, command.common.seed);
}

void run(const ReportCommand& command, std::string_view job) {
  const report::Format format = result_format(command.common);
  check_outputs(std::vector{command.common.output},
                std::vector{command.results, command.scores, command.concepts, command.ranks, command.ground,
                            command.nli, command.captions, command.against_captions});
  if (!command.pictures.empty()) check_folder("--pictures", command.pictures);
  if (job == kTask) return emit(command.common, report_task(command));
  emit(command.common, format,
       job == kPublished ? report_published(command, format)
       : job == kExplain ? report_explanation(command, format)
       : job == kRanks   ? report_ranks(command, format)
                         : report_results(command, format));
}

constexpr const char* kMlnReportFooter = R"(Examples:
  capella mln report results.json --pictures figures
  capella mln report results.json --scores scores.json    # next to metrics
  capella mln report results.json --concepts concepts.jsonl
  capella mln report --explain 17 --system a --ground ground.jsonl \
      --nli nli.jsonl --captions a.json
  capella mln report --explain 17 --system a --against b \
      --ground ground.jsonl --nli nli.jsonl
  capella mln report --task --ground ground.jsonl -o task.jsonl
  capella mln report --ranks ranks.jsonl --ground ground.jsonl
  capella mln report --published test --pictures figures)";

void add_explain_options(Command& app, ReportCommand& command) {
  app.add_option("--explain", command.explain,
                 "Id of the image whose caption to explain; with RESULTS, also its rank");
  app.add_option("--system", command.system, "System whose caption to explain");
  app.add_option("--captions", command.captions, "Captions of the system, to show the text");
  Option* against = app.add_option("--against", command.against, "Another system, to explain the difference");
  app.add_option("--against-captions", command.against_captions, "Captions of the other system")
      ->needs(against);
  app.add_option("--margin", command.margin,
                 "Margin by which an entailment must lead, as in `capella mln infer`")
      ->check(share)
      ->show_default();
  app.add_option("--method", command.inference.method, "Method of inference, as in `capella mln infer`")
      ->one_of({"auto", "exact", "ptp", "gibbs"})
      ->show_default();
  app.add_option("--max-nodes", command.inference.most_nodes,
                 "Maximum number of nodes of ptp's search, as in `capella mln infer`")
      ->check(not_negative)
      ->show_default();
  app.add_option("--nli", command.nli, "Entailments, from `capella mln nli`");
}

void add_people_options(Command& app, ReportCommand& command) {
  app.add_option("--ranks", command.ranks, "Human rankings of claims");
  app.add_flag("--task", command.task, "Export claims for people to rank");
  app.add_option("--claims", command.task_claims, "Number of claims per image, for --task")
      ->check(not_negative)
      ->show_default();
  app.add_option("--ground", command.ground, "Networks of the images, from `capella mln ground`");
}

}  // namespace

void add_mln_report(Command& mln) {
  const auto command = std::make_shared<ReportCommand>();
  Command* app = mln.add_subcommand("report", "Report results, explain captions, compare with people");
  app->add_option("RESULTS", command->results, "Verdicts, from `capella mln infer --results`");
  app->add_option("--scores", command->scores,
                  "Rank systems next to the scores in this file (capella score --format json)");
  app->add_option("--concepts", command->concepts, "Labels of the images, for uncertainty by concept");
  app->add_option("--published", command->published, "Show the paper's table")
      ->one_of({"validation", "test"});
  add_explain_options(*app, *command);
  add_people_options(*app, *command);
  app->add_option("--pictures", command->pictures, "Folder for figures (SVG)");
  add_resamples(*app, command->resamples, "Number of bootstrap resamples of images");
  add_common(*app, command->common);
  app->footer(kMlnReportFooter);
  app->callback([command, app] {
    const std::string_view job = job_of(*command);
    refuse_options_of_others(*app, job, mln_report_option_uses());
    run(*command, job);
  });
}

}  // namespace capella::cli
