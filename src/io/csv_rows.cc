#include "io/csv_rows.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/names.h"
#include "io/csv.h"
#include "io/json_rows.h"
#include "io/problems.h"
#include "io/python_list.h"

namespace capella::io {
namespace {

// The names of captions that have a column each, without their number: raw_1, raw_2, ...
constexpr std::array<std::string_view, 8> kNumberedNames{"caption",   "captions", "text", "references",
                                                         "reference", "ref",      "raw",  "sentence"};
constexpr std::string_view kDigits = "0123456789";

// "ref" for ref_1 and ref1; empty for a name without a number.
std::string_view without_number(std::string_view name) {
  const std::size_t size = name.find_last_not_of(kDigits) + 1;
  if (size == name.size()) return {};
  name = name.substr(0, size);
  if (name.ends_with('_')) name.remove_suffix(1);
  return name;
}

// What columns of captions may be, the best first; known names have several ranks each.
enum CaptionRank : std::size_t { kNamed, kNamedNumbered, kKnown, kNumbered = kKnown + kCaptionNames.size() };
constexpr std::size_t kNoCaptions = kNumbered + kNumberedNames.size();

std::size_t rank_of_captions(std::string_view name, const ColumnNames& columns) {
  if (!columns.caption.empty() && name == columns.caption) return kNamed;
  const std::string_view stem = without_number(name);
  if (!stem.empty() && stem == columns.caption) return kNamedNumbered;
  const std::size_t known = rank_of(name, kCaptionNames);
  return known < kCaptionNames.size() ? kKnown + known : kNumbered + rank_of(stem, kNumberedNames);
}

struct CsvHeader {
  std::size_t columns = 0;
  std::size_t id_rank = ColumnNames::kNoRank;
  std::size_t caption_rank = kNoCaptions;
  std::size_t id_column = 0;
  std::vector<std::size_t> caption_columns;
  bool may_hold_lists = false;  // its name is a plural

  bool has_id() const { return id_rank < ColumnNames::kNoRank; }
  bool complete() const { return has_id() && !caption_columns.empty(); }
};

CsvHeader find_columns(const CsvRecord& record, const ReadOptions& options) {
  const std::string id_column = column_name(options.id_column);
  const std::string caption_column = column_name(options.caption_column);
  const ColumnNames columns{id_column, caption_column};
  CsvHeader header;
  header.columns = record.cells.size();
  for (std::size_t i = 0; i < record.cells.size(); ++i) {
    const std::string name = column_name(record.cells[i]);
    if (const std::size_t rank = columns.id_rank(name); rank < header.id_rank) {
      header.id_rank = rank;
      header.id_column = i;
    }
    const std::size_t rank = rank_of_captions(name, columns);
    if (rank == kNoCaptions) continue;
    if (rank < header.caption_rank) {
      header.caption_rank = rank;
      header.caption_columns = {i};
      header.may_hold_lists = name.ends_with('s');
    } else if (rank == header.caption_rank && (rank == kNamedNumbered || rank >= kNumbered)) {
      header.caption_columns.push_back(i);
    }
  }
  return header;
}

// False if it is malformed. `store` owns its cells.
bool read_csv_header(const Source& source, TextStore& store, CsvRecord& record) {
  CsvParser parser(source.content, delimiter_of(source.content), store);
  return parser.next(record) && record.problem.empty();
}

// Adds the captions of a cell that looks like a list.
std::string add_list(std::string_view id, std::string_view cell, std::size_t line, bool must_be_list,
                     CaptionTableBuilder& builder) {
  simdjson::dom::parser parser;
  element list;
  std::vector<std::string> strings;
  if (!parser.parse(cell.data(), cell.size()).get(list)) return add_captions(id, list, line, {builder, true});
  if (parse_python_list(cell, strings) && !strings.empty()) {
    for (const std::string& text : strings) builder.add_view(id, builder.copy(text), line);
    return "";
  }
  if (must_be_list)
    return "the cell begins with [ but is not a list, expected [\"...\", \"...\"] or plain text";
  builder.add_view(id, cell, line);
  return "";
}

std::string add_cell(std::string_view id, std::string_view cell, std::size_t line, bool may_hold_lists,
                     CaptionTableBuilder& builder) {
  const bool quoted = cell.size() > 1 && (cell[1] == '"' || cell[1] == '\'');
  const bool list = cell.starts_with('[') && (may_hold_lists || quoted);
  if (list) return add_list(id, cell, line, may_hold_lists, builder);
  builder.add_view(id, cell, line);
  return "";
}

// An item may have fewer captions than there are columns.
std::string add_numbered(std::string_view id, const CsvRecord& record, const CsvHeader& header,
                         CaptionTableBuilder& builder) {
  std::size_t count = 0;
  for (const std::size_t column : header.caption_columns) {
    if (record.cells[column].empty()) continue;
    builder.add_view(id, record.cells[column], record.line);
    ++count;
  }
  return count == 0 ? fmt::format("its {} captions are all empty, expected at least one",
                                  header.caption_columns.size())
                    : "";
}

std::string add_record(const CsvRecord& record, const CsvHeader& header, CaptionTableBuilder& builder,
                       std::string_view& id) {
  if (!record.problem.empty()) return std::string(record.problem);
  if (record.cells.size() != header.columns) {
    return fmt::format(
        "the row has {} cell{}, expected {} as in the header; a cell that holds the delimiter "
        "needs quotes round it",
        record.cells.size(), record.cells.size() == 1 ? "" : "s", header.columns);
  }
  id = record.cells[header.id_column];
  if (id.empty()) return "the id is empty, expected a name or a number";
  if (header.caption_columns.size() > 1) return add_numbered(id, record, header, builder);
  return add_cell(id, record.cells[header.caption_columns[0]], record.line, header.may_hold_lists, builder);
}

}  // namespace

bool is_csv_rows(const Source& source, const ReadOptions& options) {
  TextStore store;
  CsvRecord record;
  return read_csv_header(source, store, record) && find_columns(record, options).complete();
}

std::string csv_header_problem(const Source& source, const ReadOptions& options) {
  TextStore store;
  CsvRecord record;
  if (!read_csv_header(source, store, record))
    return fmt::format("the header is malformed: {}", record.problem);
  const std::string found = list_names(record.cells);
  const ColumnNames named = options.columns();
  return "the header has " + (find_columns(record, options).has_id() ? lacks_caption(found, named.caption)
                                                                     : lacks_id(found, named.id));
}

CaptionTable read_csv_rows(const Source& source, const ReadOptions& options) {
  CaptionTableBuilder builder(source.name);
  builder.keep(source.text);
  CsvParser parser(source.content, delimiter_of(source.content), builder.store());
  Problems problems(options.skip_bad);
  CsvRecord record;
  parser.next(record);
  const CsvHeader header = find_columns(record, options);
  builder.note_named(header.id_rank == 0, header.caption_rank < kKnown);
  while (parser.next(record)) {
    std::string_view id;
    std::string problem = add_record(record, header, builder, id);
    if (!problem.empty()) problems.add(record.line, id, std::move(problem));
  }
  builder.set_skipped(problems.settle(source.name, {}));
  return builder.build();
}

}  // namespace capella::io
