// Document frequencies in a file, and what they make possible: scoring a data set in parts that never meet.
#include <gtest/gtest.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "report/result_report.h"
#include "support/message_of.h"
#include "support/score_items.h"
#include "support/small_text_encoder.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

using test::Item;
using test::make_dataset;
using test::one_metric;

const std::vector<Item> kPartsItems = {
    {"a dog runs", {"a dog runs", "the dog"}}, {"two cats", {"two cats", "cats"}}, {"a cat", {"a dog"}}};

class DocumentFrequencyFile : public ::testing::Test {
 protected:
  DocumentFrequencyFile() : path_((folder_.path() / "own.df").string()) {
    entries_ = write_document_frequencies(make_dataset(kPartsItems), "none", path_);
  }

  ScoreOptions options() const {
    ScoreOptions options = one_metric("cider-d");
    options.df = path_;
    return options;
  }

  test::TempDir folder_;
  std::string path_;
  std::size_t entries_ = 0;
};

TEST_F(DocumentFrequencyFile, HoldsNgramsOfTwoOrMoreItems) {
  EXPECT_EQ(entries_, 3u);  // a, dog, a dog
}

TEST_F(DocumentFrequencyFile, OfTheSameReferencesChangesNoScore) {
  const Result counted = score(make_dataset(kPartsItems), one_metric("cider-d"));
  const Result looked_up = score(make_dataset(kPartsItems), options());
  EXPECT_EQ(looked_up.systems[0].values, counted.systems[0].values);
  EXPECT_EQ(looked_up.systems[0].item_values, counted.systems[0].item_values);
  EXPECT_NE(looked_up.columns[0].signature.find("|df:own(3,#"), std::string::npos)
      << looked_up.columns[0].signature;
}

TEST_F(DocumentFrequencyFile, LetsASingleImageBeScored) {
  const Result result = score(make_dataset({kPartsItems[0]}), options());
  EXPECT_GT(result.systems[0].values[0], 0.0);
  EXPECT_TRUE(result.warnings.empty());
}

TEST_F(DocumentFrequencyFile, LetsPartsBeJoined) {
  const std::vector<std::string> parts = {
      part_statistics(make_dataset({kPartsItems[0], kPartsItems[1]}), options()),
      part_statistics(make_dataset({kPartsItems[2]}), options())};
  const std::vector<std::string> names = {"first", "second"};
  const Result whole = score(make_dataset(kPartsItems), options());
  const Result joined = merge_statistics(parts, names);
  EXPECT_EQ(joined.systems[0].values, whole.systems[0].values);
  EXPECT_EQ(joined.systems[0].item_values, whole.systems[0].item_values);
  EXPECT_EQ(joined.columns[0].signature, whole.columns[0].signature);
}

TEST(PartsOfEncoders, RefuseWeightsThatAreCountedInAPart) {
  const test::SmallTextEncoder encoder;
  for (const std::string metric : {"bertscore", "moverscore"}) {
    ScoreOptions options = one_metric(metric);
    options.settings = {metric + ".model=" + encoder.path()};
    EXPECT_NO_THROW(part_statistics(make_dataset(kPartsItems), options)) << metric;
    options.settings.push_back(metric + ".idf=yes");
    const std::string message =
        test::message_of<UsageError>([&] { part_statistics(make_dataset(kPartsItems), options); });
    EXPECT_TRUE(message.starts_with(metric + ".idf=yes weighs words by the references of a part")) << message;
    EXPECT_NO_THROW(shard_statistics(make_dataset(kPartsItems), options, {0, 2})) << metric;
  }
}

TEST_F(DocumentFrequencyFile, MustBeThere) {
  ScoreOptions absent = options();
  absent.df = path_ + ".not";
  EXPECT_THROW(score(make_dataset(kPartsItems), absent), FileError);
}

}  // namespace
}  // namespace capella
