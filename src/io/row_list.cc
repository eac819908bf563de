#include "io/row_list.h"

#include <array>

#include <fmt/format.h>

#include "io/json_rows.h"
#include "io/json_table.h"
#include "io/wrapped_rows.h"

namespace capella::io {
namespace {

bool first_element(element root, element& first) {
  first = root;
  simdjson::dom::array list;
  if (root.get(list)) return true;
  if (list.begin() == list.end()) return false;
  first = *list.begin();
  return true;
}

bool first_fields(const Source& source, const ReadOptions& options, RowFields& fields) {
  element first;
  simdjson::dom::object object;
  if (!source.json || !first_element(rows_of(source, options.columns()).value, first)) return false;
  if (first.get(object)) return false;
  fields = find_fields(object, options.columns());
  return true;
}

// Reads each row of the list, or the one row that stands alone.
template <class Add>
CaptionTable read_list(const Source& source, const WrappedRows& rows, bool skip_bad, Add add) {
  simdjson::dom::array list;
  if (rows.value.get(list)) return read_json_rows(source, rows.path, std::array{rows.value}, skip_bad, add);
  return read_json_rows(source, rows.path, list, skip_bad, add);
}

}  // namespace

bool is_row_list(const Source& source, const ReadOptions& options) {
  RowFields fields;
  return first_fields(source, options, fields) &&
         (rows_of(source, options.columns()).value.is_array() || fields.is_row());
}

CaptionTable read_row_list(const Source& source, const ReadOptions& options) {
  const auto add = [&](element row, std::size_t ordinal, CaptionTableBuilder& builder, std::string_view& id) {
    return add_row(row, ordinal, {builder, false, options.columns()}, id);
  };
  return read_list(source, rows_of(source, options.columns()), options.skip_bad, add);
}

bool is_joint_list(const Source& source, const ReadOptions& options) {
  RowFields fields;
  return first_fields(source, options, fields) && fields.joint();
}

CaptionTable read_joint_list(const Source& source, const ReadOptions& options) {
  const WrappedRows rows = rows_of(source, options.columns());
  CaptionTableBuilder tests = json_builder(source, rows.path);
  const auto add = [&](element row, std::size_t ordinal, CaptionTableBuilder& refs, std::string_view& id) {
    return add_joint_row(row, ordinal, {refs, false, options.columns()}, {tests}, id);
  };
  CaptionTable table = read_list(source, rows, options.skip_bad, add);
  tests.keep(table.text);
  table.tests = std::make_shared<const CaptionTable>(tests.build());
  return table;
}

bool is_caption_list(const Source& source, const ReadOptions& options) {
  return source.json && rows_of(source, options.columns()).value.is_array();
}

// To leave out a malformed caption would shift all that follow, so here it stops the run whatever the
// options.
CaptionTable read_caption_list(const Source& source, const ReadOptions& options) {
  const auto add = [](element captions, std::size_t ordinal, CaptionTableBuilder& builder,
                      std::string_view&) {
    const std::string_view id = builder.copy(fmt::format_int(ordinal + 1).c_str());
    return add_captions(id, captions, ordinal, {builder});
  };
  CaptionTable table = read_list(source, rows_of(source, options.columns()), false, add);
  table.aligned = true;
  return table;
}

}  // namespace capella::io
