#include "reference/csv_reference.h"

namespace capella::reference {
namespace {

enum class State {
  cell_start,  // nothing of the cell has been seen
  plain,       // inside an unquoted cell
  quoted,      // inside a quoted cell
  quote_seen,  // behind a quote inside a quoted cell: its end, or the first of two
  bad          // behind a mistake, looking for the end of the line
};

// Takes the text in character by character; what a line end is, its caller decides.
class Machine {
 public:
  explicit Machine(char delimiter) : delimiter_(delimiter) {}

  State state() const { return state_; }

  void take(char c) {
    if (state_ == State::quoted) {
      c == '"' ? void(state_ = State::quote_seen) : cell_.push_back(c);
    } else if (state_ == State::quote_seen && c == '"') {
      cell_.push_back('"');
      state_ = State::quoted;
    } else if (state_ == State::bad) {
      return;
    } else if (c == delimiter_) {
      end_cell();
    } else if (state_ == State::quote_seen) {
      state_ = State::bad;
    } else if (state_ == State::cell_start && c == '"') {
      any_quote_ = true;
      state_ = State::quoted;
    } else {
      cell_.push_back(c);
      state_ = State::plain;
    }
  }

  void spoil_row() { state_ = State::bad; }

  void end_row(std::size_t next_line) {
    row_.bad = state_ == State::bad;
    end_cell();
    const bool blank = row_.cells.size() == 1 && row_.cells[0].empty() && !any_quote_;
    if (row_.bad) row_.cells.clear();
    if (!blank || row_.bad) rows_.push_back(row_);
    row_ = {{}, next_line, false};
    any_quote_ = false;
  }

  std::vector<CsvRow> rows() const { return rows_; }

 private:
  void end_cell() {
    row_.cells.push_back(cell_);
    cell_.clear();
    state_ = State::cell_start;
  }

  char delimiter_;
  State state_ = State::cell_start;
  std::string cell_;
  bool any_quote_ = false;
  CsvRow row_{{}, 1, false};
  std::vector<CsvRow> rows_;
};

struct Place {
  std::size_t offset = 0;
  std::size_t line = 1;
};

// How many characters the line end at the front of `rest` has: \n, \r\n, or \r at the end of the text.
std::size_t line_end_size(std::string_view rest) {
  if (rest.starts_with("\r\n")) return 2;
  return rest.starts_with("\n") || rest == "\r" ? 1 : 0;
}

}  // namespace

std::vector<CsvRow> parse_csv(std::string_view text, char delimiter) {
  Machine machine(delimiter);
  Place at;
  Place opened;  // behind the quote that began the last quoted cell
  while (at.offset < text.size() || machine.state() == State::quoted) {
    if (at.offset == text.size()) {  // the cell is never closed: go back, the rest of that line is lost
      machine.spoil_row();
      at = opened;
      continue;
    }
    const std::size_t line_end = line_end_size(text.substr(at.offset));
    if (machine.state() != State::quoted && line_end > 0) {
      machine.end_row(++at.line);
      at.offset += line_end;
      continue;
    }
    const State before = machine.state();
    if (text[at.offset] == '\n') ++at.line;
    machine.take(text[at.offset++]);
    if (before == State::cell_start && machine.state() == State::quoted) opened = at;
  }
  machine.end_row(at.line);
  return machine.rows();
}

}  // namespace capella::reference
