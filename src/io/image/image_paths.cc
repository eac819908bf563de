#include "io/image/image_paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/ascii.h"
#include "base/file.h"
#include "base/names.h"
#include "io/csv.h"
#include "io/item_ids.h"
#include "io/json_document.h"
#include "io/json_members.h"
#include "io/source.h"

namespace capella::io {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kExtensions{".jpg", ".jpeg", ".png", ".webp"};
constexpr std::array<std::string_view, 2> kIds{"image_id", "id"};
constexpr std::array<std::string_view, 4> kPaths{"path", "file_name", "filename", "file"};
constexpr std::string_view kExpectedImagePaths =
    "a dictionary of ids and paths, or rows with image_id or id and path, file_name, filename or file";

// A text as it is, a whole number as its digits; nothing for all else.
std::optional<std::string> as_id(element value) {
  std::string_view text;
  if (!value.get(text)) return std::string(text);
  std::int64_t number = 0;
  if (!value.get(number)) return std::to_string(number);
  return std::nullopt;
}

// The first of the members that the row has.
template <std::size_t N>
std::optional<element> first_of(simdjson::dom::object row, const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names) {
    element value;
    if (!row.at_key(name).get(value)) return value;
  }
  return std::nullopt;
}

struct Row {
  std::string id;
  std::string path;
};

std::optional<Row> row_of(element value) {
  simdjson::dom::object members;
  if (value.get(members)) return std::nullopt;
  const auto id = first_of(members, kIds);
  const auto path = first_of(members, kPaths);
  std::string_view text;
  if (!id || !path || path->get(text)) return std::nullopt;
  const auto name = as_id(*id);
  if (!name || name->empty() || text.empty()) return std::nullopt;
  return Row{*name, std::string(text)};
}

template <class Take>
void for_each_json_row(const Source& source, const Take& take) {
  const auto bad = [&](std::size_t row, const std::string& found) {
    throw DataError(
        fmt::format("{}: row {} is {}, expected {}", source.name, row + 1, found, kExpectedImagePaths));
  };
  simdjson::dom::array list;
  simdjson::dom::object dictionary;
  std::size_t number = 0;
  if (const auto images = find_list(source.json->root, "images")) {
    list = images->list;
  } else if (!source.json->root.get(dictionary)) {
    for (const auto& [id, path] : dictionary) {
      std::string_view text;
      if (path.get(text) || text.empty()) bad(number, describe(path));
      take(Row{std::string(id), std::string(text)}, ++number);
    }
    return;
  } else if (source.json->root.get(list)) {
    bad(0, describe(source.json->root));
  }
  for (const element value : list) {
    const auto row = row_of(value);
    if (!row) bad(number, describe(value));
    take(*row, ++number);
  }
}

// Where the header has the first of the names.
template <std::size_t N>
std::optional<std::size_t> column_of(const CsvRecord& header, const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < header.cells.size(); ++i) {
      if (column_name(header.cells[i]) == name) return i;
    }
  }
  return std::nullopt;
}

template <class Take>
void for_each_csv_row(const Source& source, const Take& take) {
  TextStore store;
  CsvParser parser(source.content, delimiter_of(source.content), store);
  CsvRecord record;
  parser.next(record);
  const auto id = column_of(record, kIds);
  const auto path = column_of(record, kPaths);
  if (!id || !path)
    throw DataError(fmt::format("{}:1: found the columns {}, expected {}", source.name,
                                excerpt(fmt::format("{}", fmt::join(record.cells, ", "))),
                                kExpectedImagePaths));
  while (parser.next(record)) {
    const bool whole = record.problem.empty() && record.cells.size() > std::max(*id, *path) &&
                       !record.cells[*id].empty() && !record.cells[*path].empty();
    if (!whole)
      throw DataError(
          fmt::format("{}:{}: the row has no id or no path, expected both", source.name, record.line));
    take(Row{std::string(record.cells[*id]), std::string(record.cells[*path])}, record.line);
  }
}

}  // namespace

ImagePaths::ImagePaths(const std::string& source) : source_(source) {
  std::error_code unknown;  // reading then says what is wrong
  if (fs::is_directory(source, unknown)) {
    list_folder();
  } else {
    read_list();
  }
}

ImagePaths::ImagePaths(std::string source, const std::map<std::string, std::string>& paths)
    : source_(std::move(source)) {
  for (const auto& [id, path] : paths) add(id, path, "");
}

void ImagePaths::list_folder() {
  std::error_code problem;
  for (fs::directory_iterator file(source_, problem), end; !problem && file != end; file.increment(problem)) {
    const fs::path& path = file->path();
    if (std::ranges::find(kExtensions, lowered_ascii(path.extension().string())) == kExtensions.end())
      continue;
    const std::string stem = path.stem().string();
    by_id_[stem].push_back(path.string());
    by_name_[path.filename().string()].push_back(path.string());
    if (const auto number = coco_number(stem)) by_number_[std::string(*number)].push_back(path.string());
  }
  if (problem) throw FileError(fmt::format("{}: cannot be listed: {}", source_, problem.message()));
  if (by_name_.empty())
    throw FileError(
        fmt::format("{}: the folder has no picture, expected files named ID.jpg, .png or .webp", source_));
}

void ImagePaths::read_list() {
  const Source source = open_source(source_, read_file(source_), "pictures");
  const fs::path folder = fs::path(source_).parent_path();
  const auto take = [&](const Row& row, std::size_t number) {
    add(row.id, (folder / row.path).string(), fmt::format(":{}", number));
  };
  if (source.json) return for_each_json_row(source, take);
  if (source.json_lines)
    throw DataError(
        fmt::format("{}: found one JSON object per line, expected {}", source_, kExpectedImagePaths));
  for_each_csv_row(source, take);
}

void ImagePaths::add(std::string_view id, const std::string& path, std::string_view place) {
  Files& files = by_id_[std::string(id)];
  if (!files.empty() && files[0] != path)
    throw DataError(fmt::format("{}{}: id {} has the picture {} and the picture {}, expected one", source_,
                                place, excerpt(id), files[0], path));
  if (files.empty()) files.push_back(path);
}

std::string ImagePaths::find(std::string_view id) const {
  if (const auto named = by_name_.find(id); named != by_name_.end()) return named->second[0];
  Files fitting;
  if (const auto found = by_id_.find(id); found != by_id_.end()) fitting = found->second;
  if (is_digits(id)) {
    const auto found = by_number_.find(without_zeros(id));
    if (found != by_number_.end()) fitting.insert(fitting.end(), found->second.begin(), found->second.end());
  }
  std::ranges::sort(fitting);
  fitting.erase(std::unique(fitting.begin(), fitting.end()), fitting.end());
  if (fitting.size() > 1)
    throw DataError(fmt::format(
        "{}: {} pictures fit the id {}: {}; leave one of them there, or name it in a file of ids and paths",
        source_, fitting.size(), excerpt(id), fmt::join(fitting, ", ")));
  return fitting.empty() ? "" : fitting[0];
}

}  // namespace capella::io
