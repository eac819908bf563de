// A file's content, checked for what every format asks: it is not empty and it is UTF-8.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/json_document.h"

namespace capella::io {

struct Source {
  std::string name;                          ///< as messages show it
  std::shared_ptr<const std::string> text;   ///< owns `content`
  std::string_view content;                  ///< without a byte order mark
  bool json_lines = false;                   ///< one JSON object per line
  std::shared_ptr<const JsonDocument> json;  ///< set where the whole content is one JSON text
};

/// Checks the text and parses it if it is JSON. Throws DataError; `expected` says there what was looked for.
Source open_source(std::string name, std::string text, std::string_view expected = "captions");

}  // namespace capella::io
