// capella explain
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/names.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/explanation_report.h"

namespace capella::cli {
namespace {

struct ExplainCommand {
  CommonOptions common;
  InputOptions input;
  MetricOptions metrics;
  std::string id;
};

constexpr std::array<std::string_view, 2> kPictured = {"capella-s", "meteor"};  // what --format svg can draw

// The metrics that have a figure; a notice names the others that were asked for.
std::vector<std::string> pictured_metrics(const std::vector<std::string>& asked,
                                          const ExplainCommand& command) {
  std::vector<std::string> with, without;
  for (const std::string& name : asked) {
    const bool pictured = std::find(kPictured.begin(), kPictured.end(), name) != kPictured.end();
    (pictured ? with : without).push_back(name);
  }
  if (with.empty()) {
    throw UsageError(fmt::format("explain: no figure of {}; --format svg draws {}", fmt::join(without, ", "),
                                 fmt::join(kPictured, ", ")));
  }
  if (!without.empty() && !command.metrics.metrics.empty()) {
    notice(command.common, fmt::format("no figure of {}", fmt::join(without, ", ")));
  }
  return with;
}

std::vector<Explanation> explain_item(const ExplainCommand& command, const ScoreOptions& options) {
  Explanations found = explain(read_input(command.input, command.common), command.id, options);
  for (const std::string& warning : found.warnings) warn(command.common, warning);
  return std::move(found.by_metric);
}

// What can be drawn; warnings say why the rest has no figure (a text was cut, or has no word).
std::vector<Explanation> with_pictures(std::vector<Explanation> found, const ExplainCommand& command) {
  std::vector<std::string> reasons;
  std::erase_if(found, [&](const Explanation& one) {
    if (!one.alignments.empty()) return false;
    reasons.push_back(fmt::format("no figure of {}: {}", one.metric,
                                  one.summary.empty() ? "nothing is aligned" : one.summary.back()));
    return true;
  });
  if (found.empty())
    throw DataError(
        fmt::format("id {}: {}; --format table shows the rest", command.id, fmt::join(reasons, "; ")));
  for (const std::string& reason : reasons) warn(command.common, reason);
  return found;
}

void draw(const ExplainCommand& command) {
  ScoreOptions options = score_options(command.metrics, command.common);
  options.metrics = pictured_metrics(options.metrics, command);
  emit(command.common, report::draw_explanations(with_pictures(explain_item(command, options), command)));
}

void run(const ExplainCommand& command) {
  constexpr std::string_view kFormats[] = {"table", "json", "svg"};
  const std::string& name = command.common.format;
  if (name == "svg") return draw(command);
  if (std::ranges::find(kFormats, name) == std::end(kFormats)) {
    throw UsageError(unknown_name_message("format of explain", name, kFormats));
  }
  const report::Format format = result_format(command.common);
  const ScoreOptions options = score_options(command.metrics, command.common);
  emit(command.common, format, report::format_explanations(explain_item(command, options), format));
}

constexpr const char* kExplainExamples =
    R"(Takes the captions of one system; run it once per system to compare explanations.

Examples:
  capella explain refs.json mine.json --id 391895
  capella explain refs.json mine.json --id 391895 -m cider-d --format json
  capella explain refs.json mine.json --id 391895 -m meteor --format svg \
      -o alignment.svg)";

}  // namespace

void add_explain(Command& program) {
  const auto command = std::make_shared<ExplainCommand>();
  Command* app =
      program.add_subcommand("explain", "Show why a caption got its scores: what matched and its weight");
  add_input(*app, command->input);
  add_images(*app, command->input);
  app->get_option("HYPS")->description("Captions of one system, FILE or NAME=FILE")->single();
  app->add_option("--id", command->id, "Id of the item to explain")->required();
  add_metric_options(*app, command->metrics);
  add_common(*app, command->common);
  app->get_option("--format")
      ->description(fmt::format("Output format: table, json, or svg for a figure ({} only)",
                                fmt::join(kPictured, ", ")));
  app->footer(kExplainExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
