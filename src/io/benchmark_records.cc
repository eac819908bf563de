#include "io/benchmark_records.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/names.h"
#include "io/json_members.h"
#include "io/python_list.h"
#include "io/text_lines.h"

namespace capella::io {
namespace {

constexpr std::string_view kAdvice = "correct the file, or get it again if it was cut short";

std::string one_of(FieldNames names) {
  return names.size() == 1 ? std::string(*names.begin()) : fmt::format("one of {}", fmt::join(names, ", "));
}

[[noreturn]] void fail(std::string_view name, const std::string& found, std::string_view expected) {
  throw RowProblem{fmt::format("{} is {}, expected {}", name, found, expected)};
}

std::string quoted(std::string_view cell) {
  return fmt::format("the text \"{}\"", excerpt(cell));
}

std::string describe_range(NumberRange range) {
  if (range.high < std::numeric_limits<double>::max()) {
    return fmt::format("a number from {} to {}", range.low, range.high);
  }
  return range.low > std::numeric_limits<double>::lowest() ? fmt::format("a number not below {}", range.low)
                                                           : "a finite number";
}

double checked(std::string_view name, double number, const std::string& found, NumberRange range) {
  if (std::isfinite(number) && number >= range.low && number <= range.high) return number;
  fail(name, found, describe_range(range));
}

// Text of a list's element.
std::string text_of(std::string_view name, element value) {
  std::string_view text;
  if (value.get(text)) fail("an element of " + std::string(name), describe(value), "a string");
  return std::string(text);
}

std::vector<std::string> texts_of(std::string_view name, element value) {
  simdjson::dom::array list;
  if (value.get(list)) return {text_of(name, value)};
  std::vector<std::string> texts;
  for (const element one : list) texts.push_back(text_of(name, one));
  return texts;
}

std::vector<std::string> texts_of(std::string_view name, std::string_view cell) {
  if (!cell.starts_with('[')) return {std::string(cell)};
  simdjson::dom::parser parser;
  element list;
  if (!parser.parse(cell.data(), cell.size()).get(list)) return texts_of(name, list);
  std::vector<std::string> texts;
  if (!parse_python_list(cell, texts)) fail(name, quoted(cell), "a list of strings, [\"...\", \"...\"]");
  return texts;
}

// Calls read() and notes the problem it throws.
template <class Read>
void note_problem(Problems& problems, std::size_t position, Read read) {
  try {
    read();
  } catch (RowProblem& problem) {
    problems.add(position, "", std::move(problem.why));
  }
}

void check_rows(const Source& source, std::size_t rows) {
  if (rows == 0) throw DataError(fmt::format("{}: there are no rows in it; {}", source.name, kAdvice));
}

void visit_element(element row, const VisitRecord& visit) {
  if (!row.is_object()) throw RowProblem{fmt::format("the row is {}, expected an object", describe(row))};
  visit(Record(row));
}

template <class Rows>
void visit_json(const Source& source, std::vector<std::size_t> path, const Rows& rows,
                const VisitRecord& visit, std::string_view list = {}) {
  Problems problems(false, kAdvice, list);
  std::size_t ordinal = 0;
  for (const element row : rows) {
    note_problem(problems, ordinal, [&] { visit_element(row, visit); });
    ++ordinal;
  }
  if (problems.empty()) return check_rows(source, ordinal);
  problems.settle(source.name, json_locator(source.text, source.content, std::move(path)), ordinal);
}

void visit_json_lines(const Source& source, const VisitRecord& visit) {
  simdjson::dom::parser parser;
  for_each_text_row(source, [&](std::string_view line, std::size_t) {
    element row;
    if (const auto error = parser.parse(line.data(), line.size(), false).get(row)) {
      throw RowProblem{fmt::format("the line is not JSON: {}", simdjson::error_message(error))};
    }
    visit_element(row, visit);
  });
}

void visit_csv(const Source& source, const VisitRecord& visit) {
  TextStore store;
  CsvParser parser(source.content, delimiter_of(source.content), store);
  CsvRecord record;
  parser.next(record);
  CsvColumns columns{place(source.name, record.line), {}};
  for (const std::string_view cell : record.cells) columns.names.push_back(column_name(cell));
  Problems problems(false, kAdvice);
  std::size_t rows = 0;
  for (; parser.next(record); ++rows) {
    note_problem(problems, record.line, [&] {
      if (!record.problem.empty()) throw RowProblem{std::string(record.problem)};
      if (record.cells.size() != columns.names.size()) {
        throw RowProblem{fmt::format("the row has {} cells, expected {} as in the header",
                                     record.cells.size(), columns.names.size())};
      }
      visit(Record(columns, record));
    });
  }
  problems.settle(source.name, {});
  check_rows(source, rows);
}

}  // namespace

Record::Field Record::find(FieldNames names) const {
  if (const auto* const object = std::get_if<element>(&row_)) {
    for (const std::string_view name : names) {
      element value;
      if (!(*object)[name].get(value) && !value.is_null()) return {name, value};
    }
    return {};
  }
  const Cells& cells = std::get<Cells>(row_);
  for (const std::string_view name : names) {
    for (std::size_t i = 0; i < cells.columns->names.size(); ++i) {
      if (cells.columns->names[i] == name && !cells.record->cells[i].empty()) {
        return {name, cells.record->cells[i]};
      }
    }
  }
  return {};
}

Record::Field Record::need(FieldNames names) const {
  Field field = find(names);
  if (field.value.index() != 0) return field;
  if (const auto* const cells = std::get_if<Cells>(&row_)) {
    const auto& columns = cells->columns->names;
    const auto is_there = [&](std::string_view name) {
      return std::find(columns.begin(), columns.end(), name) != columns.end();
    };
    if (std::none_of(names.begin(), names.end(), is_there)) {
      throw DataError(fmt::format("{}: the columns are {}, expected {} among them; give a file with it",
                                  cells->columns->place, excerpt(fmt::format("{}", fmt::join(columns, ", "))),
                                  one_of(names)));
    }
  }
  throw RowProblem{fmt::format("the row has no {}, expected {}", *names.begin(), one_of(names))};
}

std::vector<std::string> Record::names() const {
  const auto* const row = std::get_if<element>(&row_);
  if (row == nullptr) return std::get<Cells>(row_).columns->names;
  std::vector<std::string> names;
  for (const auto& [name, value] : simdjson::dom::object(*row)) names.emplace_back(name);
  return names;
}

bool Record::has(FieldNames names) const {
  return find(names).value.index() != 0;
}

std::string_view Record::text(FieldNames names) const {
  const Field field = need(names);
  if (const auto* const cell = std::get_if<std::string_view>(&field.value)) return *cell;
  const element value = std::get<element>(field.value);
  std::string_view text;
  if (value.get(text)) fail(field.name, describe(value), "a string");
  return text;
}

std::string Record::id(FieldNames names) const {
  const Field field = need(names);
  const auto* const value = std::get_if<element>(&field.value);
  std::int64_t number = 0;
  if (value && !value->get(number)) return fmt::format("{}", number);
  const std::string_view id = text(names);
  if (id.empty()) throw RowProblem{fmt::format("{} is empty, expected a name or a number", field.name)};
  return std::string(id);
}

double Record::number(FieldNames names, NumberRange range) const {
  const Field field = need(names);
  double number = 0;
  if (const auto* const cell = std::get_if<std::string_view>(&field.value)) {
    if (!parse_number(*cell, number)) fail(field.name, quoted(*cell), describe_range(range));
    return checked(field.name, number, std::string(*cell), range);
  }
  const element value = std::get<element>(field.value);
  if (value.get(number)) fail(field.name, describe(value), describe_range(range));
  return checked(field.name, number, describe(value), range);
}

std::size_t Record::whole(FieldNames names, std::size_t end) const {
  const double value = number(names, {0, static_cast<double>(end) - 1});
  if (value != std::floor(value)) {
    fail(need(names).name, fmt::format("the number {}", value), "a whole number");
  }
  return static_cast<std::size_t>(value);
}

bool Record::boolean(FieldNames names) const {
  const Field field = need(names);
  bool truth = false;
  const auto* const value = std::get_if<element>(&field.value);
  if (value && !value->get(truth)) return truth;
  fail(field.name, value ? describe(*value) : quoted(std::get<std::string_view>(field.value)),
       "true or false");
}

std::vector<std::string> Record::texts(FieldNames names) const {
  const Field field = need(names);
  const auto* const value = std::get_if<element>(&field.value);
  std::vector<std::string> texts =
      value ? texts_of(field.name, *value) : texts_of(field.name, std::get<std::string_view>(field.value));
  if (texts.empty()) fail(field.name, "an empty list", "at least one string");
  return texts;
}

std::vector<double> Record::numbers(FieldNames names, NumberRange range) const {
  const Field field = need(names);
  simdjson::dom::array list;
  const auto* const value = std::get_if<element>(&field.value);
  if (!value || value->get(list) || list.begin() == list.end()) {
    fail(field.name, value ? describe(*value) : "a cell", "a list of numbers");
  }
  std::vector<double> numbers;
  for (const element one : list) {
    double number = 0;
    const std::string name = "an element of " + std::string(field.name);
    if (one.get(number)) fail(name, describe(one), describe_range(range));
    numbers.push_back(checked(name, number, describe(one), range));
  }
  return numbers;
}

void for_each_record(const Source& source, const VisitRecord& visit) {
  if (source.json_lines) return visit_json_lines(source, visit);
  if (!source.json) return visit_csv(source, visit);
  simdjson::dom::array list;
  if (!source.json->root.get(list)) return visit_json(source, {}, list, visit);
  visit_json(source, {}, std::array{source.json->root}, visit);
}

void for_each_member_record(const Source& source, std::string_view member, const VisitRecord& visit) {
  const auto found = source.json ? find_list(source.json->root, member) : std::nullopt;
  if (!found) throw DataError(fmt::format("{}: there is no list \"{}\" in it", source.name, member));
  visit_json(source, {found->ordinal}, found->list, visit, member);
}

void for_each_text_row(const Source& source,
                       const std::function<void(std::string_view, std::size_t)>& visit) {
  Problems problems(false, kAdvice);
  std::size_t rows = 0;
  for_each_line(source.content, [&](std::string_view line, std::size_t number) {
    if (is_blank(line)) return;
    ++rows;
    note_problem(problems, number, [&] { visit(line, number); });
  });
  problems.settle(source.name, {});
  check_rows(source, rows);
}

Source open_records(const std::string& path, std::string_view expected) {
  return open_source(path == "-" ? "standard input" : path, read_file(path), expected);
}

std::string grouped(std::size_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, 1, ',');
  return text;
}

bool parse_number(std::string_view text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace capella::io
