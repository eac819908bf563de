// A table of texts and the ways to print it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella::report {

/// How a result is written. A table for a terminal has at most `width` columns; 0 means any number.
struct Format {
  enum Kind { table, json, csv, markdown, latex, plain };

  constexpr Format(Kind kind_of_output, std::size_t columns = 0) : kind(kind_of_output), width(columns) {}
  constexpr operator Kind() const { return kind; }

  Kind kind;
  std::size_t width;
};

inline constexpr std::string_view kFormatNames[] = {"table", "json", "csv", "md", "latex", "plain"};
/// Throws UsageError for another name.
Format format_by_name(std::string_view name, std::size_t width = 0);

/// A report in that format, with the lines that are too long for its width continued below.
std::string fit(std::string report, Format format);

/// Whether a format is read by people; the others are for programs.
inline bool for_people(Format format) {
  return format == Format::table || format == Format::markdown;
}

/// A heading between two tables, with empty lines around it.
std::string heading(std::string_view text, Format format);

struct Table {
  struct Cell {
    std::string text;
    bool best = false;  ///< shown bold where the format can
  };
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::size_t left_columns = 1;  ///< the first N columns hold text, aligned left; the others are numbers
};

/// The table in any format but JSON.
std::string format_table(const Table& table, Format format);

/// Aligned columns. Columns that are too many for the width go on in further blocks, each with the text
/// columns repeated as labels; text that is too wide even so is wrapped inside its column.
std::string to_text(const Table& table, std::size_t width = 0);
std::string to_markdown(const Table& table);
std::string to_latex(const Table& table);  ///< a tabular, with booktabs' rules
std::string to_csv(const Table& table);    ///< RFC 4180
std::string to_plain(const Table& table);  ///< cells separated by tabs, no header; for other programs

}  // namespace capella::report
