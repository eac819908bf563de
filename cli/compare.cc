// capella compare
#include "capella/compare.h"

#include "capella/error.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/comparison_report.h"

namespace capella::cli {
namespace {

struct CompareCommand {
  CommonOptions common;
  InputOptions input;
  MetricOptions metrics;
  CompareOptions options;
  std::size_t resamples = 0;  // 0: not given
};

void run(CompareCommand& command) {
  std::vector<std::string> inputs = command.input.systems;
  inputs.push_back(command.input.references);
  check_outputs(std::vector{command.common.output}, inputs);
  const report::Format format = result_format(command.common);
  command.options.seed = command.common.seed;
  if (command.resamples > 0) command.options.resamples = command.resamples;
  check_options(command.options);
  const ScoreOptions score = score_options(command.metrics, command.common);
  const Comparison comparison = compare(read_input(command.input, command.common), score, command.options);
  for (const std::string& warning : comparison.result.warnings) warn(command.common, warning);
  emit(command.common, format, report::format_comparison(comparison, format));
}

constexpr const char* kCompareExamples = R"(Examples:
  capella compare refs.json ours.json theirs.json
  capella compare refs.json a.json b.json c.json --baseline a -m cider-d,spice
  capella compare refs.json a.json b.json --test randomization --format json)";

}  // namespace

void add_compare(Command& program) {
  const auto command = std::make_shared<CompareCommand>();
  Command* app = program.add_subcommand("compare", "Test which of several systems is significantly better");
  add_input(*app, command->input);
  add_images(*app, command->input);
  app->get_option("HYPS")->description("Captions of two or more systems, each FILE or NAME=FILE");
  add_metric_options(*app, command->metrics);
  app->add_option("--test", command->options.test,
                  "Significance test: bootstrap (paired), or randomization (captions are swapped between the "
                  "two systems at random)")
      ->show_default();
  app->add_option("--baseline", command->options.baseline,
                  "Compare all other systems with this one only, instead of all pairs");
  app->add_option("--resamples", command->resamples,
                  "Number of resamples or random assignments; default: 10000, more for many tests")
      ->check(resample_count);
  add_common(*app, command->common);
  app->footer(kCompareExamples);
  app->callback([command] { run(*command); });
}

}  // namespace capella::cli
