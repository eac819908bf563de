#include "io/wrapped_rows.h"

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "io/json_rows.h"

namespace capella::io {
namespace {

bool is_wrapper(std::string_view name) {
  return rank_of(name, kWrapperNames) < kWrapperNames.size();
}

// A list whose first element has an id.
bool holds_rows(element value, const ColumnNames& columns) {
  simdjson::dom::array list;
  simdjson::dom::object first;
  return !value.get(list) && list.begin() != list.end() && !(*list.begin()).get(first) &&
         find_fields(first, columns).id.has_value();
}

// A row, or a dictionary from ids to captions; not one from names to numbers, such as results of another
// program.
bool holds_captions(element value, const ColumnNames& columns) {
  simdjson::dom::object object;
  if (value.get(object)) return false;
  if (object.begin() == object.end() || find_fields(object, columns).is_row()) return true;
  const element first = (*object.begin()).value;
  return first.is_string() || first.is_array() || first.is_object();
}

}  // namespace

WrappedRows rows_of(const Source& source, const ColumnNames& columns) {
  const WrappedRows whole{source.json->root, {}};
  simdjson::dom::object object;
  if (source.json->root.get(object)) return whole;
  const bool alone = object.size() == 1;
  std::vector<std::string_view> names;
  WrappedRows found = whole;
  std::size_t ordinal = 0;
  for (const auto& [name, value] : object) {
    if (is_wrapper(name) &&
        (holds_captions(value, columns) || holds_rows(value, columns) || (alone && value.is_array()))) {
      names.push_back(name);
      found = {value, {ordinal}};
    }
    ++ordinal;
  }
  if (names.empty() || find_fields(object, columns).is_row()) return whole;
  if (names.size() > 1)
    throw DataError(
        fmt::format("{}: found captions in {}, expected them in one member; write a file for each",
                    source.name, fmt::join(names, " and in ")));
  return found;
}

}  // namespace capella::io
