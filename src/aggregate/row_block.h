// Rows of all systems and metrics over some consecutive items: what shards write and merging joins.
//
// A block can be stored as bytes and joined with its neighbours; the scores of the whole then are, bit for
// bit, those of one run, since rows are always summed in the order of the items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

namespace capella::aggregate {

/// A metric as it was run; enough to make it again and turn rows into scores.
struct MetricRun {
  std::string name;
  std::map<std::string, std::string> settings;  ///< only those that were set
  std::size_t row_width = 0;
  std::string signature_rest;  ///< what follows the score's name in its signature

  bool operator==(const MetricRun&) const = default;
};

/// As RowBlock::total_items: the block is a part of a data set whose size nobody knows.
inline constexpr std::size_t kOpenEnd = static_cast<std::size_t>(-1);

struct RowBlock {
  std::vector<MetricRun> metrics;
  std::vector<std::string> systems;
  std::size_t total_items = 0;  ///< of the whole data set
  std::size_t first_item = 0;   ///< where this block begins in it
  std::uint64_t fingerprint =
      0;  ///< of all ids, references and captions of the data set; 0 for open-ended parts
  std::vector<std::string> ids;
  std::vector<std::vector<double>>
      rows;  ///< [system * metrics.size() + metric]: item by item, row_width numbers
  std::vector<Skipped> skipped;
  std::vector<std::string> warnings;

  std::span<double> rows_of(std::size_t system, std::size_t metric) {
    return rows[system * metrics.size() + metric];
  }
  std::span<const double> rows_of(std::size_t system, std::size_t metric) const {
    return rows[system * metrics.size() + metric];
  }
};

/// The sum of all rows, column by column, pairwise in item order.
std::vector<double> sum_rows(std::span<const double> rows, std::size_t width);

/// Joins blocks of one run into the whole: shards in any order, open-ended parts in the order given. Throws
/// DataError if they do not fit together or if items are missing; `names` say where each block came from.
RowBlock join_blocks(std::vector<RowBlock> blocks, std::span<const std::string> names);

/// A block as bytes and back. from_bytes throws DataError naming `source` for anything that is not a block.
std::string to_bytes(const RowBlock& block);
std::string seal(std::string_view content);  ///< puts format name and checksum before the content
RowBlock from_bytes(std::string_view bytes, const std::string& source);

}  // namespace capella::aggregate
