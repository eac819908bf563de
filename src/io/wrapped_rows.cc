#include "io/wrapped_rows.h"

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

}  // namespace

WrappedRows rows_of(const Source& source, const ColumnNames& columns) {
  const WrappedRows whole{source.json->root, {}};
  simdjson::dom::object object;
  if (source.json->root.get(object)) return whole;
  const bool alone = object.size() == 1;
  std::size_t ordinal = 0;
  for (const auto& [name, value] : object) {
    if (is_wrapper(name) && (value.is_object() || holds_rows(value, columns) || (alone && value.is_array())))
      return find_fields(object, columns).is_row() ? whole : WrappedRows{value, {ordinal}};
    ++ordinal;
  }
  return whole;
}

}  // namespace capella::io
