#include "io/line_rows.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "io/source.h"
#include "io/text_lines.h"

namespace capella::io {

void read_line_rows(const std::string& path, std::string_view expected,
                    const std::function<void(simdjson::dom::object)>& take) {
  const std::string name = path == "-" ? "standard input" : path;
  const Source source = open_source(name, read_file(path), expected);
  simdjson::dom::parser parser;
  for_each_line(source.content, [&](std::string_view line, std::size_t number) {
    if (is_blank(line)) return;
    try {
      element value;
      // The source has room behind its end.
      if (const auto error = parser.parse(line.data(), line.size(), false).get(value))
        throw RowWrong{
            fmt::format("the line is not JSON: {}; expected {}", simdjson::error_message(error), expected)};
      take(row_object(value, expected));
    } catch (const RowWrong& wrong) {
      throw DataError(fmt::format("{}:{}: {}{}", name, number, wrong.why,
                                  wrong.lacks_member ? fmt::format(", expected {}", expected) : ""));
    }
  });
}

std::optional<element> row_find(simdjson::dom::object row, std::string_view name) {
  element value;
  if (row[name].get(value) || value.is_null()) return std::nullopt;
  return value;
}

element row_member(simdjson::dom::object row, std::string_view name) {
  const std::optional<element> value = row_find(row, name);
  if (!value) throw RowWrong{fmt::format("the row has no {}", name), true};
  return *value;
}

simdjson::dom::object row_object(element value, std::string_view expected) {
  simdjson::dom::object row;
  if (value.get(row)) throw RowWrong{fmt::format("found {}, expected {}", describe(value), expected)};
  return row;
}

std::string row_id(element value, std::string_view name) {
  std::int64_t number = 0;
  if (!value.get(number)) return fmt::format_int(number).str();
  std::uint64_t large = 0;
  if (!value.get(large)) return fmt::format_int(large).str();
  if (!value.is_string())
    throw RowWrong{fmt::format("{} is {}, expected a text or a whole number", name, describe(value))};
  return row_text(value, name);
}

std::string row_id(simdjson::dom::object row, std::string_view name) {
  return row_id(row_member(row, name), name);
}

std::string row_text(element value, std::string_view name) {
  std::string_view text;
  if (value.get(text)) throw RowWrong{fmt::format("{} is {}, expected a text", name, describe(value))};
  if (is_blank(text)) throw RowWrong{fmt::format("{} is empty, expected a text", name)};
  return std::string(text);
}

double row_number(element value, std::string_view name, double least) {
  double number = 0;
  if (value.get(number) || !std::isfinite(number))
    throw RowWrong{fmt::format("{} is {}, expected a number", name, describe(value))};
  if (number < least) throw RowWrong{fmt::format("{} is {}, expected {} or more", name, number, least)};
  return number;
}

simdjson::dom::array row_list(simdjson::dom::object row, std::string_view name) {
  const element value = row_member(row, name);
  simdjson::dom::array list;
  if (value.get(list)) throw RowWrong{fmt::format("{} is {}, expected a list", name, describe(value))};
  return list;
}

Claim row_claim(element value, std::string_view name, std::size_t place) {
  const auto wrong = [&](const std::string& found) {
    return RowWrong{
        fmt::format("{}{} {}, expected [subject, predicate, object], three texts that are not empty", name,
                    place == 0 ? "" : fmt::format(" {}", place), found)};
  };
  simdjson::dom::array list;
  if (value.get(list)) throw wrong("is " + describe(value));
  if (list.size() != 3) throw wrong(fmt::format("is a list of {}", list.size()));
  std::array<std::string, 3> words;
  std::size_t count = 0;
  for (const element word : list) {
    std::string_view text;
    if (word.get(text)) throw wrong("holds " + describe(word));
    if (is_blank(text)) throw wrong("holds an empty text");
    words[count++] = text;
  }
  return {std::move(words[0]), std::move(words[1]), std::move(words[2])};
}

}  // namespace capella::io
