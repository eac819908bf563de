#include "io/plain_lines.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "io/csv_rows.h"
#include "io/text_lines.h"

namespace capella::io {
namespace {

// A file that is named like another format but could not be recognised as such would be misread in silence.
void check_name(const Source& source, const ReadOptions& options) {
  std::string_view name = source.name;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  if (name.ends_with(".csv") || name.ends_with(".tsv")) {
    throw DataError(fmt::format("{}:1: {}, or add a header line if it is missing", source.name,
                                csv_header_problem(source, options)));
  }
  if (name.ends_with(".json") || name.ends_with(".jsonl")) {
    throw DataError(
        fmt::format("{}:1: the text is not JSON, expected a list [...] or an object {{\"...\": ...}}; "
                    "rename the file to .txt if it holds one caption per line",
                    source.name));
  }
}

}  // namespace

bool is_plain_lines(const Source&, const ReadOptions&) {
  return true;
}

CaptionTable read_plain_lines(const Source& source, const ReadOptions& options) {
  check_name(source, options);
  CaptionTableBuilder builder(source.name);
  builder.keep(source.text);
  builder.set_aligned();
  for_each_line(source.content, [&](std::string_view line, std::size_t number) {
    builder.add_view(builder.copy(fmt::format_int(number).c_str()), line, number);
  });
  return builder.build();
}

}  // namespace capella::io
