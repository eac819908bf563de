#include "io/row_list.h"

#include <array>

#include <fmt/format.h>

#include "io/json_rows.h"
#include "io/json_table.h"

namespace capella::io {
namespace {

bool first_element(const Source& source, element& first) {
  if (!source.json) return false;
  first = source.json->root;
  simdjson::dom::array list;
  if (first.get(list)) return true;
  if (list.begin() == list.end()) return false;
  first = *list.begin();
  return true;
}

bool first_fields(const Source& source, RowFields& fields) {
  element first;
  simdjson::dom::object object;
  if (!first_element(source, first) || first.get(object)) return false;
  fields = find_fields(object);
  return true;
}

// Reads each row of the list, or the one row that stands alone.
template <class Add>
CaptionTable read_list(const Source& source, bool skip_bad, Add add) {
  simdjson::dom::array list;
  if (source.json->root.get(list)) {
    return read_json_rows(source, {}, std::array{source.json->root}, skip_bad, add);
  }
  return read_json_rows(source, {}, list, skip_bad, add);
}

}  // namespace

bool is_row_list(const Source& source) {
  RowFields fields;
  return first_fields(source, fields) && (source.json->root.is_array() || fields.is_row());
}

CaptionTable read_row_list(const Source& source, const ReadOptions& options) {
  const auto add = [](element row, std::size_t ordinal, CaptionTableBuilder& builder, std::string_view& id) {
    return add_row(row, ordinal, {builder}, id);
  };
  return read_list(source, options.skip_bad, add);
}

bool is_joint_list(const Source& source) {
  RowFields fields;
  return first_fields(source, fields) && fields.joint();
}

CaptionTable read_joint_list(const Source& source, const ReadOptions& options) {
  CaptionTableBuilder tests = json_builder(source, {});
  const auto add = [&](element row, std::size_t ordinal, CaptionTableBuilder& refs, std::string_view& id) {
    return add_joint_row(row, ordinal, {refs}, {tests}, id);
  };
  CaptionTable table = read_list(source, options.skip_bad, add);
  tests.keep(table.text);
  table.tests = std::make_shared<const CaptionTable>(tests.build());
  return table;
}

bool is_caption_list(const Source& source) {
  return source.json && source.json->root.is_array();
}

// To leave out a malformed caption would shift all that follow, so here it stops the run whatever the
// options.
CaptionTable read_caption_list(const Source& source, const ReadOptions&) {
  const auto add = [](element captions, std::size_t ordinal, CaptionTableBuilder& builder,
                      std::string_view&) {
    const std::string_view id = builder.copy(fmt::format_int(ordinal + 1).c_str());
    return add_captions(id, captions, ordinal, {builder});
  };
  CaptionTable table = read_list(source, false, add);
  table.aligned = true;
  return table;
}

}  // namespace capella::io
