// What the readers of benchmarks share: rows put together into a Benchmark, and references from another file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "io/benchmark.h"
#include "io/benchmark_records.h"
#include "io/caption_table.h"

namespace capella::io {

using Texts = std::vector<std::string_view>;

/// Python's ' '.join(text.split()).
std::string join_words(std::string_view text);

/// The part behind the last slash: images of one benchmark are named with and without their folder.
std::string_view base_name(std::string_view path);

class BenchmarkBuilder {
 public:
  /// Strings given to add_row() must come from these.
  std::string_view copy(std::string_view text) { return store_->copy(text); }
  Texts copy(std::span<const std::string> texts);

  /// Adds a row. Throws RowProblem if no reference is left to it.
  void add_row(std::string_view image, std::string_view caption,
               std::span<const std::string_view> references);

  /// Adds the two rows of a pair.
  void add_pair(std::string_view image, std::span<const std::string_view> captions,
                std::span<const std::string_view> references, Benchmark::Pair pair);

  Benchmark& benchmark() { return benchmark_; }
  std::size_t rows() const { return parts_.ids.size(); }

  /// Adds a note if the published benchmark has another number of rows.
  Benchmark build(std::size_t published_rows = 0);

 private:
  std::uint32_t image_number(std::string_view name);

  std::shared_ptr<TextStore> store_ = std::make_shared<TextStore>();
  Benchmark benchmark_;
  Dataset::Parts parts_;
  std::vector<std::string_view> captions_;
  tsl::robin_map<std::string_view, std::uint32_t> images_;
};

/// Captions by image, from a file of any shape that `capella score` reads.
class ReferenceTable {
 public:
  explicit ReferenceTable(const Source& source);
  explicit ReferenceTable(const std::string& path) : ReferenceTable(open_records(path, "references")) {}

  /// The image's captions in file order. Throws RowProblem if there are none.
  std::span<const std::string_view> of(std::string_view image) const;

 private:
  CaptionTable table_;
  tsl::robin_map<std::string_view, Texts> captions_;
};

}  // namespace capella::io
