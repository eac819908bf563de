// The data file of a pre-gen study: one row per stratum of a generator's test images, with its post-gen
// scores (of captions it wrote) and its pre-gen metrics. Tab-separated, the columns dataset, architecture,
// run, num_strata, stratum, then post-gen scores, then pre-gen metrics; floats as Python writes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella::io {

struct StratumRow {
  std::string dataset;
  std::string architecture;
  std::string run;
  std::size_t strata = 1;   ///< into how many the images were cut
  std::size_t stratum = 0;  ///< which of them; 0: the worst
  std::vector<double> post;
  std::vector<double> pre;
};

struct StratumTable {
  std::string name;               ///< the file, for messages
  std::vector<std::string> post;  ///< names of the columns: METEOR, CIDEr, SPICE, WMD, ...
  std::vector<std::string> pre;   ///< the pre-gen metrics'; may be empty
  std::vector<StratumRow> rows;

  /// In the order in which they first occur.
  std::vector<std::string> datasets() const;
  std::vector<double> post_column(std::size_t column) const;
  std::vector<double> pre_column(std::size_t column) const;
};

/// Columns between `stratum` and the first pre-gen metric (a name of four tiers) are post-gen scores. Throws
/// FileError, or DataError with FILE:LINE.
StratumTable read_strata(const std::string& path);
/// The rows of several files, which must have the same columns.
StratumTable read_strata(const std::vector<std::string>& paths);

/// Numbers as Python writes them; sums, maxima and minima of counts without a point, as published.
std::string strata_text(const StratumTable& table);

}  // namespace capella::io
