#include "encoder/tokenizer/html.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "encoder/tokenizer/windows_1252.h"

namespace capella::encoder {
namespace {

constexpr std::string_view kEntities =
#include "encoder/tokenizer/html_entities.inc"
    ;
constexpr std::size_t kLongestName = 32;  // characters

struct Entity {
  std::string text;
  bool may_stand_open;  // without its semicolon
};
using Entities = tsl::robin_map<std::string_view, Entity, StringHash>;

// "NAME:POINT", "NAME:POINT+POINT", with "*" in front of a name that may stand open.
void add_entity(std::string_view entry, Entities& entities) {
  const bool open = entry.starts_with('*');
  entry.remove_prefix(open ? 1 : 0);
  const std::size_t colon = entry.find(':');
  std::string text;
  for (const char* at = entry.data() + colon; at != entry.data() + entry.size();) {
    std::uint32_t point = 0;
    at = std::from_chars(at + 1, entry.data() + entry.size(), point, 16).ptr;
    append_utf8(text, point);
  }
  entities.emplace(entry.substr(0, colon), Entity{std::move(text), open});
}

const Entities& entities() {
  static const Entities kTable = [] {
    Entities made;
    for (std::size_t begin = 0; begin < kEntities.size();) {
      const std::size_t end = kEntities.find(' ', begin);
      add_entity(kEntities.substr(begin, end - begin), made);
      begin = end + 1;
    }
    return made;
  }();
  return kTable;
}

const Entity* find_entity(std::string_view name) {
  const auto found = entities().find(name);
  return found == entities().end() ? nullptr : &found->second;
}

// Characters that HTML forbids as numbers: they become nothing.
bool is_forbidden(std::uint32_t point) {
  return point < 0x9 || point == 0xB || (point >= 0xE && point < 0x20) || (point >= 0x7F && point < 0xA0) ||
         (point >= 0xFDD0 && point < 0xFDF0) || (point & 0xFFFE) == 0xFFFE;
}

std::string numbered(std::uint32_t point) {
  std::string text;
  if (point == 0 || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
    append_utf8(text, kReplacementCharacter);
  else if (point >= 0x80 && point < 0xA0)
    append_utf8(text, from_windows_1252(point));
  else if (!is_forbidden(point))
    append_utf8(text, point);
  return text;
}

// What stands at the beginning of the text, behind "&", and how much of it is read.
struct Reading {
  std::string text;
  std::size_t length = 0;
  bool closed = false;  // by a semicolon
};

std::optional<Reading> read_number(std::string_view text) {
  const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  const char* const begin = text.data() + (hex ? 2 : 1);
  const char* const end = text.data() + text.size();
  std::uint32_t point = 0;
  const auto [behind, problem] = std::from_chars(begin, end, point, hex ? 16 : 10);
  if (problem == std::errc::invalid_argument) return std::nullopt;
  if (problem == std::errc::result_out_of_range) point = 0xFFFFFFFF;
  const bool closed = behind != end && *behind == ';';
  return Reading{numbered(point), static_cast<std::size_t>(behind - text.data()) + closed, closed};
}

// The bytes of the longest possible name.
std::size_t name_length(std::string_view text) {
  constexpr std::string_view kEnds("\t\n\f <&#;");
  std::size_t position = 0;
  for (std::size_t n = 0; n < kLongestName && position < text.size(); ++n) {
    if (kEnds.find(text[position]) != std::string_view::npos) break;
    decode_utf8(text, position);
  }
  return position;
}

std::optional<Reading> read_name(std::string_view text) {
  const std::size_t length = name_length(text);
  const bool closed = length < text.size() && text[length] == ';';
  const Entity* whole = find_entity(text.substr(0, length));
  if (whole != nullptr && (closed || whole->may_stand_open))
    return Reading{whole->text, length + closed, closed};
  for (std::size_t part = length; part > 1; --part) {
    const Entity* begun = find_entity(text.substr(0, part));
    if (begun != nullptr && begun->may_stand_open) return Reading{begun->text, part, false};
  }
  return std::nullopt;
}

std::string unescape(std::string_view text, bool closed_only) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t ampersand; (ampersand = text.find('&', at)) != std::string_view::npos;) {
    out += text.substr(at, ampersand - at);
    const std::string_view rest = text.substr(ampersand + 1);
    const auto found = rest.starts_with('#') ? read_number(rest) : read_name(rest);
    const bool taken = found && (found->closed || !closed_only);
    out += taken ? found->text : "&";
    at = ampersand + 1 + (taken ? found->length : 0);
  }
  return out += text.substr(at);
}

}  // namespace

std::string unescape_html(std::string_view text) {
  return unescape(text, false);
}

std::string unescape_closed_html(std::string_view text) {
  return unescape(text, true);
}

}  // namespace capella::encoder
