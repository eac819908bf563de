#include "io/stratum_table.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::TempDir;

constexpr const char* kHeader =
    "dataset\tarchitecture\trun\tnum_strata\tstratum\tCIDEr\tmy_score\tmean_max_normcount_prefix0\t"
    "geomean_join_pplx_none\n";
constexpr const char* kRows =
    "flickr8k\tinit\t1\t1\t0\t0.5\t1e-05\t0.25\tinf\n"
    "coco\tpre\tb\t2\t0\t0.5\t-2.0\tnan\t1e+16\n"
    "flickr8k\tinit\t1\t2\t1\t0.75\t3.0\t0.1\t-inf\n";

StratumTable read_text(const std::string& text) {
  const TempDir folder;
  return read_strata(folder.write("data.txt", text));
}

std::string read_problem(const std::string& text) {
  return message_of<DataError>([&] { read_text(text); });
}

void stratum_table_expect_part(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(StratumTable, TellsPostFromPre) {
  const StratumTable table = read_text(std::string(kHeader) + kRows);
  EXPECT_EQ(table.post, (std::vector<std::string>{"CIDEr", "my_score"}));
  EXPECT_EQ(table.pre, (std::vector<std::string>{"mean_max_normcount_prefix0", "geomean_join_pplx_none"}));
  EXPECT_EQ(table.datasets(), (std::vector<std::string>{"flickr8k", "coco"}));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[1].dataset, "coco");
  EXPECT_EQ(table.rows[1].architecture, "pre");
  EXPECT_EQ(table.rows[1].run, "b");
  EXPECT_EQ(table.rows[2].strata, 2u);
  EXPECT_EQ(table.rows[2].stratum, 1u);
  EXPECT_EQ(table.post_column(1), (std::vector<double>{1e-5, -2, 3}));
  EXPECT_TRUE(std::isnan(table.pre_column(0)[1]));
  EXPECT_EQ(table.pre_column(1)[0], std::numeric_limits<double>::infinity());
}

TEST(StratumTable, TextComesBackAsItWas) {
  const std::string text = std::string(kHeader) + kRows;
  EXPECT_EQ(strata_text(read_text(text)), text);
  EXPECT_EQ(strata_text(read_text("\xEF\xBB\xBF" + text)), text);
}

TEST(StratumTable, CountsAreWholeNumbersAsPythonHasThem) {
  StratumTable table;
  table.pre = {"sum_join_count_none", "sum_mean_count_none", "max_min_count_prefix0",
               "sum_sum_normcount_none"};
  table.rows.push_back({"d", "a", "1", 1, 0, {}, {12, 12, 0, 12}});
  EXPECT_EQ(strata_text(table),
            "dataset\tarchitecture\trun\tnum_strata\tstratum\tsum_join_count_none\tsum_mean_count_none\t"
            "max_min_count_prefix0\tsum_sum_normcount_none\nd\ta\t1\t1\t0\t12\t12.0\t0\t12.0\n");
}

TEST(StratumTable, FilesWithTheSameColumnsAreJoined) {
  const TempDir folder;
  const std::string first = folder.write("a.txt", std::string(kHeader) + kRows);
  const std::string second = folder.write("b.txt", std::string(kHeader) + "coco\tpar\t1\t1\t0\t1\t2\t3\t4\n");
  const StratumTable table = read_strata(std::vector{first, second});
  EXPECT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[3].pre, (std::vector<double>{3, 4}));
  const std::string other =
      folder.write("c.txt", "dataset\tarchitecture\trun\tnum_strata\tstratum\tCIDEr\nx\ty\tz\t1\t0\t1\n");
  const std::string problem = message_of<DataError>([&] { read_strata(std::vector{first, other}); });
  stratum_table_expect_part(problem, "c.txt:1: column 7 is not there, expected my_score");
  const std::string again = message_of<DataError>([&] { read_strata(std::vector{first, first}); });
  stratum_table_expect_part(again, "a.txt:2: flickr8k init 1, stratum 0 of 1 was there before");
  stratum_table_expect_part(again, "a.txt:2)");
}

TEST(StratumTable, NamesTheLineOfABadRow) {
  const auto with = [](const std::string& row) { return std::string(kHeader) + kRows + row + "\n"; };
  for (const auto& [row, expected] : std::initializer_list<std::pair<std::string, std::string>>{
           {"coco\tpre\tc\t1\t0\t0.5\t1\t2", ":5: 8 columns, expected 9"},
           {"coco\tpre\tc\t1\t0\t0.5\t1\t2\t3\t4", ":5: 10 columns, expected 9"},
           {"coco\tpre\tc\t1\t0\t0.5\tx\t2\t3", ":5: my_score is 'x', expected a number"},
           {"coco\tpre\tc\t1\t0\t0.5\t1\t2\t", ":5: geomean_join_pplx_none is '', expected a number"},
           {"coco\tpre\tc\t1\t0\t0.5 \t1\t2\t3", ":5: CIDEr is '0.5 ', expected a number"},
           {"coco\tpre\tc\t0\t0\t0.5\t1\t2\t3", ":5: stratum 0 of 0"},
           {"coco\tpre\tc\t2\t2\t0.5\t1\t2\t3", ":5: stratum 2 of 2"},
           {"coco\tpre\tc\t-1\t0\t0.5\t1\t2\t3", ":5: num_strata is '-1'"},
           {"coco\t\tc\t1\t0\t0.5\t1\t2\t3", ":5: architecture is empty"},
           {"coco\tpre\tb\t2\t0\t0.5\t1\t2\t3", ":5: coco pre b, stratum 0 of 2 was there before"}}) {
    stratum_table_expect_part(read_problem(with(row)), expected);
  }
}

TEST(StratumTable, RefusesWhatIsNoTable) {
  stratum_table_expect_part(read_problem(""), "empty");
  stratum_table_expect_part(read_problem("a\tb\n"),
                            ":1: column 1 is 'a', expected the columns dataset, architecture");
  stratum_table_expect_part(read_problem("dataset\tarchitecture\n"), ":1: column 3 is not there");
  stratum_table_expect_part(read_problem(kHeader), "no rows");
  stratum_table_expect_part(read_problem("dataset\tarchitecture\trun\tnum_strata\tstratum\nx\ty\tz\t1\t0\n"),
                            "no scores");
  const std::string keys = "dataset\tarchitecture\trun\tnum_strata\tstratum\t";
  stratum_table_expect_part(read_problem(keys + "CIDEr\tCIDEr\n"), ":1: two columns are named CIDEr");
  stratum_table_expect_part(read_problem(keys + "CIDEr\t\n"), ":1: a column is named ''");
  stratum_table_expect_part(read_problem(keys + "mean_max_normcount_prefix0\tCIDEr\n"),
                            ":1: column CIDEr follows pre-gen metrics");
  EXPECT_THROW(read_strata("/no/such/file"), FileError);
}

}  // namespace
}  // namespace capella::io
