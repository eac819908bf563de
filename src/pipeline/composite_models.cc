// The files of trained networks: one per metric, and if asked for one per seed beside it.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"

#include "pipeline/composite_train.h"

namespace capella::pipeline {
namespace {

namespace fs = std::filesystem;
using method::composite::Model;

// "eval-ms.safetensors" -> "eval-ms-12346.safetensors"
std::string path_of_seed(const std::string& output, std::uint64_t seed) {
  const fs::path path(output);
  return (path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), seed, path.extension().string()))
      .string();
}

// The seed in the name of a file beside `output`; nothing if the name is not of that form.
std::optional<std::uint64_t> seed_of_path(const fs::path& file, const fs::path& output) {
  const std::string stem = file.stem().string();
  const std::string begin = output.stem().string() + "-";
  if (file.extension() != output.extension() || !stem.starts_with(begin)) return std::nullopt;
  std::uint64_t seed = 0;
  const char* end = stem.data() + stem.size();
  const auto [stop, problem] = std::from_chars(stem.data() + begin.size(), end, seed);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return seed;
}

// Whether the file is what an earlier run wrote for that seed, and not a metric of the user's that happens to
// be named so.
bool is_seeds_model(const fs::path& file, const std::string& name, std::uint64_t seed) {
  try {
    const Model model = method::composite::read_model(file.string());
    return model.name == name && model.origin.seed == seed;
  } catch (const Error&) {
    return false;
  }
}

// Networks of an earlier run beside those of this one would pass for its own.
void remove_stale(const std::string& output, const CompositeTrained& summary) {
  const fs::path path(output);
  std::error_code unknown;
  std::vector<fs::path> stale;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator file(folder, unknown), end; !unknown && file != end; file.increment(unknown)) {
    const auto seed = seed_of_path(file->path(), path);
    if (!seed || std::ranges::find(summary.seeds, *seed, &CompositeSeed::seed) != summary.seeds.end())
      continue;
    if (is_seeds_model(file->path(), summary.name, *seed)) stale.push_back(file->path());
  }
  for (const fs::path& file : stale) fs::remove(file, unknown);
}

}  // namespace

std::vector<std::string> model_paths(const std::string& output, const CompositeTraining& options) {
  std::vector<std::string> paths = {output};
  for (std::size_t i = 0; options.keep_all && i < std::min(options.seeds, kMostSeeds); ++i)
    paths.push_back(path_of_seed(output, options.seed + i));
  return paths;
}

void write_models(const std::string& output, bool keep_all, TrainedComposite& trained) {
  CompositeTrained& summary = trained.summary;
  for (std::size_t i = 0; keep_all && i < trained.models.size(); ++i) {
    summary.seeds[i].path = path_of_seed(output, summary.seeds[i].seed);
    method::composite::write_model(summary.seeds[i].path, trained.models[i]);
  }
  summary.seeds[summary.best].path = output;
  method::composite::write_model(output, trained.models[summary.best]);
  if (keep_all) remove_stale(output, summary);
}

}  // namespace capella::pipeline
