#include "io/benchmark.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/benchmark_layout.h"
#include "io/benchmark_readers.h"

namespace capella::io {
namespace {

struct Entry {
  std::string_view name;
  std::string_view title;
  std::string_view usual;
  bool may_take_references;  ///< from another file
  bool has_parts;
  Benchmark (*read)(const std::string& path, const BenchmarkOptions& options);
};

constexpr std::array<Entry, 8> kBenchmarks{{
    {"flickr8k-expert", "Flickr8k-Expert", "kendall_c", false, false, read_flickr8k_expert},
    {"flickr8k-cf", "Flickr8k-CF", "kendall_b", false, false, read_flickr8k_cf},
    {"composite", "Composite", "kendall_c", false, true, read_composite},
    {"pascal50s", "PASCAL-50S", "", true, false, read_pascal50s},
    {"foil", "FOIL", "", true, false, read_foil},
    {"challenge", "Challenge set", "", true, false, read_challenge},
    {"nebula", "Nebula", "kendall_c", false, false, read_nebula},
    {"polaris", "Polaris", "kendall_c", false, false, read_polaris},
}};

constexpr std::array<std::string_view, kBenchmarks.size()> kNames = [] {
  std::array<std::string_view, kBenchmarks.size()> names;
  std::transform(kBenchmarks.begin(), kBenchmarks.end(), names.begin(),
                 [](const Entry& entry) { return entry.name; });
  return names;
}();

// A file that has nothing of the layout is doubted to be of it, rather than called damaged.
Benchmark read_entry(const Entry& entry, const std::string& path, const BenchmarkOptions& options) {
  try {
    return entry.read(path, options);
  } catch (const DataError&) {
    if (const std::string doubt = layout_doubt(entry.name, path); !doubt.empty()) throw DataError(doubt);
    throw;
  }
}

}  // namespace

std::span<const std::string_view> benchmark_names() {
  return kNames;
}

Benchmark read_benchmark(std::string_view name, const std::string& path, const BenchmarkOptions& options) {
  const auto entry = std::find_if(kBenchmarks.begin(), kBenchmarks.end(),
                                  [&](const Entry& one) { return one.name == name; });
  if (entry == kBenchmarks.end()) throw UsageError(unknown_name_message("benchmark", name, kNames));
  if (!options.references.empty() && !entry->may_take_references) {
    throw UsageError(
        fmt::format("a file of references is given, but {} has its own; leave it out", entry->name));
  }
  if (!options.without.empty() && !entry->has_parts)
    throw UsageError(fmt::format("{} is one data set, without parts that could be left out", entry->title));
  Benchmark benchmark = read_entry(*entry, path, options);
  if (benchmark.rows() == 0 && !options.without.empty()) {
    throw UsageError(fmt::format("{}: nothing is left without {}", path, fmt::join(options.without, ", ")));
  }
  if (benchmark.rows() == 0) {
    throw DataError(fmt::format("{}: no row is left by the benchmark's rules; {}", path,
                                benchmark.notes.empty() ? "get the file again" : benchmark.notes.front()));
  }
  benchmark.name = entry->name;
  benchmark.title = entry->title;
  benchmark.usual = entry->usual;
  return benchmark;
}

Dataset with_first_references(const Dataset& dataset, std::size_t most) {
  Dataset::Parts parts;
  parts.text = std::make_shared<const Dataset>(dataset);
  parts.systems.assign(dataset.systems().begin(), dataset.systems().end());
  parts.skipped.assign(dataset.skipped().begin(), dataset.skipped().end());
  parts.images.assign(dataset.images().begin(), dataset.images().end());
  for (std::size_t item = 0; item < dataset.size(); ++item) {
    const auto references = dataset.references(item);
    const auto first = references.first(std::min(most, references.size()));
    parts.ids.push_back(dataset.id(item));
    parts.references.insert(parts.references.end(), first.begin(), first.end());
    parts.reference_ends.push_back(parts.references.size());
  }
  return Dataset(std::move(parts));
}

std::vector<double> kept_values(const Benchmark& benchmark, std::vector<double> values) {
  if (benchmark.kept.empty()) return values;
  std::vector<double> kept;
  for (const std::uint32_t row : benchmark.kept) kept.push_back(values[row]);
  return kept;
}

}  // namespace capella::io
