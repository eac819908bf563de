#include "io/json_lines.h"

#include <fmt/format.h>

#include "io/json_rows.h"
#include "io/problems.h"
#include "io/text_lines.h"

namespace capella::io {
namespace {

// Adds the rows of a text line by line; the first good line says whether the rows are joint.
class LineReader {
 public:
  LineReader(const Source& source, const ReadOptions& options)
      : columns_(options.columns()), refs_(source.name), tests_(source.name), problems_(options.skip_bad) {
    tests_.keep(refs_.table().text);
  }

  void read(std::string_view line, std::size_t number) {
    if (is_blank(line)) return;
    element row;
    if (const auto error = parser_.parse(line.data(), line.size(), false).get(row)) {
      return problems_.add(number, "",
                           fmt::format("the line is not JSON: {}", simdjson::error_message(error)));
    }
    if (first_) look_at_first(row);
    std::string_view id;
    const JsonTarget refs{refs_, true, columns_};
    std::string problem =
        joint_ ? add_joint_row(row, number, refs, {tests_, true}, id) : add_row(row, number, refs, id);
    if (!problem.empty()) problems_.add(number, id, std::move(problem));
  }

  CaptionTable finish() {
    refs_.set_skipped(problems_.settle(refs_.table().source, {}));
    CaptionTable table = refs_.build();
    if (joint_) table.tests = std::make_shared<const CaptionTable>(tests_.build());
    return table;
  }

 private:
  void look_at_first(element row) {
    simdjson::dom::object object;
    joint_ = !row.get(object) && find_fields(object, columns_).joint();
    first_ = false;
  }

  ColumnNames columns_;
  CaptionTableBuilder refs_;
  CaptionTableBuilder tests_;
  Problems problems_;
  simdjson::dom::parser parser_;
  bool first_ = true;
  bool joint_ = false;
};

}  // namespace

bool is_json_lines(const Source& source, const ReadOptions&) {
  return source.json_lines;
}

CaptionTable read_json_lines(const Source& source, const ReadOptions& options) {
  LineReader reader(source, options);
  for_each_line(source.content,
                [&](std::string_view line, std::size_t number) { reader.read(line, number); });
  return reader.finish();
}

}  // namespace capella::io
