#include "aggregate/row_block.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"

namespace capella::aggregate {
namespace {

using test::message_of;
using Names = std::vector<std::string>;

// A block of one system and one metric with rows of two numbers; item i has the rows {i, 1}.
RowBlock block_of(std::size_t first, std::size_t count, std::size_t total) {
  RowBlock block;
  block.metrics = {{"rouge-l", {{"beta", "1.2"}}, 2, "beta:1.2|tok:none"}};
  block.systems = {"mine"};
  block.total_items = total;
  block.first_item = first;
  auto& rows = block.rows.emplace_back();
  for (std::size_t item = first; item < first + count; ++item) {
    block.ids.push_back("item " + std::to_string(item));
    rows.insert(rows.end(), {static_cast<double>(item), 1.0});
  }
  return block;
}

std::string complaint(const std::vector<RowBlock>& blocks, const Names& names) {
  return message_of<DataError>([&] { join_blocks(blocks, names); });
}

TEST(SumRows, AddsColumnByColumn) {
  const std::vector<double> rows = {1, 10, 2, 20, 3, 30};
  EXPECT_EQ(sum_rows(rows, 2), (std::vector<double>{6, 60}));
  EXPECT_EQ(sum_rows(rows, 3), (std::vector<double>{1 + 20, 10 + 3, 2 + 30}));
}

TEST(JoinBlocks, PutsShardsInTheirPlaces) {
  const RowBlock whole = join_blocks({block_of(2, 1, 3), block_of(0, 2, 3)}, Names{"b", "a"});
  EXPECT_EQ(whole.ids, (Names{"item 0", "item 1", "item 2"}));
  EXPECT_EQ(whole.rows[0], (std::vector<double>{0, 1, 1, 1, 2, 1}));
}

TEST(JoinBlocks, TakesEmptyShardsAnywhere) {
  const RowBlock whole =
      join_blocks({block_of(0, 1, 1), block_of(0, 0, 1), block_of(1, 0, 1)}, Names{"a", "b", "c"});
  EXPECT_EQ(whole.ids, (Names{"item 0"}));
}

TEST(JoinBlocks, PutsOpenPartsInTheOrderGiven) {
  const RowBlock whole = join_blocks({block_of(0, 2, kOpenEnd), block_of(0, 1, kOpenEnd)}, Names{"a", "b"});
  EXPECT_EQ(whole.ids, (Names{"item 0", "item 1", "item 0"}));
  EXPECT_EQ(whole.total_items, 3u);
}

TEST(JoinBlocks, SaysWhatDoesNotFit) {
  EXPECT_EQ(complaint({block_of(0, 2, 3)}, {"a"}),
            "the shards hold 2 of 3 items; give all shards of the run");
  EXPECT_EQ(complaint({block_of(0, 1, 3), block_of(2, 1, 3)}, {"a", "c"}),
            "c: begins at item 3, expected item 2; a shard is missing");
  EXPECT_EQ(complaint({block_of(0, 2, 3), block_of(0, 2, 3), block_of(2, 1, 3)}, {"a", "a again", "b"}),
            "a again: begins at item 1, expected item 3; a shard is given twice");
  EXPECT_EQ(complaint({}, {}), "no statistics to merge");
}

TEST(JoinBlocks, RefusesShardsOfOtherReferencesOrCaptions) {
  RowBlock other = block_of(2, 1, 3);
  other.fingerprint = 1;
  EXPECT_EQ(complaint({block_of(0, 2, 3), other}, {"a", "b"}),
            "b: its references or captions differ from those in a; merge only shards of one run");
}

TEST(JoinBlocks, RefusesShardsOfAnotherRun) {
  RowBlock other = block_of(2, 1, 3);
  other.metrics[0].settings["beta"] = "2";
  EXPECT_EQ(complaint({block_of(0, 2, 3), other}, {"a", "b"}),
            "b: its metrics or their settings differ from those in a; merge only shards of one run");
  other = block_of(2, 1, 3);
  other.systems = {"theirs"};
  EXPECT_NE(complaint({block_of(0, 2, 3), other}, {"a", "b"}).find("b: its systems differ"),
            std::string::npos);
  EXPECT_NE(
      complaint({block_of(0, 2, 3), block_of(2, 1, 4)}, {"a", "b"}).find("b: its numbers of items differ"),
      std::string::npos);
}

TEST(JoinBlocks, KeepsEachWarningOnce) {
  RowBlock first = block_of(0, 1, 2);
  RowBlock second = block_of(1, 1, 2);
  first.warnings = {"all", "first"};
  second.warnings = {"all", "second"};
  EXPECT_EQ(join_blocks({first, second}, Names{"a", "b"}).warnings, (Names{"all", "first", "second"}));
}

TEST(RowBlockBytes, ComeBackBitByBit) {
  RowBlock block = block_of(3, 2, 9);
  block.rows[0] = {std::nan(""), -0.0, std::numeric_limits<double>::infinity(), 5e-324};
  block.skipped = {{"file.json:3", "no caption \"here\"\n"}};
  block.warnings = {"wörds"};
  const RowBlock back = from_bytes(to_bytes(block), "test");
  EXPECT_EQ(back.metrics, block.metrics);
  EXPECT_EQ(back.ids, block.ids);
  EXPECT_EQ(back.first_item, 3u);
  EXPECT_EQ(back.total_items, 9u);
  EXPECT_TRUE(std::isnan(back.rows[0][0]));
  EXPECT_TRUE(std::signbit(back.rows[0][1]));
  EXPECT_EQ(back.rows[0][3], 5e-324);
  EXPECT_EQ(back.skipped[0].why, block.skipped[0].why);
  EXPECT_EQ(back.warnings, block.warnings);
}

// File names may be any bytes.
TEST(RowBlockBytes, TakeNamesThatAreNoUtf8) {
  RowBlock block = block_of(0, 1, 1);
  block.systems = {"\xFF"};
  EXPECT_EQ(from_bytes(to_bytes(block), "test").systems.size(), 1u);
}

TEST(RowBlockBytes, NamesTheSourceOfAnythingElse) {
  const auto said = [](std::string_view bytes) {
    return message_of<DataError>([&] { from_bytes(bytes, "part1.stats"); });
  };
  const std::string good = to_bytes(block_of(0, 1, 1));
  EXPECT_TRUE(said("").starts_with("part1.stats: not statistics written by `capella score --stats-out`"));
  EXPECT_NE(said("[1, 2]").find("does not begin as such a file does"), std::string::npos);
  EXPECT_NE(said("capella-rows-1 ").find("cut off"), std::string::npos);
  EXPECT_NE(said(seal("99999999999999999999\n{}")).find("cut off"), std::string::npos);
  EXPECT_NE(said(seal("2\n{}")).find("metrics"), std::string::npos);
  const std::string content = good.substr(good.find('\n') + 1);
  EXPECT_NE(said(seal(content.substr(0, content.size() - 1))).find("end too early"), std::string::npos);
  EXPECT_NE(said(seal(content + "x")).find("something follows its end"), std::string::npos);
  for (const std::size_t place : {good.size() - 1, good.size() / 2, good.find('\n') - 1}) {
    std::string changed = good;
    changed[place] ^= 1;
    EXPECT_NE(said(changed).find("damaged"), std::string::npos) << place;
  }
}

}  // namespace
}  // namespace capella::aggregate
