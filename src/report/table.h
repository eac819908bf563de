// A table of texts and the ways to print it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace capella::report {

enum class Format { table, json, csv, markdown, latex, plain };

inline constexpr std::string_view kFormatNames[] = {"table", "json", "csv", "md", "latex", "plain"};
/// Throws UsageError for another name.
Format format_by_name(std::string_view name);

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
  std::size_t left_columns = 1;  ///< so many columns hold text and are aligned left; the others are numbers
};

/// The table in any format but JSON.
std::string format_table(const Table& table, Format format);

std::string to_text(const Table& table);  ///< aligned columns for a terminal
std::string to_markdown(const Table& table);
std::string to_latex(const Table& table);  ///< a tabular, with booktabs' rules
std::string to_csv(const Table& table);    ///< RFC 4180
std::string to_plain(const Table& table);  ///< cells separated by tabs, no header; for other programs

}  // namespace capella::report
