// What `capella doctor` looks at.
#include <algorithm>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/version.h"

#include "pipeline/prepared_run.h"
#include "resource/find.h"
#include "resource/packages.h"

namespace capella {
namespace {

Finding df_finding() {
  try {
    return {"document frequencies of COCO val", pipeline::open_df("coco-val")->description(), true};
  } catch (const Error& problem) {
    return {"document frequencies of COCO val", problem.what(), false};
  }
}

Finding parser_finding() {
  try {
    const std::uint64_t model = pipeline::open_parser()->fingerprint();
    std::string found = fmt::format("{} ({:08x})", resource::need(pipeline::kParserModel), model >> 32);
    if (model == syntax::kShippedModel) return {"parser of captions", std::move(found), true};
    found +=
        ": not the model that Capella ships, so SPICE differs; if it is not one of yours, install Capella "
        "anew";
    return {"parser of captions", std::move(found), false};
  } catch (const Error& problem) {
    return {"parser of captions", problem.what(), false};
  }
}

// Reads all of the package's file.
Finding data_finding(const resource::Package& package) {
  const std::string what = fmt::format("data of {}", package.name);
  if (const std::string problem = resource::problem_with(package, true); !problem.empty())
    return {what, problem, false};
  const std::string path = *resource::find_installed(package);
  return {what, fmt::format("{} ({} MB)", path, (std::filesystem::file_size(path) + 500'000) / 1'000'000),
          true};
}

Finding arithmetic_finding() {
  try {
    const auto values = verify(1);
    const auto exact =
        std::count_if(values.begin(), values.end(), [](const auto& value) { return value.exact; });
    return {
        "arithmetic",
        fmt::format("{} of {} shipped values are exact (capella verify shows them)", exact, values.size()),
        exact == static_cast<std::ptrdiff_t>(values.size())};
  } catch (const Error& problem) {
    return {"arithmetic", problem.what(), false};
  }
}

}  // namespace

std::vector<Finding> examine_installation() {
  std::vector<Finding> findings = {
      {"capella", std::string(kVersion), true},
      {"compiler", __VERSION__, true},
      {"JSON kernel", simdjson::get_active_implementation()->description(), true},
      {"cores", fmt::to_string(std::thread::hardware_concurrency()), true},
      {"data is looked for in", fmt::format("{}", fmt::join(resource::search_path(), ", ")), true},
      df_finding(),
      parser_finding(),
  };
  for (const resource::Package& package : resource::packages()) findings.push_back(data_finding(package));
  findings.push_back(arithmetic_finding());
  return findings;
}

}  // namespace capella
