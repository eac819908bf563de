#include "io/feature_table.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;
using test::TempDir;

FeatureTable feature_table_small_table() {
  FeatureTable table;
  table.source = "two captions";
  table.tokenizer = "ptb-iso";
  table.made_of = "0123456789abcdef";
  table.targets_are = Targets::human;
  table.columns = {{"METEOR", "meteor", {}, "lang:en"}, {"CIDEr-D", "cider-d", {{"df", "coco-val"}}, "n:4"}};
  table.ids = {"1/human/1", "1/gat/1"};
  table.images = {"1", "1"};
  table.systems = {"human", "gat"};
  table.lengths = {9, 12};
  table.targets = {1, 0};
  table.values = {0.1, 2.0 / 3.0, 0.3, 1e-17};
  return table;
}

constexpr const char* kFeatureTableHeader =
    R"({"capella_features":1,"source":"s","tokenizer":"ptb","targets":"ratings","columns":[{"score":"METEOR","metric":"meteor","settings":{},"choices":"c"}]})";

std::string feature_table_read_problem(const std::string& text) {
  const TempDir folder;
  return message_of<DataError>([&] { read_features(folder.write("f.jsonl", text)); });
}

TEST(FeatureTable, ComesBackToTheLastBit) {
  const TempDir folder;
  const std::string path = (folder.path() / "f.jsonl").string();
  const FeatureTable table = feature_table_small_table();
  write_features(path, table);
  const FeatureTable read = read_features(path);
  EXPECT_EQ(read.name, path);
  EXPECT_EQ(read.source, table.source);
  EXPECT_EQ(read.tokenizer, table.tokenizer);
  EXPECT_EQ(read.made_of, table.made_of);
  EXPECT_EQ(read.benchmark, "");
  EXPECT_FALSE(read.pairs);
  EXPECT_EQ(read.rows_each, 1u);
  EXPECT_EQ(read.targets_are, table.targets_are);
  EXPECT_EQ(read.columns, table.columns);
  EXPECT_EQ(read.ids, table.ids);
  EXPECT_EQ(read.images, table.images);
  EXPECT_EQ(read.systems, table.systems);
  EXPECT_EQ(read.lengths, table.lengths);
  EXPECT_EQ(read.targets, table.targets);
  EXPECT_EQ(read.values, table.values);
}

TEST(FeatureTable, KnowsWhichRowsOfABenchmarkItHas) {
  const TempDir folder;
  const std::string path = (folder.path() / "f.jsonl").string();
  FeatureTable table = feature_table_small_table();
  table.benchmark = "pascal50s";
  table.pairs = true;
  table.rows_each = 3;
  write_features(path, table);
  const FeatureTable read = read_features(path);
  EXPECT_EQ(read.benchmark, "pascal50s");
  EXPECT_TRUE(read.pairs);
  EXPECT_EQ(read.rows_each, 3u);
}

TEST(FeatureTable, FindsColumns) {
  const FeatureTable table = feature_table_small_table();
  EXPECT_EQ(table.column("CIDEr-D"), 1u);
  EXPECT_EQ(table.column_values(1), (std::vector<double>{2.0 / 3.0, 1e-17}));
  const std::string problem = message_of<DataError>([&] { table.column("CIDEr"); });
  EXPECT_NE(problem.find("CIDEr-D"), std::string::npos);
}

TEST(FeatureTable, NamesTheLineOfABadRow) {
  const std::string good = R"({"id":"1","image":"1","system":"x","words":3,"target":2.5,"scores":[0.5]})";
  const auto with = [&](const std::string& row) {
    return std::string(kFeatureTableHeader) + "\n" + good + "\n" + row + "\n";
  };
  for (const auto& [row, expected] : std::initializer_list<std::pair<std::string, std::string>>{
           {R"({"id":"2","image":"1","system":"x","words":3,"target":1,"scores":[0.5,1]})",
            "2 scores, expected 1"},
           {R"({"id":"2","image":"1","system":"x","words":3,"target":1,"scores":["nan"]})", "scores"},
           {R"({"id":"2","image":"1","system":"x","words":3,"scores":[0.5]})", "target"},
           {R"({"id":"2","image":"1","system":"x","words":3,"target":"nan","scores":[0.5]})", "target"}}) {
    const std::string problem = feature_table_read_problem(with(row));
    EXPECT_NE(problem.find(":3"), std::string::npos) << problem;
    EXPECT_NE(problem.find(expected), std::string::npos) << problem;
  }
}

TEST(FeatureTable, RefusesRowsThatWereCutOffOrChanged) {
  const TempDir folder;
  const std::string path = (folder.path() / "f.jsonl").string();
  write_features(path, feature_table_small_table());
  const std::string whole = read_file(path);
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  EXPECT_NE(feature_table_read_problem(whole.substr(0, last)).find("1 rows, but its header says 2"),
            std::string::npos);
  std::string changed = whole;
  changed.replace(changed.rfind("0.3"), 3, "0.4");
  EXPECT_NE(feature_table_read_problem(changed).find("changed after it was made"), std::string::npos);
}

TEST(FeatureTable, RefusesWhatIsNoTable) {
  std::string twice(kFeatureTableHeader);
  const std::string column = R"({"score":"METEOR","metric":"meteor","settings":{},"choices":"c"})";
  twice.insert(twice.find(column), column + ",");
  EXPECT_NE(feature_table_read_problem(twice + "\n{}\n").find(":1: two columns are named METEOR"),
            std::string::npos);
  std::string none_each(kFeatureTableHeader);
  none_each.insert(none_each.find("\"columns\""), "\"rows_each\":0,");
  EXPECT_NE(feature_table_read_problem(none_each + "\n{}\n").find("rows_each"), std::string::npos);
  EXPECT_NE(feature_table_read_problem("{\"a\": 1}\n").find("composite features"), std::string::npos);
  EXPECT_NE(feature_table_read_problem(std::string(kFeatureTableHeader) + "\n").find("no rows"),
            std::string::npos);
  EXPECT_NE(feature_table_read_problem(R"({"capella_features":2})"
                                       "\n{}\n")
                .find("version 2"),
            std::string::npos);
  EXPECT_NE(feature_table_read_problem(R"({"capella_features":1})"
                                       "\n{}\n")
                .find("damaged"),
            std::string::npos);
}

}  // namespace
}  // namespace capella::io
