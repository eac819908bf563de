// The CSV parser gives back what was written, and agrees with its slow twin on any text.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "io/csv.h"
#include "reference/csv_reference.h"

namespace capella::io {
namespace {

using reference::CsvRow;

std::vector<CsvRow> parse(std::string_view text, char delimiter) {
  TextStore store;
  CsvParser parser(text, delimiter, store);
  CsvRecord record;
  std::vector<CsvRow> rows;
  while (parser.next(record)) {
    const bool bad = !record.problem.empty();
    rows.push_back({bad ? std::vector<std::string>()
                        : std::vector<std::string>(record.cells.begin(), record.cells.end()),
                    record.line, bad});
  }
  return rows;
}

rc::Gen<std::string> tricky_text() {
  return rc::gen::container<std::string>(
      rc::gen::element('a', 'b', '"', '"', ',', ',', '\t', '\n', '\r', ' '));
}

std::string quote(const std::string& cell) {
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

TEST(CsvProperty, ReadsBackWhatWasQuoted) {
  EXPECT_TRUE(rc::check("quoted tables survive", [] {
    const auto table = *rc::gen::container<std::vector<std::vector<std::string>>>(
        rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(tricky_text())));
    const std::string line_end = *rc::gen::element<std::string>("\n", "\r\n");
    std::string text;
    for (const auto& row : table) {
      for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + quote(row[i]);
      text += line_end;
    }
    std::vector<std::vector<std::string>> got;
    for (const CsvRow& row : parse(text, ',')) {
      RC_ASSERT(!row.bad);
      got.push_back(row.cells);
    }
    RC_ASSERT(got == table);
  }));
}

TEST(CsvProperty, AQuoteThatIsNeverClosedCostsOneRow) {
  EXPECT_TRUE(rc::check("all other rows are read", [] {
    const auto plain = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'b', ' ')));
    const auto cells = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(plain));
    const std::size_t open = *rc::gen::inRange<std::size_t>(0, cells.size());
    std::string text;
    std::vector<CsvRow> expected;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text += (i == open ? "1,\"" : "1,") + cells[i] + '\n';
      expected.push_back(i == open ? CsvRow{{}, i + 1, true} : CsvRow{{"1", cells[i]}, i + 1, false});
    }
    RC_ASSERT(parse(text, ',') == expected);
  }));
}

TEST(CsvProperty, AgreesWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("any text gives the same rows, lines and errors", [] {
    const std::string text = *tricky_text();
    for (const char delimiter : {',', '\t'}) {
      RC_ASSERT(parse(text, delimiter) == reference::parse_csv(text, delimiter));
    }
  }));
}

}  // namespace
}  // namespace capella::io
