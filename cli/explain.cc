// capella explain
#include "capella/error.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"

namespace capella::cli {
namespace {

struct ExplainCommand {
  CommonOptions common;
  InputOptions input;
  MetricOptions metrics;
  std::string id;
};

void run(const ExplainCommand& command) {
  const report::Format format = report::format_by_name(command.common.format);
  if (format != report::Format::table && format != report::Format::json) {
    throw UsageError("explain: --format is table or json");
  }
  const ScoreOptions options = score_options(command.metrics, command.common);
  const auto explanations = explain(read_input(command.input, command.common), command.id, options);
  emit(command.common, report::format_explanations(explanations, format));
}

constexpr const char* kExamples = R"(Examples:
  capella explain refs.json mine.json --id 391895
  capella explain refs.json mine.json --id 391895 -m cider-d --format json)";

}  // namespace

void add_explain(CLI::App& program) {
  const auto command = std::make_shared<ExplainCommand>();
  CLI::App* app = program.add_subcommand(
      "explain", "Show why one caption got its scores: what matched and what it weighed");
  add_input(*app, command->input);
  app->add_option("--id", command->id, "The item to explain")->required();
  add_metric_options(*app, command->metrics);
  add_common(*app, command->common);
  app->footer(kExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
