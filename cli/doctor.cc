// capella doctor
#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/json_value.h"
#include "report/table.h"

namespace capella::cli {
namespace {

std::string as_json(const std::vector<Finding>& findings) {
  report::Json all = report::Json::array();
  for (const Finding& finding : findings)
    all.push_back({{"what", finding.what}, {"found", finding.found}, {"ok", finding.ok}});
  return report::dump(all, 2) + '\n';
}

std::string as_table(const std::vector<Finding>& findings, report::Format format) {
  report::Table table{{"", "what", "found"}, {}, 3};
  for (const Finding& finding : findings)
    table.rows.push_back({{finding.ok ? "ok" : "!!"}, {finding.what}, {finding.found}});
  return report::format_table(table, format);
}

void run(const CommonOptions& common) {
  const report::Format format = result_format(common);
  const std::vector<Finding> findings = examine_installation();
  emit(common, format, format == report::Format::json ? as_json(findings) : as_table(findings, format));
  const auto bad =
      std::count_if(findings.begin(), findings.end(), [](const Finding& finding) { return !finding.ok; });
  if (bad > 0) throw DataError(fmt::format("{} problem{} found, marked !! above", bad, bad == 1 ? "" : "s"));
}

}  // namespace

void add_doctor(Command& program) {
  const auto common = std::make_shared<CommonOptions>();
  Command* app = program.add_subcommand("doctor", "Check this installation and say what is missing");
  add_common(*app, *common);
  app->footer(R"(Examples:
  capella doctor
  CAPELLA_CPU=avx2 capella doctor    # use an older processor's kernels)");
  app->callback([common] { run(*common); });
}

}  // namespace capella::cli
