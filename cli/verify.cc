// capella verify
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

std::string as_json(const std::vector<VerifiedValue>& values) {
  report::Json all = report::Json::array();
  for (const VerifiedValue& value : values) {
    all.push_back({{"system", value.system},
                   {"score", value.score},
                   {"expected", report::json_number(value.expected)},
                   {"found", report::json_number(value.found)},
                   {"exact", value.exact}});
  }
  return report::dump(all, 2) + '\n';
}

std::string as_table(const std::vector<VerifiedValue>& values, report::Format format) {
  report::Table table{{"system", "score", "reference program", "this build", ""}, {}, 2};
  for (const VerifiedValue& value : values) {
    table.rows.push_back({{value.system},
                          {value.score},
                          {fmt::format("{}", value.expected)},
                          {fmt::format("{}", value.found)},
                          {value.exact ? "ok" : "DIFFERS"}});
  }
  return report::format_table(table, format);
}

void run(const CommonOptions& common) {
  const report::Format format = result_format(common);
  const std::vector<VerifiedValue> values = verify(common.threads);
  emit(common, format, format == report::Format::json ? as_json(values) : as_table(values, format));
  const auto wrong =
      std::count_if(values.begin(), values.end(), [](const VerifiedValue& value) { return !value.exact; });
  if (wrong > 0) {
    throw DataError(fmt::format("{} of {} values differ from the reference programs: do not trust this build",
                                wrong, values.size()));
  }
  note_unavailable_metrics(common);
  notice(common,
         "SPICE is not checked: Capella uses its own parser, which reads some captions differently; "
         "docs/metrics/spice.md says how close the two are");
  notice(common, fmt::format("all {} values equal those of the reference programs: this build is exact",
                             values.size()));
}

}  // namespace

void add_verify(Command& program) {
  const auto common = std::make_shared<CommonOptions>();
  Command* app =
      program.add_subcommand("verify", "Check this build against values of the reference programs");
  add_common(*app, *common);
  app->footer("Examples:\n  capella verify\n  capella verify --format json");
  app->callback([common] { run(*common); });
}

}  // namespace capella::cli
