// What `capella doctor` looks at.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "capella/error.h"
#include "capella/pipeline.h"
#include "capella/pregen.h"
#include "capella/version.h"

#include "base/cpu_level.h"
#include "method/composite/presets.h"
#include "pipeline/plugin.h"
#include "pipeline/registry.h"
#include "pipeline/run_resources.h"
#include "pipeline/verify.h"
#include "resource/find.h"
#include "resource/packages.h"
#include "resource/word_vectors_convert.h"

namespace capella {
namespace {

Finding cpu_finding() {
  std::string found(name(cpu_level()));
  if (cpu_level_is_forced())
    found += fmt::format(", forced by CAPELLA_CPU; this processor has {}", name(highest_cpu_level()));
  return {"processor level", found, true};
}

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

Finding vectors_finding() {
  try {
    const auto vectors = resource::open_word_vectors("captions", {});
    vectors->check_content();
    return {"word vectors of captions", vectors->description(), true};
  } catch (const Error& problem) {
    return {"word vectors of captions", problem.what(), false};
  }
}

// Whether the models of all composite metrics can be read.
Finding composite_finding() {
  const auto presets = method::composite::presets();
  try {
    for (const auto& preset : presets) pipeline::make_metric(std::string(preset.name), {});
    return {"composite metrics", fmt::format("{} trained models", presets.size()), true};
  } catch (const Error& problem) {
    return {"composite metrics", problem.what(), false};
  }
}

// Reads all of the package's file.
Finding data_finding(const resource::Package& package) {
  const std::string what = fmt::format("data of {}", package.name);
  if (const std::string problem = resource::problem_with(package, true); !problem.empty())
    return {what, problem, false};
  const std::string path = *resource::find_installed(package);
  return {what,
          fmt::format("{} ({} MB)", path, (resource::installed_size(package, path) + 500'000) / 1'000'000),
          true};
}

// Where the plug-in, which is open, has its products of matrices from; empty if that cannot be told.
std::string matrix_library(const std::string& plugin) {
  void* const library = ::dlopen(plugin.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return {};
  void* const product = ::dlsym(library, "sgemm_");
  Dl_info found{};
  const bool known = product != nullptr && ::dladdr(product, &found) != 0 && found.dli_fname != nullptr;
  std::error_code error;
  std::string path = known ? std::filesystem::canonical(found.dli_fname, error).string() : std::string();
  ::dlclose(library);
  return path;
}

// Only training networks and running them on a GPU wants the plug-in, so that it may be absent unless the
// user said where it is. One that is there must work.
Finding plugin_finding() {
  const std::string what = "torch plug-in";
  std::string plugin;
  try {
    plugin = pipeline::find_plugin();
  } catch (const Error& problem) {
    const char* given = std::getenv("CAPELLA_TORCH");
    if (given != nullptr && *given != '\0') return {what, problem.what(), false};
    return {
        what,
        fmt::format("not built, and needed only to train networks or run them on a GPU: {}", problem.what()),
        true};
  }
  try {
    std::string found = generator_plugin();
    const std::string matrices = matrix_library(plugin);
    if (!matrices.empty()) found += fmt::format("; matrices by {}", matrices);
    if (matrices.find("/blas/libblas.so") == std::string::npos) return {what, found, true};
    return {what, found + ", the slow reference BLAS: install OpenBLAS (libopenblas0-pthread)", false};
  } catch (const Error& problem) {
    return {what, problem.what(), false};
  }
}

Finding arithmetic_finding() {
  try {
    std::size_t exact = 0, values = 0;
    for (const VerifiedMetric& metric : pipeline::verify_part("captions", 1)) {
      if (!metric.missing.empty()) continue;
      values += metric.values.size();
      exact += static_cast<std::size_t>(std::ranges::count(metric.values, true, &VerifiedValue::exact));
    }
    return {"arithmetic",
            fmt::format("{} of {} values of a sample equal the references (capella verify compares all)",
                        exact, values),
            exact == values};
  } catch (const Error& problem) {
    return {"arithmetic", problem.what(), false};
  }
}

}  // namespace

std::vector<Finding> examine_installation() {
  std::vector<Finding> findings = {
      {"capella", std::string(kVersion), true},
      {"compiler", __VERSION__, true},
      cpu_finding(),
      {"JSON kernel", simdjson::get_active_implementation()->description(), true},
      {"cores", fmt::to_string(std::thread::hardware_concurrency()), true},
      {"data is looked for in", fmt::format("{}", fmt::join(resource::search_path(), ", ")), true},
      df_finding(),
      parser_finding(),
      vectors_finding(),
      composite_finding(),
  };
  for (const resource::Package& package : resource::packages()) findings.push_back(data_finding(package));
  findings.push_back(plugin_finding());
  findings.push_back(arithmetic_finding());
  return findings;
}

}  // namespace capella
