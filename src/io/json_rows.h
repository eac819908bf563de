// Rows as JSON objects, the same in a list, in JSON lines and in COCO annotations:
//   {"image_id": 7, "caption": "a dog"}                               one caption
//   {"image_id": 7, "captions": ["a dog", "the dog"]}                 several
//   {"image_id": 7, "test": "a dog", "refs": ["a dog", "the dog"]}    joint: a hypothesis with its references
// Each function returns what is wrong with a row, or an empty string.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "io/caption_table.h"
#include "io/column_names.h"
#include "io/json_document.h"

namespace capella::io {

/// Where rows go. `copy` is set when the parsed text will not outlive the row.
struct JsonTarget {
  CaptionTableBuilder& table;
  bool copy = false;
  ColumnNames columns{};

  std::string_view keep(std::string_view text) const { return copy ? table.copy(text) : text; }
};

struct RowFields {
  std::optional<element> id;
  std::optional<element> captions;
  std::optional<element> test;
  std::optional<element> refs;
  bool has_named_id = false;  ///< `id` is that of the column that the user names
  bool has_named_caption = false;

  bool joint() const { return test && refs; }
  bool is_row() const { return id && (captions || joint()); }
};

RowFields find_fields(simdjson::dom::object row, const ColumnNames& columns);

/// A string as it is, a whole number (7.0 is one) as its decimal text.
std::string take_id(element value, JsonTarget target, std::string_view& id);

/// Adds one row for a string, or one for each string of a list. Elements of the list may be objects with a
/// `caption`. Nothing is added unless all is well.
std::string add_captions(std::string_view id, element value, std::size_t position, JsonTarget target);

/// Adds the captions of a row. `id` is set as soon as it is known, for the message.
std::string add_row(element row, std::size_t position, JsonTarget target, std::string_view& id);

/// The same for a joint row.
std::string add_joint_row(element row, std::size_t position, JsonTarget refs, JsonTarget tests,
                          std::string_view& id);

}  // namespace capella::io
