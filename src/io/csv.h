// A parser for CSV and TSV after RFC 4180: cells in double quotes may hold delimiters, line breaks and
// doubled quotes. More lenient than the RFC in three things: lines may end with \n alone, a quote inside an
// unquoted cell is an ordinary character, blank lines are passed over.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/caption_table.h"

namespace capella::io {

struct CsvRecord {
  std::vector<std::string_view> cells;
  std::size_t line = 0;      ///< on which the record begins, from 1
  std::string_view problem;  ///< what is wrong with the record; empty if nothing is
};

class CsvParser {
 public:
  /// Cells are views into `text`; those with doubled quotes are copied to `store`.
  CsvParser(std::string_view text, char delimiter, TextStore& store)
      : text_(text), delimiter_(delimiter), store_(store) {}
  CsvParser(std::string&& text, char delimiter, TextStore& store) = delete;

  /// Reads the next record that is not a blank line; false at the end of the text. After a malformed record
  /// the parser goes on with the line behind the place where it broke; a cell that is never closed broke at
  /// its opening quote.
  bool next(CsvRecord& record);

 private:
  bool at_line_end() const;
  void pass_line_end();
  void skip_line();
  std::string_view plain_cell();
  std::string_view quoted_cell(CsvRecord& record);

  std::string_view text_;
  char delimiter_;
  TextStore& store_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

/// What separates the cells of the first line: a tab if it has one, else the most frequent of comma,
/// semicolon and bar.
char delimiter_of(std::string_view content);

/// The name of a column, in lower case and without blanks around it.
std::string column_name(std::string_view cell);

}  // namespace capella::io
