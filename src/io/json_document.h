// One JSON text: parsed, with errors that name the line, and a way back from a parsed row to its line.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "io/caption_table.h"

namespace capella::io {

using simdjson::dom::element;

/// A parsed document. Strings of `root` live as long as the document does.
struct JsonDocument {
  simdjson::dom::document storage;
  element root;
};

/// Parses `content`, which must be followed by SIMDJSON_PADDING readable bytes. Throws DataError in the form
/// SOURCE:LINE when it is not JSON; a text that was cut short is reported at its last line.
std::shared_ptr<const JsonDocument> parse_json(const std::string& source, std::string_view content);

/// The line, from 1, that holds the byte at `offset`.
std::size_t line_at(std::string_view content, std::size_t offset);

/// The lines on which children of a container begin. `content` is JSON that has been parsed; `path` leads
/// from the root to the container, by ordinals ({2} is the third member of the root); `ordinals` ascend and
/// count the container's children from 0.
std::vector<std::size_t> lines_of_children(std::string_view content, std::span<const std::size_t> path,
                                           std::span<const std::size_t> ordinals);

/// A LineLocator that keeps the text alive and calls lines_of_children.
LineLocator json_locator(std::shared_ptr<const std::string> text, std::string_view content,
                         std::vector<std::size_t> path);

/// "the number 5", "a list", ...: how messages name a value that should not be there.
std::string describe(element value);

}  // namespace capella::io
