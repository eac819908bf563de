// capella verify
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/json_value.h"
#include "report/table.h"

namespace capella::cli {
namespace {

std::size_t wrong_values(const VerifiedMetric& metric) {
  if (!metric.missing.empty()) return 0;
  return static_cast<std::size_t>(std::ranges::count(metric.values, false, &VerifiedValue::exact));
}

std::string verdict(const VerifiedMetric& metric) {
  if (!metric.missing.empty()) return "skipped";
  return wrong_values(metric) > 0 ? "DIFFERS" : "equal";
}

double largest_difference(const VerifiedMetric& metric) {
  double largest = 0;
  for (const VerifiedValue& value : metric.values) largest = std::max(largest, value.difference);
  return largest;
}

std::string as_json(const std::vector<VerifiedMetric>& metrics) {
  report::Json all = report::Json::array();
  for (const VerifiedMetric& metric : metrics) {
    report::Json row = {{"metric", metric.metric},
                        {"reference", metric.reference},
                        {"tolerance", metric.tolerance},
                        {"verdict", verdict(metric)}};
    if (!metric.missing.empty()) row["missing"] = metric.missing;
    row["values"] = report::Json::array();
    for (const VerifiedValue& value : metric.values) {
      report::Json one = {
          {"item", value.item}, {"score", value.score}, {"expected", report::json_number(value.expected)}};
      if (metric.missing.empty()) {
        one["found"] = report::json_number(value.found);
        one["difference"] = report::json_number(value.difference);
        one["exact"] = value.exact;
      }
      row["values"].push_back(std::move(one));
    }
    all.push_back(std::move(row));
  }
  return report::dump(all, 2) + '\n';
}

std::string size_of(double error) {
  return error == 0 ? "0" : fmt::format("{:.0e}", error);
}

std::string as_table(const std::vector<VerifiedMetric>& metrics, report::Format format) {
  report::Table table{{"metric", "reference", "values", "error", "tolerance", "verdict"}, {}, 2};
  for (const VerifiedMetric& metric : metrics) {
    const bool computed = metric.missing.empty();
    table.rows.push_back({{metric.metric},
                          {computed ? metric.reference : "capella data get " + metric.missing},
                          {fmt::to_string(metric.values.size())},
                          {computed ? size_of(largest_difference(metric)) : "-"},
                          {size_of(metric.tolerance)},
                          {verdict(metric)}});
  }
  return report::format_table(table, format);
}

struct Totals {
  std::size_t computed = 0, wrong = 0, skipped = 0;
};

Totals totals_of(const std::vector<VerifiedMetric>& metrics) {
  Totals totals;
  for (const VerifiedMetric& metric : metrics) {
    (metric.missing.empty() ? totals.computed : totals.skipped) += metric.values.size();
    totals.wrong += wrong_values(metric);
  }
  return totals;
}

void run(const CommonOptions& common) {
  const report::Format format = result_format(common);
  const std::vector<VerifiedMetric> metrics = verify(common.threads);
  const Totals totals = totals_of(metrics);
  if (format == report::Format::json) {
    emit(common, format, as_json(metrics));
  } else {
    std::string text = as_table(metrics, format);
    if (report::for_people(format)) {
      text += fmt::format("\n{} values: {} equal, {} differ, {} skipped\n", totals.computed + totals.skipped,
                          totals.computed - totals.wrong, totals.wrong, totals.skipped);
    }
    emit(common, format, std::move(text));
  }
  if (totals.wrong > 0) {
    throw DataError(fmt::format("{} of {} values differ from the reference's: do not use this build's scores",
                                totals.wrong, totals.computed));
  }
}

constexpr const char* kVerifyFooter =
    R"(The error is the largest difference of a metric's values, relative for values above 1. SPICE and HWCM
are given the official SPICE parser's trees. Metrics whose data is missing are skipped; the table
names the command that gets it.

Examples:
  capella verify
  capella verify --format json)";

}  // namespace

void add_verify(Command& program) {
  const auto common = std::make_shared<CommonOptions>();
  Command* app =
      program.add_subcommand("verify", "Check this build against values of the reference programs");
  add_common(*app, *common);
  app->footer(kVerifyFooter);
  app->callback([common] { run(*common); });
}

}  // namespace capella::cli
