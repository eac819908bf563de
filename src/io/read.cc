#include "io/read.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "io/karpathy.h"
#include "io/system_name.h"

namespace capella::io {
namespace {

void check_standard_input(const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw UsageError("standard input (-) is given more than once, and can be read only once");
  }
}

void check_split(const std::vector<CaptionTable>& tables, const std::string& split) {
  if (split.empty()) return;
  for (const CaptionTable& table : tables) {
    if (table.format == kKarpathyName) return;
  }
  throw UsageError(fmt::format(
      "--split {} is given, but no file is a Karpathy dataset.json with splits; leave it out", split));
}

// A joint file holds both sides, so it goes with no other file.
void check_joint(const std::vector<CaptionTable>& tables) {
  if (tables.size() < 2) return;
  for (const CaptionTable& table : tables) {
    if (!table.tests) continue;
    throw UsageError(
        fmt::format("{}: each row holds both test and refs; give this file alone", table.source));
  }
}

std::vector<CaptionTable> read_all(const std::vector<std::string>& paths, const ReadOptions& options,
                                   ThreadPool* pool) {
  std::vector<CaptionTable> tables(paths.size());
  const auto read_one = [&](std::size_t i) { tables[i] = read_table_file(paths[i], options); };
  if (pool) {
    pool->parallel_for(paths.size(), read_one);
  } else {
    for (std::size_t i = 0; i < paths.size(); ++i) read_one(i);
  }
  return tables;
}

}  // namespace

CaptionTable read_table_file(const std::string& path, const ReadOptions& options) {
  return read_table(path == "-" ? "standard input" : path, read_file(path), options);
}

Dataset read_dataset(const std::string& refs, const std::vector<std::string>& hyps, const ReadOptions& read,
                     const AssembleOptions& options, ThreadPool* pool) {
  const std::vector<SystemFile> names = name_systems(hyps);
  std::vector<std::string> paths{refs};
  for (const SystemFile& system : names) paths.push_back(system.path);
  check_standard_input(paths);
  const std::vector<CaptionTable> tables = read_all(paths, read, pool);
  check_split(tables, read.split);
  check_joint(tables);

  std::vector<NamedTable> systems;
  for (std::size_t i = 0; i < names.size(); ++i) systems.push_back({names[i].name, &tables[i + 1]});
  if (tables[0].tests) {
    systems.push_back({name_systems(std::vector{refs}).front().name, tables[0].tests.get()});
  }
  return assemble(tables[0], systems, options);
}

}  // namespace capella::io
