#include "report/explanation_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/alignment_picture.h"
#include "report/json_value.h"

namespace capella::report {
namespace {

bool is_number(const std::string& cell) {
  return cell.find_first_not_of("0123456789.+-e") == std::string::npos;
}

// Columns are aligned left up to the last one that holds words.
Table to_table(const Explanation::Table& source) {
  Table table{source.columns, {}, 1};
  for (const auto& row : source.rows) {
    auto& cells = table.rows.emplace_back();
    for (const std::string& cell : row) {
      cells.push_back({cell});
      if (!is_number(cell)) table.left_columns = std::max(table.left_columns, cells.size());
    }
  }
  return table;
}

std::string text_of(const Explanation& explanation, std::size_t width) {
  std::string text = fmt::format("== {} ==\n", explanation.metric);
  for (const std::string& sentence : explanation.summary) text += sentence + '\n';
  for (const Explanation::Table& table : explanation.tables) {
    text += fmt::format("\n{}\n{}", table.title, to_text(to_table(table), width));
  }
  return text + '\n';
}

// A link's words are told by the first of them and how many they are.
Json json_of(const Explanation::Alignment& alignment) {
  Json links = Json::array();
  for (const auto& link : alignment.links) {
    links.push_back({{"upper", Json::array({link.upper_start, link.upper_length})},
                     {"lower", Json::array({link.lower_start, link.lower_length})},
                     {"kind", alignment.kinds.at(link.kind)}});
  }
  return {{"title", alignment.title}, {"upper_name", alignment.upper_name},
          {"upper", alignment.upper}, {"lower_name", alignment.lower_name},
          {"lower", alignment.lower}, {"links", std::move(links)}};
}

Json json_of(const Explanation& explanation) {
  Json tables = Json::array();
  for (const Explanation::Table& table : explanation.tables) {
    tables.push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  }
  Json alignments = Json::array();
  for (const Explanation::Alignment& alignment : explanation.alignments) {
    alignments.push_back(json_of(alignment));
  }
  return {{"metric", explanation.metric},
          {"summary", explanation.summary},
          {"tables", std::move(tables)},
          {"alignments", std::move(alignments)}};
}

}  // namespace

std::string format_explanations(const std::vector<Explanation>& explanations, Format format) {
  if (format != Format::json) {
    std::string text;
    for (const Explanation& explanation : explanations) text += text_of(explanation, format.width);
    return text;
  }
  Json all = Json::array();
  for (const Explanation& explanation : explanations) all.push_back(json_of(explanation));
  return dump(all, 2) + '\n';
}

std::string draw_explanations(const std::vector<Explanation>& explanations) {
  std::vector<Explanation::Alignment> alignments;
  for (const Explanation& explanation : explanations) {
    alignments.insert(alignments.end(), explanation.alignments.begin(), explanation.alignments.end());
  }
  return draw_alignments(alignments);
}

}  // namespace capella::report
