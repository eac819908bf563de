#include "io/json_rows.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "base/names.h"

namespace capella::io {
namespace {

constexpr double kLargestExact = 9007199254740992.0;  // 2^53: below it a double is one whole number

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

std::string list_keys(element row) {
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : simdjson::dom::object(row)) keys.push_back(key);
  return list_names(keys);
}

std::string id_of_row(element row, JsonTarget target, RowFields& fields, std::string_view& id) {
  simdjson::dom::object object;
  if (row.get(object)) return fmt::format("the row is {}, expected an object", describe(row));
  fields = find_fields(object, target.columns);
  if (!fields.id) return "the row has " + lacks_id(list_keys(row), target.columns.id);
  target.table.note_named(fields.has_named_id, fields.has_named_caption);
  return take_id(*fields.id, target, id);
}

}  // namespace

RowFields find_fields(simdjson::dom::object row, const ColumnNames& columns) {
  RowFields fields;
  std::size_t id_rank = ColumnNames::kNoRank;
  std::size_t caption_rank = ColumnNames::kNoRank;
  for (const auto& [key, value] : row) {
    if (const std::size_t rank = columns.id_rank(key); rank < id_rank) {
      id_rank = rank;
      fields.id = value;
    } else if (const std::size_t rank2 = columns.caption_rank(key); rank2 < caption_rank) {
      caption_rank = rank2;
      fields.captions = value;
    } else if (key == "test") {
      fields.test = value;
    } else if (key == "refs") {
      fields.refs = value;
    }
  }
  fields.has_named_id = id_rank == 0;
  fields.has_named_caption = caption_rank == 0;
  return fields;
}

std::string take_id(element value, JsonTarget target, std::string_view& id) {
  std::string_view text;
  std::int64_t number = 0;
  std::uint64_t large = 0;
  double real = 0;
  if (!value.get(text)) {
    id = target.keep(text);
  } else if (!value.get(number)) {
    id = target.table.copy(fmt::format_int(number).c_str());
  } else if (!value.get(large)) {
    id = target.table.copy(fmt::format_int(large).c_str());
  } else if (!value.get(real) && real == std::trunc(real) && std::abs(real) < kLargestExact) {
    id = target.table.copy(fmt::format_int(static_cast<std::int64_t>(real)).c_str());
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
  if (!fields.captions) return "the row has " + lacks_caption(list_keys(row), target.columns.caption);
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
