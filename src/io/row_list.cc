#include "io/row_list.h"

#include <fmt/format.h>

#include "io/json_rows.h"
#include "io/problems.h"

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

// Calls visit(row, ordinal) for each row of the list, or for the one row that stands alone.
template <class Visit>
void for_each_row(element root, Visit visit) {
  simdjson::dom::array list;
  if (root.get(list)) return visit(root, std::size_t{0});
  std::size_t ordinal = 0;
  for (const element row : list) visit(row, ordinal++);
}

CaptionTableBuilder make_builder(const Source& source) {
  CaptionTableBuilder builder(source.name);
  builder.keep(source.json);
  builder.set_locator(json_locator(source.text, source.content, {}));
  return builder;
}

}  // namespace

bool is_row_list(const Source& source) {
  RowFields fields;
  return first_fields(source, fields) && (source.json->root.is_array() || fields.is_row());
}

CaptionTable read_row_list(const Source& source, const ReadOptions& options) {
  CaptionTableBuilder builder = make_builder(source);
  Problems problems(options.skip_bad);
  for_each_row(source.json->root, [&](element row, std::size_t ordinal) {
    std::string_view id;
    std::string problem = add_row(row, ordinal, {builder}, id);
    if (!problem.empty()) problems.add(ordinal, id, std::move(problem));
  });
  builder.set_skipped(problems.settle(source.name, builder.table().locate));
  return builder.build();
}

bool is_joint_list(const Source& source) {
  RowFields fields;
  return first_fields(source, fields) && fields.joint();
}

CaptionTable read_joint_list(const Source& source, const ReadOptions& options) {
  CaptionTableBuilder refs = make_builder(source);
  CaptionTableBuilder tests = make_builder(source);
  tests.keep(refs.table().text);
  Problems problems(options.skip_bad);
  for_each_row(source.json->root, [&](element row, std::size_t ordinal) {
    std::string_view id;
    std::string problem = add_joint_row(row, ordinal, {refs}, {tests}, id);
    if (!problem.empty()) problems.add(ordinal, id, std::move(problem));
  });
  refs.set_skipped(problems.settle(source.name, refs.table().locate));
  CaptionTable table = refs.build();
  table.tests = std::make_shared<const CaptionTable>(tests.build());
  return table;
}

bool is_caption_list(const Source& source) {
  return source.json && source.json->root.is_array();
}

// To leave out a malformed caption would shift all that follow, so here it stops the run whatever the
// options.
CaptionTable read_caption_list(const Source& source, const ReadOptions&) {
  CaptionTableBuilder builder = make_builder(source);
  builder.set_aligned();
  Problems problems(false);
  for_each_row(source.json->root, [&](element captions, std::size_t ordinal) {
    const std::string_view id = builder.copy(fmt::format_int(ordinal + 1).c_str());
    std::string problem = add_captions(id, captions, ordinal, {builder});
    if (!problem.empty()) problems.add(ordinal, "", std::move(problem));
  });
  problems.settle(source.name, builder.table().locate);
  return builder.build();
}

}  // namespace capella::io
