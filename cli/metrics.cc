// capella metrics
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/json_value.h"
#include "report/table.h"

namespace capella::cli {
namespace {

// A metric whose model is not there has no scores that could be known.
ScoreColumn first_score(const MetricDescription& metric) {
  return metric.scores.empty() ? ScoreColumn{"", 1.0, 1.0, ""} : metric.scores[0];
}

std::vector<std::string> score_names(const MetricDescription& metric) {
  std::vector<std::string> names;
  for (const ScoreColumn& score : metric.scores) names.push_back(score.name);
  return names;
}

std::string as_json(const std::vector<MetricDescription>& metrics) {
  report::Json all = report::Json::array();
  for (const MetricDescription& metric : metrics) {
    report::Json settings = report::Json::array();
    for (const auto& setting : metric.settings) {
      settings.push_back({{"key", setting.key},
                          {"default", setting.default_value},
                          {"help", setting.help},
                          {"required", setting.required}});
    }
    all.push_back({{"metric", metric.name},
                   {"summary", metric.summary},
                   {"scores", score_names(metric)},
                   {"worst", report::json_number(first_score(metric).low)},
                   {"best", report::json_number(first_score(metric).high)},
                   {"settings", settings},
                   {"data", metric.data}});
  }
  return report::dump(all, 2) + '\n';
}

std::string as_table(const std::vector<MetricDescription>& metrics, report::Format format) {
  report::Table table{{"metric", "what it is", "scores", "range", "data"}, {}, 5};
  std::string settings;
  for (const MetricDescription& metric : metrics) {
    table.rows.push_back(
        {{metric.name},
         {metric.summary},
         {fmt::format("{}", fmt::join(score_names(metric), ", "))},
         {fmt::format("{:.4g} to {:.4g}", first_score(metric).low, first_score(metric).high)},
         {metric.data}});
    for (const auto& setting : metric.settings) {
      settings += fmt::format("  --set {}.{}={}  {}\n", metric.name, setting.key,
                              setting.required ? "... (must be given)" : setting.default_value, setting.help);
    }
  }
  const std::string text = report::format_table(table, format);
  if (format != report::Format::table) return text;
  return text + "\nFetch what the column data names once with: capella data get NAME\n" +
         "\nSettings and their defaults:\n" + settings;
}

}  // namespace

void add_metrics(Command& program) {
  const auto common = std::make_shared<CommonOptions>();
  Command* app = program.add_subcommand("metrics", "List the metrics with their scores, settings and data");
  add_common(*app, *common);
  app->footer("Example:\n  capella metrics --format md");
  app->callback([common] {
    const report::Format format = result_format(*common);
    const auto metrics = list_metrics();
    emit(*common, format, format == report::Format::json ? as_json(metrics) : as_table(metrics, format));
  });
}

}  // namespace capella::cli
