#include "io/read.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "io/karpathy.h"
#include "io/system_name.h"

namespace capella::io {
namespace {

void check_not_joint(const CaptionTable& table) {
  if (!table.tests) return;
  throw UsageError(fmt::format("{}: each row holds both test and refs; give this file alone", table.source));
}

// A joint file holds both sides, so it goes with no other file.
void check_joint(const NamedTable& references, std::span<const NamedTable> systems) {
  if (systems.empty()) return;
  check_not_joint(*references.table);
  for (const NamedTable& system : systems) check_not_joint(*system.table);
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

void check_standard_input(std::span<const std::string> paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw UsageError("standard input (-) is given more than once, and can be read only once");
  }
}

void check_read_options(std::span<const CaptionTable* const> tables, const ReadOptions& read) {
  const auto check = [&](std::string_view option, const std::string& given, std::string_view lacking,
                         auto has) {
    if (given.empty() || std::any_of(tables.begin(), tables.end(), has)) return;
    throw UsageError(
        fmt::format("{0} {1} is given, but no file {2}; leave {0} out", option, excerpt(given), lacking));
  };
  check("--split", read.split, "is a Karpathy dataset.json with splits",
        [](const CaptionTable* table) { return table->format == kKarpathyName; });
  check("--id-column", read.id_column, "has a column or key of that name",
        [](const CaptionTable* table) { return table->has_named_id; });
  check("--caption-column", read.caption_column, "has a column or key of that name",
        [](const CaptionTable* table) { return table->has_named_caption; });
}

Dataset join_tables(const NamedTable& references, std::span<const NamedTable> systems,
                    const ReadOptions& read, const AssembleOptions& options) {
  std::vector<const CaptionTable*> tables{references.table};
  for (const NamedTable& system : systems) tables.push_back(system.table);
  check_read_options(tables, read);
  check_joint(references, systems);
  if (!references.table->tests) return assemble(*references.table, systems, options);
  const NamedTable tests{references.name, references.table->tests.get()};
  return assemble(*references.table, std::span(&tests, 1), options);
}

Dataset read_dataset(const std::string& refs, const std::vector<std::string>& hyps, const ReadOptions& read,
                     const AssembleOptions& options, ThreadPool* pool) {
  const std::vector<SystemFile> names = name_systems(hyps);
  std::vector<std::string> paths{refs};
  for (const SystemFile& system : names) paths.push_back(system.path);
  check_standard_input(paths);
  const std::vector<CaptionTable> tables = read_all(paths, read, pool);

  std::vector<NamedTable> systems;
  for (std::size_t i = 0; i < names.size(); ++i) systems.push_back({names[i].name, &tables[i + 1]});
  const std::string joint_name = name_systems(std::vector{refs}).front().name;
  return join_tables({joint_name, &tables[0]}, systems, read, options);
}

}  // namespace capella::io
