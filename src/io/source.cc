#include "io/source.h"

#include <algorithm>

#include <fmt/format.h>
#include <simdjson.h>

#include "capella/error.h"

#include "base/ascii.h"

namespace capella::io {
namespace {

std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

// A line break is never part of a longer UTF-8 sequence, so the first bad line can be found line by line.
void check_utf8(const std::string& name, std::string_view content) {
  if (simdjson::validate_utf8(content.data(), content.size())) return;
  if (content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF")) {
    throw DataError(fmt::format("{}:1: the text is UTF-16, expected UTF-8; save the file as UTF-8", name));
  }
  std::size_t line = 1;
  for (std::size_t begin = 0; begin < content.size(); ++line) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    if (!simdjson::validate_utf8(content.data() + begin, end - begin)) break;
    begin = end + 1;
  }
  throw DataError(
      fmt::format("{}:{}: the line is not valid UTF-8; save the file as UTF-8 "
                  "(iconv -f latin1 -t utf-8, if it is Latin-1)",
                  name, line));
}

// Whether the text sets out like a JSON list or object, and not like a caption in brackets.
bool looks_like_json(std::string_view content) {
  const std::size_t first = content.find_first_not_of(kBlank);
  const std::size_t second = content.find_first_not_of(kBlank, first + 1);
  const char next = second == std::string_view::npos ? '\0' : content[second];
  if (content[first] == '{') return next == '"' || next == '}' || next == '\0';
  return content[first] == '[' && std::string_view("{[\"]\0", 5).find(next) != std::string_view::npos;
}

bool is_object(std::string_view line) {
  simdjson::dom::parser parser;
  element row;
  return line.starts_with('{') && line.ends_with('}') &&
         !parser.parse(line.data(), line.size(), false).get(row) && row.is_object();
}

// Whether one of the first lines is an object by itself and no part of what stands before it: inside a JSON
// text an object follows a bracket, a comma or a colon. One object with nothing round it is a text of its
// own.
bool looks_like_json_lines(std::string_view content) {
  constexpr std::size_t kLinesLookedAt = 16;
  if (content[content.find_first_not_of(kBlank)] != '{') return false;
  std::string_view rest = trimmed(content);
  char before = '\0';
  for (std::size_t i = 0; i < kLinesLookedAt && !rest.empty(); ++i) {
    const std::string_view line = trimmed(rest.substr(0, rest.find('\n')));
    rest = trimmed(rest.substr(line.size()));
    const bool inside = std::string_view("[,:").find(before) != std::string_view::npos;
    const bool alone = before == '\0' && rest.empty();
    if (!inside && !alone && is_object(line)) return true;
    before = line.back();
  }
  return false;
}

}  // namespace

Source open_source(std::string name, std::string text, std::string_view expected) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  Source source;
  source.name = std::move(name);
  source.text = std::make_shared<const std::string>(std::move(text));
  source.content = without_byte_order_mark(*source.text);
  if (source.content.find_first_not_of(kBlank) == std::string_view::npos) {
    throw DataError(fmt::format("{}: the file is empty, expected {}", source.name, expected));
  }
  check_utf8(source.name, source.content);
  if (looks_like_json(source.content)) {
    source.json_lines = looks_like_json_lines(source.content);
    if (!source.json_lines) source.json = parse_json(source.name, source.content);
  }
  return source;
}

}  // namespace capella::io
