#include "io/json_rows.h"

#include <cstdint>

#include <fmt/format.h>

#include "io/column_names.h"

namespace capella::io {
namespace {

// The text of one caption: a string, or {"caption": string} as pycocoevalcap's callers write it.
bool caption_text(element value, std::string_view& text) {
  if (!value.get(text)) return true;
  simdjson::dom::object object;
  return !value.get(object) && !object["caption"].get(text);
}

std::string caption_problem(element value) {
  return fmt::format("the caption is {}, expected a string", describe(value));
}

std::string check_captions(element value) {
  std::string_view text;
  simdjson::dom::array list;
  if (value.get(list)) {
    return caption_text(value, text) ? "" : caption_problem(value) + " or a list of strings";
  }
  if (list.begin() == list.end()) return "the list of captions is empty, expected at least one";
  for (const element one : list) {
    if (!caption_text(one, text)) return caption_problem(one);
  }
  return "";
}

std::string id_of_row(element row, JsonTarget target, RowFields& fields, std::string_view& id) {
  simdjson::dom::object object;
  if (row.get(object)) return fmt::format("the row is {}, expected an object", describe(row));
  fields = find_fields(object);
  if (!fields.id) return fmt::format("the row has no id, expected one of {}", kIdNamesText);
  return take_id(*fields.id, target, id);
}

}  // namespace

RowFields find_fields(simdjson::dom::object row) {
  RowFields fields;
  std::size_t id_rank = kIdNames.size();
  std::size_t caption_rank = kCaptionNames.size();
  for (const auto& [key, value] : row) {
    if (const std::size_t rank = rank_of(key, kIdNames); rank < id_rank) {
      id_rank = rank;
      fields.id = value;
    } else if (const std::size_t rank2 = rank_of(key, kCaptionNames); rank2 < caption_rank) {
      caption_rank = rank2;
      fields.captions = value;
    } else if (key == "test") {
      fields.test = value;
    } else if (key == "refs") {
      fields.refs = value;
    }
  }
  return fields;
}

std::string take_id(element value, JsonTarget target, std::string_view& id) {
  std::string_view text;
  std::int64_t number = 0;
  std::uint64_t large = 0;
  if (!value.get(text)) {
    id = target.keep(text);
  } else if (!value.get(number)) {
    id = target.table.copy(fmt::format_int(number).c_str());
  } else if (!value.get(large)) {
    id = target.table.copy(fmt::format_int(large).c_str());
  } else {
    return fmt::format("the id is {}, expected a string or a whole number", describe(value));
  }
  return id.empty() ? "the id is empty, expected a name or a number" : "";
}

std::string add_captions(std::string_view id, element value, std::size_t position, JsonTarget target) {
  std::string problem = check_captions(value);
  if (!problem.empty()) return problem;
  std::string_view text;
  simdjson::dom::array list;
  if (value.get(list)) {
    caption_text(value, text);
    target.table.add_view(id, target.keep(text), position);
    return "";
  }
  for (const element one : list) {
    caption_text(one, text);
    target.table.add_view(id, target.keep(text), position);
  }
  return "";
}

std::string add_row(element row, std::size_t position, JsonTarget target, std::string_view& id) {
  RowFields fields;
  std::string problem = id_of_row(row, target, fields, id);
  if (!problem.empty()) return problem;
  if (!fields.captions) return fmt::format("the row has no caption, expected one of {}", kCaptionNamesText);
  return add_captions(id, *fields.captions, position, target);
}

std::string add_joint_row(element row, std::size_t position, JsonTarget refs, JsonTarget tests,
                          std::string_view& id) {
  RowFields fields;
  std::string problem = id_of_row(row, refs, fields, id);
  if (!problem.empty()) return problem;
  if (!fields.joint()) return "the row lacks test or refs, expected both as in the rows before";
  problem = check_captions(*fields.test);
  if (!problem.empty()) return "in test: " + problem;
  problem = add_captions(id, *fields.refs, position, refs);
  if (!problem.empty()) return "in refs: " + problem;
  return add_captions(id, *fields.test, position, tests);
}

}  // namespace capella::io
