#include "io/csv.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace capella::io {
namespace {

using Cells = std::vector<std::string>;

std::vector<Cells> parse(std::string_view text, char delimiter = ',') {
  TextStore store;
  CsvParser parser(text, delimiter, store);
  CsvRecord record;
  std::vector<Cells> rows;
  while (parser.next(record)) {
    rows.emplace_back(record.cells.begin(), record.cells.end());
    if (!record.problem.empty()) rows.back() = {"bad at " + std::to_string(record.line)};
  }
  return rows;
}

TEST(Csv, Cells) {
  EXPECT_EQ(parse(""), (std::vector<Cells>{}));
  EXPECT_EQ(parse("a"), (std::vector<Cells>{{"a"}}));
  EXPECT_EQ(parse("a,b\nc,\n"), (std::vector<Cells>{{"a", "b"}, {"c", ""}}));
  EXPECT_EQ(parse(",\r\n"), (std::vector<Cells>{{"", ""}}));
  EXPECT_EQ(parse("a\tb,c", '\t'), (std::vector<Cells>{{"a", "b,c"}}));
}

TEST(Csv, Quotes) {
  EXPECT_EQ(parse("\"a,b\",\"c\nd\"\n"), (std::vector<Cells>{{"a,b", "c\nd"}}));
  EXPECT_EQ(parse("\"\"\"\",\"\"\n"), (std::vector<Cells>{{"\"", ""}}));
  EXPECT_EQ(parse("a\"b,c"), (std::vector<Cells>{{"a\"b", "c"}}));
}

TEST(Csv, LineEnds) {
  EXPECT_EQ(parse("a\r\n\r\n\nb\r"), (std::vector<Cells>{{"a"}, {"b"}}));
  EXPECT_EQ(parse("\"a\"\r\nb\rc\n"), (std::vector<Cells>{{"a"}, {"b\rc"}}));
}

TEST(Csv, GoesOnAfterABadRecord) {
  EXPECT_EQ(parse("a\n\"b\"c,d\ne\n"), (std::vector<Cells>{{"a"}, {"bad at 2"}, {"e"}}));
}

TEST(Csv, ACellThatIsNeverClosedCostsOneRow) {
  EXPECT_EQ(parse("a\n\"b\nc"), (std::vector<Cells>{{"a"}, {"bad at 2"}, {"c"}}));
  EXPECT_EQ(parse("a,\"b\r\n\nc,d\n"), (std::vector<Cells>{{"bad at 1"}, {"c", "d"}}));
  EXPECT_EQ(parse("\"a\nb\",\"c\nd"), (std::vector<Cells>{{"bad at 1"}, {"d"}}));
  EXPECT_EQ(parse("a,\"b \"\"c\"\"\n\"\",e\n"), (std::vector<Cells>{{"bad at 1"}, {"", "e"}}));
  EXPECT_EQ(parse("a\n\""), (std::vector<Cells>{{"a"}, {"bad at 2"}}));
}

}  // namespace
}  // namespace capella::io
