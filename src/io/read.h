// Reads files of any known shape into one Dataset.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "capella/dataset.h"

#include "base/thread_pool.h"
#include "io/assemble.h"
#include "io/format.h"

namespace capella::io {

/// Reads one file ("-" is standard input) into a table. Throws FileError or DataError.
CaptionTable read_table_file(const std::string& path, const ReadOptions& options);

/// Throws UsageError if more than one of the paths is "-".
void check_standard_input(std::span<const std::string> paths);

/// Throws UsageError if none of the tables, which were read with `read`, has the split or a column that it
/// names.
void check_read_options(std::span<const CaptionTable* const> tables, const ReadOptions& read);

/// Joins tables that were read with `read`. A joint table of tests and references comes alone and makes one
/// system, called `references.name`; the name has no other use. Throws UsageError if the tables do not go
/// with these options or with one another, DataError if their ids do not fit.
Dataset join_tables(const NamedTable& references, std::span<const NamedTable> systems,
                    const ReadOptions& read = {}, const AssembleOptions& options = {});

/// Reads references and hypotheses and joins them. `hyps` are words of the command line: FILE, NAME=FILE or
/// "-". A joint file of tests and references stands alone and makes one system named after it; any other
/// references without `hyps` make a data set without systems. With a pool the files are read in parallel; of
/// several bad files the first one's error is thrown.
Dataset read_dataset(const std::string& refs, const std::vector<std::string>& hyps,
                     const ReadOptions& read = {}, const AssembleOptions& assemble = {},
                     ThreadPool* pool = nullptr);

}  // namespace capella::io
