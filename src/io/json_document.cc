// Parsing is done by simdjson, which is fast but does not say where a text goes wrong. So a text that it
// refuses is read again by nlohmann's parser, which does. Likewise the DOM keeps no offsets: when an error
// needs the line of a row, the text, known to be valid by then, is skimmed for it.
#include "io/json_document.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/ascii.h"
#include "base/names.h"

namespace capella::io {
namespace {

// Receives the events of nlohmann's parser, ignores all but the error.
struct FindError : nlohmann::json_sax<nlohmann::json> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    bytes_read = position;
    what = error.what();
    return false;
  }
  std::size_t bytes_read = 0;
  std::string what;
};

// "[json.exception...] parse error at line 1, column 2: syntax error while parsing value - REASON; last read:
// ..."
std::string reason(std::string_view what) {
  for (const std::string_view mark : {"] ", " - "}) {
    if (const std::size_t at = what.find(mark); at != std::string_view::npos)
      what.remove_prefix(at + mark.size());
  }
  return std::string(what.substr(0, what.find("; last read")));
}

// A piece of the line that holds `offset`, with that place in the middle.
std::string around(std::string_view content, std::size_t offset) {
  constexpr std::size_t kReach = 25;
  const std::size_t line = content.rfind('\n', offset == 0 ? 0 : offset - 1) + 1;
  std::size_t begin = std::max(line <= offset ? line : 0, offset - std::min(offset, kReach));
  while (begin < offset && (content[begin] & 0xC0) == 0x80) ++begin;
  const std::size_t end = std::min(content.find('\n', offset), offset + kReach);
  return excerpt(content.substr(begin, end - begin));
}

[[noreturn]] void fail_at_error(const std::string& source, std::string_view content,
                                simdjson::error_code code) {
  FindError error;
  if (code == simdjson::DEPTH_ERROR || nlohmann::json::sax_parse(content.begin(), content.end(), &error)) {
    throw DataError(fmt::format("{}: cannot be read as JSON: {}", source, simdjson::error_message(code)));
  }
  const std::size_t end = content.find_last_not_of(kBlank) + 1;
  const std::size_t offset = error.bytes_read == 0 ? 0 : error.bytes_read - 1;
  if (offset >= end) {
    throw DataError(
        fmt::format("{}:{}: not JSON: the text ends inside a list, object or string ({}); "
                    "the file seems to be cut short, make it again",
                    source, line_at(content, end), excerpt(reason(error.what))));
  }
  throw DataError(fmt::format("{}:{}: not JSON: {}, near '{}'; correct the file", source,
                              line_at(content, offset), reason(error.what), around(content, offset)));
}

std::size_t skip_blank(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlank, at), text.size());
}

std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// The position behind the value that begins at `at`, in valid JSON.
std::size_t skip_value(std::string_view text, std::size_t at) {
  if (text[at] == '"') return skip_string(text, at);
  if (text[at] != '{' && text[at] != '[') return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
  std::size_t depth = 0;
  do {
    at = text.find_first_of("\"{}[]", at);
    if (text[at] == '"') {
      at = skip_string(text, at);
      continue;
    }
    text[at] == '{' || text[at] == '[' ? ++depth : --depth;
    ++at;
  } while (depth > 0);
  return at;
}

// Calls visit(begin of child, begin of its value) for the children of the container at `at`, until it is
// false.
template <class Visit>
void for_each_child(std::string_view text, std::size_t at, Visit visit) {
  const bool object = text[at] == '{';
  at = skip_blank(text, at + 1);
  while (at < text.size() && text[at] != '}' && text[at] != ']') {
    std::size_t value = at;
    if (object) value = skip_blank(text, skip_blank(text, skip_string(text, at)) + 1);
    if (!visit(at, value)) return;
    at = skip_blank(text, skip_value(text, value));
    if (at < text.size() && text[at] == ',') at = skip_blank(text, at + 1);
  }
}

std::size_t value_of_child(std::string_view text, std::size_t container, std::size_t ordinal) {
  std::size_t found = container;
  std::size_t count = 0;
  for_each_child(text, container, [&](std::size_t, std::size_t value) {
    found = value;
    return count++ != ordinal;
  });
  return found;
}

}  // namespace

std::shared_ptr<const JsonDocument> parse_json(const std::string& source, std::string_view content) {
  auto document = std::make_shared<JsonDocument>();
  simdjson::dom::parser parser;
  const auto error = parser.parse_into_document(document->storage, content.data(), content.size(), false)
                         .get(document->root);
  if (error) fail_at_error(source, content, error);
  return document;
}

std::size_t line_at(std::string_view content, std::size_t offset) {
  const auto end = content.begin() + static_cast<std::ptrdiff_t>(std::min(offset, content.size()));
  return static_cast<std::size_t>(std::count(content.begin(), end, '\n')) + 1;
}

std::vector<std::size_t> lines_of_children(std::string_view content, std::span<const std::size_t> path,
                                           std::span<const std::size_t> ordinals) {
  std::size_t container = skip_blank(content, 0);
  for (const std::size_t ordinal : path) container = value_of_child(content, container, ordinal);

  std::vector<std::size_t> lines;
  std::size_t counted = 0;
  std::size_t line = 1;
  std::size_t child = 0;
  for_each_child(content, container, [&](std::size_t begin, std::size_t) {
    for (; lines.size() < ordinals.size() && ordinals[lines.size()] == child; lines.push_back(line)) {
      line += line_at(content.substr(counted), begin - counted) - 1;
      counted = begin;
    }
    ++child;
    return lines.size() < ordinals.size();
  });
  lines.resize(ordinals.size(), line);
  return lines;
}

LineLocator json_locator(std::shared_ptr<const std::string> text, std::string_view content,
                         std::vector<std::size_t> path) {
  return [text = std::move(text), content, path = std::move(path)](std::span<const std::size_t> ordinals) {
    return lines_of_children(content, path, ordinals);
  };
}

std::string describe(element value) {
  using simdjson::dom::element_type;
  switch (value.type()) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return fmt::format("the text \"{}\"", excerpt(std::string_view(value)));
    case element_type::NULL_VALUE:
      return "null";
    case element_type::BOOL:
      return bool(value) ? "true" : "false";
    default:
      return fmt::format("the number {}", simdjson::minify(value));
  }
}

}  // namespace capella::io
