#include "report/table.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "report/wrap.h"

namespace capella::report {
namespace {

constexpr std::size_t kGap = 2;  // between columns

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

std::size_t sum_with_gaps(std::span<const std::size_t> widths) {
  if (widths.empty()) return 0;
  return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
}

// How many lines a column's cells take if it is `width` wide.
std::size_t lines_of_column(const Table& table, std::size_t column, std::size_t width) {
  std::size_t lines = 0;
  for (const auto& row : table.rows) {
    if (column < row.size()) lines += (width_of(row[column].text) + width - 1) / width;
  }
  return lines;
}

// The longest word of a column, which is cut where the column is narrower.
std::size_t longest_word(const Table& table, std::size_t column) {
  std::size_t longest = 0;
  for (const auto& row : table.rows) {
    if (column >= row.size()) continue;
    for (const std::string_view word : split_list(row[column].text, ' '))
      longest = std::max(longest, width_of(word));
  }
  return longest;
}

// Text columns give way until all fit into the space: one by one where no word is cut and it costs the fewest
// lines, the widest first.
void narrow(const Table& table, std::span<std::size_t> widths, std::size_t space) {
  constexpr std::size_t kNarrowest = 8;
  std::vector<std::size_t> words;
  for (std::size_t column = 0; column < widths.size(); ++column) words.push_back(longest_word(table, column));
  while (sum_with_gaps(widths) > space) {
    std::size_t best = widths.size();
    std::tuple<bool, std::size_t, std::size_t> least;
    for (std::size_t column = 0; column < widths.size(); ++column) {
      const std::size_t width = widths[column];
      if (width <= kNarrowest) continue;
      const std::size_t more =
          lines_of_column(table, column, width - 1) - lines_of_column(table, column, width);
      const std::tuple cost(width <= words[column], more, std::numeric_limits<std::size_t>::max() - width);
      if (best == widths.size() || cost < least) {
        best = column;
        least = cost;
      }
    }
    if (best == widths.size()) return;
    --widths[best];
  }
}

// Some of a table's columns, by their places.
using Block = std::vector<std::size_t>;

// The blocks that a table is printed as; the text columns become narrower where they have to.
std::vector<Block> fold(const Table& table, std::size_t width, std::vector<std::size_t>& widths) {
  Block labels(std::min(table.left_columns, widths.size()));
  std::iota(labels.begin(), labels.end(), 0);
  const std::span<std::size_t> text = std::span(widths).first(labels.size());
  const std::span<std::size_t> numbers = std::span(widths).subspan(labels.size());
  if (width > 0 && sum_with_gaps(widths) > width) {
    const std::size_t number = numbers.empty() ? 0 : std::ranges::max(numbers) + kGap;
    narrow(table, text, width - std::min(width, number));
  }
  std::vector<Block> blocks = {labels};
  std::size_t used = sum_with_gaps(text);
  for (std::size_t column = labels.size(); column < widths.size(); ++column) {
    used += kGap + widths[column];
    if (width > 0 && used > width && blocks.back().size() > labels.size()) {
      blocks.push_back(labels);
      used = sum_with_gaps(text) + kGap + widths[column];
    }
    blocks.back().push_back(column);
  }
  return blocks;
}

// A row of the block, as many lines as its longest cell needs.
template <class TextOf>
std::string lines_of_row(const Block& block, const Table& table, std::span<const std::size_t> widths,
                         TextOf text_of) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (const std::size_t column : block) {
    cells.push_back(wrap(text_of(column), widths[column]));
    height = std::max(height, cells.back().size());
  }
  std::string out;
  for (std::size_t l = 0; l < height; ++l) {
    std::string line;
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (i > 0) line.append(kGap, ' ');
      const std::string text = l < cells[i].size() ? cells[i][l] : std::string();
      line += pad(text, widths[block[i]], block[i] < table.left_columns);
    }
    out += without_trailing_spaces(line) + '\n';
  }
  return out;
}

std::string text_of_block(const Block& block, const Table& table, std::span<const std::size_t> widths) {
  std::string out = lines_of_row(block, table, widths, [&](std::size_t i) { return table.columns[i]; });
  for (std::size_t i = 0; i < block.size(); ++i)
    out += std::string(i > 0 ? kGap : 0, ' ') + std::string(widths[block[i]], '-');
  out += '\n';
  for (const auto& row : table.rows)
    out += lines_of_row(block, table, widths,
                        [&](std::size_t i) { return i < row.size() ? row[i].text : std::string(); });
  return out;
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

Format format_by_name(std::string_view name, std::size_t width) {
  const auto found = std::find(std::begin(kFormatNames), std::end(kFormatNames), name);
  if (found == std::end(kFormatNames)) throw UsageError(unknown_name_message("format", name, kFormatNames));
  return {static_cast<Format::Kind>(found - std::begin(kFormatNames)), width};
}

std::string fit(std::string report, Format format) {
  return format == Format::table && format.width > 0 ? wrap_lines(report, format.width) : report;
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
      return to_text(table, format.width);
  }
}

std::string to_text(const Table& table, std::size_t width) {
  std::vector<std::size_t> widths = column_widths(table);
  std::string out;
  for (const Block& block : fold(table, width, widths))
    out += (out.empty() ? "" : "\n") + text_of_block(block, table, widths);
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
