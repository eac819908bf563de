#include "io/csv_rows.h"

#include <fmt/format.h>

#include "io/column_names.h"
#include "io/csv.h"
#include "io/json_rows.h"
#include "io/problems.h"

namespace capella::io {
namespace {

struct Header {
  std::size_t id_rank = kIdNames.size();
  std::size_t caption_rank = kCaptionNames.size();
  std::size_t id_column = 0;
  std::size_t caption_column = 0;
  std::size_t columns = 0;

  bool complete() const { return id_rank < kIdNames.size() && caption_rank < kCaptionNames.size(); }
  bool may_hold_lists() const { return kCaptionNames[caption_rank].ends_with('s'); }
};

Header find_columns(const CsvRecord& record) {
  Header header;
  header.columns = record.cells.size();
  for (std::size_t i = 0; i < record.cells.size(); ++i) {
    const std::string name = column_name(record.cells[i]);
    if (const std::size_t rank = rank_of(name, kIdNames); rank < header.id_rank) {
      header.id_rank = rank;
      header.id_column = i;
    }
    if (const std::size_t rank = rank_of(name, kCaptionNames); rank < header.caption_rank) {
      header.caption_rank = rank;
      header.caption_column = i;
    }
  }
  return header;
}

// Adds the captions of a cell that begins like a JSON list.
std::string add_list(std::string_view id, std::string_view cell, std::size_t line,
                     CaptionTableBuilder& builder) {
  simdjson::dom::parser parser;
  element list;
  if (parser.parse(cell.data(), cell.size()).get(list)) {
    return "the cell begins with [ but is not a JSON list, expected [\"...\", \"...\"] or plain text";
  }
  return add_captions(id, list, line, {builder, true});
}

std::string add_record(const CsvRecord& record, const Header& header, CaptionTableBuilder& builder,
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
  const std::string_view cell = record.cells[header.caption_column];
  if (header.may_hold_lists() && cell.starts_with('[')) return add_list(id, cell, record.line, builder);
  builder.add_view(id, cell, record.line);
  return "";
}

}  // namespace

bool is_csv_rows(const Source& source) {
  TextStore store;
  CsvParser parser(source.content, delimiter_of(source.content), store);
  CsvRecord record;
  return parser.next(record) && record.problem.empty() && find_columns(record).complete();
}

CaptionTable read_csv_rows(const Source& source, const ReadOptions& options) {
  CaptionTableBuilder builder(source.name);
  builder.keep(source.text);
  CsvParser parser(source.content, delimiter_of(source.content), builder.store());
  Problems problems(options.skip_bad);
  CsvRecord record;
  parser.next(record);
  const Header header = find_columns(record);
  while (parser.next(record)) {
    std::string_view id;
    std::string problem = add_record(record, header, builder, id);
    if (!problem.empty()) problems.add(record.line, id, std::move(problem));
  }
  builder.set_skipped(problems.settle(source.name, {}));
  return builder.build();
}

}  // namespace capella::io
