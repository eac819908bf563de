#include "report/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/utf8.h"

namespace capella::report {
namespace {

// How many columns of a terminal the text takes, counting one per code point.
std::size_t width_of(const std::string& text) {
  return to_code_points(text).size();
}

std::vector<std::size_t> column_widths(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(width_of(column));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i].text));
  }
  return widths;
}

std::string pad(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return left ? text + space : space + text;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string escape_latex(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
    if (c == '\\') {
      out += "\\textbackslash{}";
    } else if (c == '~') {
      out += "\\textasciitilde{}";
    } else if (c == '<' || c == '>') {
      out += std::string("$") + c + "$";
    } else if (c == '^') {
      out += "\\textasciicircum{}";
    } else {
      out += c;
    }
  }
  return out;
}

std::string escape_markdown(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("|*_`\\<").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string quote_csv(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string escape_tabs(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

// Every row, header included if asked, with `write(cell, is_first)` for each cell and `end` after each row.
template <class Write>
void for_each_row(const Table& table, bool header, std::string& out, std::string_view end, Write write) {
  const auto one_row = [&](const auto& cells, auto text_of) {
    for (std::size_t i = 0; i < cells.size(); ++i) out += write(text_of(cells[i]), i);
    out += end;
  };
  if (header) one_row(table.columns, [](const std::string& text) { return Table::Cell{text, false}; });
  for (const auto& row : table.rows) one_row(row, [](const Table::Cell& cell) { return cell; });
}

}  // namespace

std::string heading(std::string_view text, Format format) {
  return fmt::format("\n{}{}\n\n", format == Format::markdown ? "## " : "", text);
}

Format format_by_name(std::string_view name) {
  const auto found = std::find(std::begin(kFormatNames), std::end(kFormatNames), name);
  if (found == std::end(kFormatNames)) throw UsageError(unknown_name_message("format", name, kFormatNames));
  return static_cast<Format>(found - std::begin(kFormatNames));
}

std::string format_table(const Table& table, Format format) {
  switch (format) {
    case Format::csv:
      return to_csv(table);
    case Format::markdown:
      return to_markdown(table);
    case Format::latex:
      return to_latex(table);
    case Format::plain:
      return to_plain(table);
    default:
      return to_text(table);
  }
}

std::string to_text(const Table& table) {
  const auto widths = column_widths(table);
  std::string out;
  const auto add_line = [&](auto text_of) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) line += "  ";
      line += pad(text_of(i), widths[i], i < table.left_columns);
    }
    out += without_trailing_spaces(line) + '\n';
  };
  add_line([&](std::size_t i) { return table.columns[i]; });
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) out += "  ";
    out += std::string(widths[i], '-');
  }
  out += '\n';
  for (const auto& row : table.rows)
    add_line([&](std::size_t i) { return i < row.size() ? row[i].text : std::string(); });
  return out;
}

std::string to_markdown(const Table& table) {
  std::string out = "|";
  for (const std::string& column : table.columns) out += ' ' + escape_markdown(column) + " |";
  out += "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += i < table.left_columns ? "---|" : "---:|";
  out += '\n';
  for_each_row(table, false, out, "\n", [](const Table::Cell& cell, std::size_t i) {
    const std::string text = escape_markdown(cell.text);
    return (i == 0 ? "| " : " ") + (cell.best ? "**" + text + "**" : text) + " |";
  });
  return out;
}

std::string to_latex(const Table& table) {
  std::string out = "\\begin{tabular}{";
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += i < table.left_columns ? 'l' : 'r';
  out += "}\n\\toprule\n";
  const auto write = [](const Table::Cell& cell, std::size_t i) {
    const std::string text = escape_latex(cell.text);
    return (i == 0 ? "" : " & ") + (cell.best ? "\\textbf{" + text + "}" : text);
  };
  for_each_row({table.columns, {}, table.left_columns}, true, out, " \\\\\n", write);
  out += "\\midrule\n";
  for_each_row(table, false, out, " \\\\\n", write);
  return out + "\\bottomrule\n\\end{tabular}\n";
}

std::string to_csv(const Table& table) {
  std::string out;
  for_each_row(table, true, out, "\n", [](const Table::Cell& cell, std::size_t i) {
    return (i == 0 ? "" : ",") + quote_csv(cell.text);
  });
  return out;
}

std::string to_plain(const Table& table) {
  std::string out;
  for_each_row(table, false, out, "\n", [](const Table::Cell& cell, std::size_t i) {
    return (i == 0 ? "" : "\t") + escape_tabs(cell.text);
  });
  return out;
}

}  // namespace capella::report
