// Benchmarks of human judgement: captions that people have rated, or pairs of which they preferred one.
//
// A reader turns a public file layout into one Benchmark and follows the published protocol: which rows
// count, which references remain, in which order. docs/human-judgement.md tells each protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

namespace capella::io {

/// Scores of another metric that the benchmark's file carries, one per row.
struct CarriedScores {
  std::string name;
  std::vector<double> values;
};

struct Benchmark {
  std::string name;     ///< as the user types it, e.g. "flickr8k-expert"
  std::string title;    ///< as papers print it, e.g. "Flickr8k-Expert"
  std::string version;  ///< which labels or scores the file holds, in words
  std::string usual;    ///< the coefficient that papers print: "kendall_b" or "kendall_c"; empty for pairs
  Dataset dataset;      ///< one item per row and one system; the ids are the rows' numbers from 0
  std::vector<std::string> image_names;
  std::vector<std::uint32_t> images;  ///< per row, a place in image_names: rows of one image belong together

  /// Of a benchmark of ratings; one per row.
  std::vector<double> ratings;

  /// Of a benchmark of pairs: pair k is made of rows 2k and 2k + 1.
  struct Pair {
    std::uint32_t category;   ///< a place in `categories`
    std::uint32_t preferred;  ///< 0 or 1
  };
  std::vector<std::string> categories;
  std::vector<Pair> pairs;
  bool half_ties = false;  ///< a pair whose captions score the same counts half, and not as wrong

  /// If parts of the file were left out: how many rows it has, and which of them are here, in their order.
  std::size_t file_rows = 0;
  std::vector<std::uint32_t> kept = {};

  std::vector<CarriedScores> carried;
  std::vector<std::string> notes;  ///< what the protocol left out or changed, for people

  /// Whether it is the data that published figures are about, as far as its size tells.
  bool published = false;

  bool pairwise() const { return !pairs.empty(); }
  std::size_t rows() const { return dataset.size(); }
  std::size_t rows_of_file() const { return kept.empty() ? rows() : file_rows; }  ///< those left out too
};

/// The names a user can type, in the order of the documentation.
std::span<const std::string_view> benchmark_names();

struct BenchmarkOptions {
  std::string references = {};  ///< COCO captions for a FOIL file that has none; empty: the file has them
  /// Flickr8k-CF: take judged captions out of the references as CLIPScore's authors did; the numbers that are
  /// published come from that. Otherwise the rule of docs/human-judgement.md holds.
  bool clipscore_references = false;
  /// Parts of a benchmark made of several data sets that are left out, e.g. "flickr8k" of Composite.
  std::vector<std::string> without = {};
};

/// Reads the folder (Flickr8k) or file. Throws UsageError for an unknown name, FileError or DataError.
Benchmark read_benchmark(std::string_view name, const std::string& path, const BenchmarkOptions& options);

/// The same data with the first `most` references of each row, or fewer where a row has fewer (FOIL is
/// scored with 1 and with all). The text is shared.
Dataset with_first_references(const Dataset& dataset, std::size_t most);

/// Of numbers for all rows of the benchmark's file those of the rows that were not left out.
std::vector<double> kept_values(const Benchmark& benchmark, std::vector<double> values);

/// Scores of another program: JSONL {"row": k, "score": x}, for pairs {"pair": k, "candidate": 0|1, "score":
/// x}. Returns one number per row. Throws DataError if a row is missing, given twice or not there.
std::vector<double> read_scores(const std::string& path, const Benchmark& benchmark);

}  // namespace capella::io
