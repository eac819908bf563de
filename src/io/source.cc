#include "io/source.h"

#include <algorithm>

#include <fmt/format.h>
#include <simdjson.h>

#include "capella/error.h"

namespace capella::io {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
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

// Whether the first line is an object by itself and something follows it.
bool looks_like_json_lines(std::string_view content) {
  const std::size_t begin = content.find_first_not_of(kBlank);
  const std::size_t end = content.find('\n', begin);
  if (content[begin] != '{' || content.find_first_not_of(kBlank, end) == std::string_view::npos) return false;
  simdjson::dom::parser parser;
  element row;
  return !parser.parse(content.data() + begin, end - begin, false).get(row) && row.is_object();
}

}  // namespace

Source open_source(std::string name, std::string text) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  Source source;
  source.name = std::move(name);
  source.text = std::make_shared<const std::string>(std::move(text));
  source.content = without_byte_order_mark(*source.text);
  if (source.content.find_first_not_of(kBlank) == std::string_view::npos) {
    throw DataError(fmt::format("{}: the file is empty, expected captions", source.name));
  }
  check_utf8(source.name, source.content);
  if (looks_like_json(source.content)) {
    source.json_lines = looks_like_json_lines(source.content);
    if (!source.json_lines) source.json = parse_json(source.name, source.content);
  }
  return source;
}

}  // namespace capella::io
