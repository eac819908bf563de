#include "io/benchmark_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/names.h"
#include "base/utf8.h"
#include "io/benchmark_records.h"
#include "io/format.h"

namespace capella::io {

std::string join_words(std::string_view text) {
  std::string joined;
  for_each_python_word(text, [&](std::string_view word) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  });
  return joined;
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

Texts BenchmarkBuilder::copy(std::span<const std::string> texts) {
  Texts copies;
  for (const std::string& text : texts) copies.push_back(copy(text));
  return copies;
}

void BenchmarkBuilder::add_row(std::string_view image, std::string_view caption,
                               std::span<const std::string_view> references) {
  if (references.empty()) throw RowProblem{"no reference is left for the caption, expected at least one"};
  parts_.ids.push_back(copy(fmt::format_int(rows()).c_str()));
  parts_.references.insert(parts_.references.end(), references.begin(), references.end());
  parts_.reference_ends.push_back(parts_.references.size());
  captions_.push_back(caption);
  benchmark_.images.push_back(image_number(image));
}

void BenchmarkBuilder::add_pair(std::string_view image, std::span<const std::string_view> captions,
                                std::span<const std::string_view> references, Benchmark::Pair pair) {
  for (const std::string_view caption : captions) add_row(image, caption, references);
  benchmark_.pairs.push_back(pair);
}

Benchmark BenchmarkBuilder::build(std::size_t published_rows) {
  if (published_rows != 0 && rows() != published_rows) {
    benchmark_.notes.push_back(fmt::format("the published benchmark has {} rows, the file given has {}",
                                           grouped(published_rows), grouped(rows())));
  }
  benchmark_.published = rows() == published_rows;
  parts_.systems.push_back({"candidates", std::move(captions_)});
  parts_.text = std::move(store_);
  benchmark_.dataset = Dataset(std::move(parts_));
  return std::move(benchmark_);
}

std::uint32_t BenchmarkBuilder::image_number(std::string_view name) {
  const auto found = images_.find(name);
  if (found != images_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(benchmark_.image_names.size());
  benchmark_.image_names.emplace_back(name);
  images_.emplace(copy(name), number);
  return number;
}

ReferenceTable::ReferenceTable(const Source& source) : table_(read_table(source, {})) {
  for (const CaptionRow& row : table_.rows) captions_[row.id].push_back(row.caption);
}

std::span<const std::string_view> ReferenceTable::of(std::string_view image) const {
  const auto found = captions_.find(image);
  if (found != captions_.end()) return found->second;
  throw RowProblem{fmt::format("the image {} has no captions in {}, expected its references there",
                               excerpt(image), table_.source)};
}

}  // namespace capella::io
