// A slow, obvious twin of the CSV parser: one character at a time, one state variable, copies everywhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella::reference {

struct CsvRow {
  std::vector<std::string> cells;
  std::size_t line = 0;
  bool bad = false;

  bool operator==(const CsvRow&) const = default;
};

/// All rows of the text. A bad row has no cells; what follows it begins on the line behind the mistake, which
/// for a cell that is never closed is its opening quote.
std::vector<CsvRow> parse_csv(std::string_view text, char delimiter);

}  // namespace capella::reference
