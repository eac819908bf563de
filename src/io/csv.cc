#include "io/csv.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"

namespace capella::io {
namespace {

// `quoted` without the second of each pair of quotes.
std::string undouble(std::string_view quoted) {
  std::string text;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    text += quoted[i];
    if (quoted[i] == '"') ++i;
  }
  return text;
}

}  // namespace

bool CsvParser::next(CsvRecord& record) {
  while (at_ < text_.size() && at_line_end()) pass_line_end();
  if (at_ >= text_.size()) return false;
  record.cells.clear();
  record.problem = {};
  record.line = line_;
  for (;;) {
    const bool quoted = at_ < text_.size() && text_[at_] == '"';
    record.cells.push_back(quoted ? quoted_cell(record) : plain_cell());
    if (!record.problem.empty()) {
      skip_line();
      return true;
    }
    if (at_line_end()) break;
    ++at_;
  }
  pass_line_end();
  return true;
}

// A carriage return counts with the line break, or the end of the text, that follows it.
bool CsvParser::at_line_end() const {
  std::size_t at = at_;
  if (at < text_.size() && text_[at] == '\r') ++at;
  return at >= text_.size() || text_[at] == '\n';
}

void CsvParser::pass_line_end() {
  if (at_ < text_.size() && text_[at_] == '\r') ++at_;
  if (at_ < text_.size()) ++at_;
  ++line_;
}

void CsvParser::skip_line() {
  at_ = std::min(text_.find('\n', at_), text_.size());
  pass_line_end();
}

std::string_view CsvParser::plain_cell() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') ++at_;
  const bool at_break = at_ >= text_.size() || text_[at_] == '\n';
  if (at_break && at_ > begin && text_[at_ - 1] == '\r') --at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view CsvParser::quoted_cell(CsvRecord& record) {
  const std::size_t begin = ++at_;
  bool doubled = false;
  for (;;) {
    at_ = text_.find('"', at_);
    if (at_ == std::string_view::npos) {
      at_ = begin;
      record.problem = "a quoted cell is never closed, expected a second \"";
      return {};
    }
    if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
    doubled = true;
    at_ += 2;
  }
  const std::string_view cell = text_.substr(begin, at_ - begin);
  line_ += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), '\n'));
  ++at_;
  if (!at_line_end() && text_[at_] != delimiter_) {
    record.problem = "text follows the closing quote of a cell; write quotes inside a quoted cell twice";
    return {};
  }
  return doubled ? store_.copy(undouble(cell)) : cell;
}

char delimiter_of(std::string_view content) {
  const std::size_t begin = std::min(content.find_first_not_of("\r\n"), content.size());
  const std::string_view line = content.substr(begin, content.find('\n', begin) - begin);
  if (line.find('\t') != std::string_view::npos) return '\t';
  const auto count = [line](char c) { return std::ranges::count(line, c); };
  constexpr char kSeparators[] = {',', ';', '|'};
  return *std::ranges::max_element(kSeparators, {}, count);
}

std::string column_name(std::string_view cell) {
  const std::size_t begin = cell.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "";
  return lowered_ascii(cell.substr(begin, cell.find_last_not_of(' ') - begin + 1));
}

}  // namespace capella::io
