// A metric must not be trained on images that it is tested on. Benchmarks name their images in many ways, but
// all have their captions: an image is known by a reference that stands in both.
#include "pipeline/deneb_data.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/ascii.h"
#include "base/names.h"
#include "io/benchmark_builder.h"
#include "pipeline/deneb_features.h"
#include "pipeline/held_out.h"

namespace capella::pipeline {
namespace {

// Capitals and spaces aside.
std::string comparable(std::string_view caption) {
  return lowered_ascii(io::join_words(caption));
}

HeldOutTexts known_captions(const std::vector<DenebHeldOut>& held_out) {
  HeldOutTexts known(comparable);
  for (const DenebHeldOut& one : held_out) known.add(io::read_benchmark(one.layout, one.path, {}).dataset);
  return known;
}

std::vector<std::size_t> unknown_rows(const Dataset& dataset, const HeldOutTexts& known) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < dataset.size(); ++row) {
    const auto references = dataset.references(row);
    if (std::ranges::none_of(references, [&](auto text) { return known.has(text); })) rows.push_back(row);
  }
  return rows;
}

Dataset with_rows(const Dataset& all, const std::vector<std::size_t>& rows) {
  Dataset::Parts parts;
  parts.text = std::make_shared<const Dataset>(all);
  parts.systems.push_back({all.systems()[0].name, {}});
  for (const std::size_t row : rows) {
    const auto references = all.references(row);
    parts.ids.push_back(all.id(row));
    parts.references.insert(parts.references.end(), references.begin(), references.end());
    parts.reference_ends.push_back(parts.references.size());
    parts.systems[0].captions.push_back(all.systems()[0].captions[row]);
  }
  return Dataset(std::move(parts));
}

// The same benchmark of ratings with some of its rows and their images.
io::Benchmark with_rows(const io::Benchmark& all, const std::vector<std::size_t>& rows) {
  io::Benchmark some;
  some.name = all.name;
  some.title = all.title;
  some.dataset = with_rows(all.dataset, rows);
  tsl::robin_map<std::uint32_t, std::uint32_t> images;
  for (const std::size_t row : rows) {
    const auto next = static_cast<std::uint32_t>(some.image_names.size());
    const auto [image, is_new] = images.emplace(all.images[row], next);
    if (is_new) some.image_names.push_back(all.image_names[all.images[row]]);
    some.images.push_back(image->second);
    some.ratings.push_back(all.ratings[row]);
  }
  return some;
}

io::Benchmark read_rows(const std::string& layout, const std::string& path,
                        const std::vector<std::string>& without) {
  io::BenchmarkOptions options;
  options.without = without;
  io::Benchmark benchmark = io::read_benchmark(layout, path, options);
  expect_references(benchmark.dataset, path);
  return benchmark;
}

// Throws unless an agreement with these rows can be measured: of ratings two must differ, of pairs two
// captions.
void expect_order(const io::Benchmark& rows, const std::string& path, RowsFor use) {
  const auto fail = [&](const std::string& found) {
    const bool validated = use == RowsFor::validation;
    throw DataError(fmt::format("{}: {}, so that {}; {} captions that people told apart", path, found,
                                validated ? "agreement with it is undefined and cannot end a training"
                                : use == RowsFor::curve ? "there is no curve of it"
                                                        : "there is nothing to learn from it",
                                validated ? "validate on" : "give"));
  };
  const auto& captions = rows.dataset.systems()[0].captions;
  if (rows.pairwise()) {
    for (std::size_t k = 0; k + 1 < captions.size(); k += 2) {
      if (captions[k] != captions[k + 1]) return;
    }
    fail(fmt::format("both captions are the same in each of {} pairs", rows.pairs.size()));
  }
  if (rows.ratings.size() < 2)
    fail(fmt::format("found {} rated caption{}", rows.ratings.size(), rows.ratings.empty() ? "s" : ""));
  const auto [low, high] = std::ranges::minmax(rows.ratings);
  if (low == high) fail(fmt::format("all {} ratings are {}", rows.ratings.size(), low));
}

void drop_known(const DenebTraining& options, DenebData& data) {
  if (options.held_out.empty()) return;
  const std::size_t all = data.training.rows();
  const auto rows = unknown_rows(data.training.dataset, known_captions(options.held_out));
  if (rows.empty())
    throw DataError(fmt::format(
        "{}: each of the {} rows has a reference that stands in a benchmark which is held out, so that "
        "nothing is left to learn from; give other rows, or hold out less",
        options.training, all));
  data.dropped = all - rows.size();
  if (data.dropped > 0) data.training = with_rows(data.training, rows);
}

}  // namespace

DenebData read_deneb_data(const DenebTraining& options, bool images) {
  DenebData data;
  data.training = read_rows(options.layout, options.training, options.without);
  drop_known(options, data);
  data.validation = read_validation_rows(
      options.validation_layout.empty() ? options.layout : options.validation_layout, options.validation, {});
  if (!images) return data;
  data.training_paths = picture_paths(data.training, options.encoders.images);
  data.validation_paths = picture_paths(data.validation, options.encoders.images);
  return data;
}

io::Benchmark read_validation_rows(const std::string& layout, const std::string& path,
                                   const std::vector<std::string>& without, RowsFor use) {
  io::Benchmark rows = read_rows(layout, path, without);
  expect_order(rows, path, use);
  return rows;
}

void check_layouts(const DenebTraining& options) {
  check_layout(options.layout, LayoutUse::training);
  if (!options.validation_layout.empty()) check_layout(options.validation_layout, LayoutUse::validation);
  for (const DenebHeldOut& one : options.held_out) {
    const auto names = io::benchmark_names();
    if (std::ranges::find(names, one.layout) == names.end())
      throw UsageError(unknown_name_message("benchmark to hold out", one.layout, names));
  }
}

std::string short_name(const std::string& path) {
  const std::filesystem::path whole(path);
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace capella::pipeline
