// The rows that learned metrics are trained with and validated on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "capella/deneb.h"

#include "io/benchmark.h"

namespace capella::pipeline {

/// Both sets of rows, and where their pictures are.
struct DenebData {
  io::Benchmark training;
  io::Benchmark validation;  ///< may be pairs
  std::vector<std::string> training_paths;
  std::vector<std::string> validation_paths;
  std::size_t dropped = 0;  ///< training rows that share an image with a benchmark that is held out
};
/// Throws DataError if a row has no references or nothing is left to learn from.
DenebData read_deneb_data(const DenebTraining& options, bool images);

enum class RowsFor { validation, curve, learning };  ///< what error messages speak of
/// Rows to validate on, or to learn from. Throws DataError if one has no references or agreement with
/// them is undefined.
io::Benchmark read_validation_rows(const std::string& layout, const std::string& path,
                                   const std::vector<std::string>& without,
                                   RowsFor use = RowsFor::validation);

/// Throws UsageError if there are layouts that cannot be learnt from or validated on.
void check_layouts(const DenebTraining& options);

/// The last part of a path, for people.
std::string short_name(const std::string& path);

}  // namespace capella::pipeline
