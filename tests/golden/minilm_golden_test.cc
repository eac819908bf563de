// Metrics on the encoder all-MiniLM-L6-v2 against the programs people use, on the CPU: sentence-transformers
// 6.2.0, bert-score 0.3.13 and the authors' moverscore.py and moverscore_v2.py (with this model in place of
// theirs), all on PyTorch 2.15.0. The model is the data package minilm.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/data.h"
#include "capella/error.h"
#include "capella/pipeline.h"

#include "encoder/sentence_encoder.h"
#include "support/corpus.h"
#include "support/shared.h"
#include "support/small_adapter.h"

namespace capella::test {
namespace {

using Values = std::vector<double>;

const std::vector<Item> kItems = {
    {"A dog runs across the wet grass.",
     {"A brown dog is running over a lawn.", "The dog chases a ball through grass."}},
    {"two cats sleeping on a couch",
     {"Two cats are asleep on the sofa.", "A pair of kittens naps on a red couch."}},
    {"A man riding a wave on top of a surfboard.",
     {"A surfer rides a big wave.", "A man on a surfboard in the ocean."}},
    {"a plate of food",
     {"A white plate topped with pasta and broccoli.", "Pasta with vegetables on a table."}},
    {"skateboarder, mid-air!",
     {"A skateboarder does a trick in the air.", "Young man jumping his skateboard over steps."}}};

bool have_minilm() {
  try {
    data_path("minilm");
    return true;
  } catch (const FileError&) {
    return false;
  }
}

#define CAPELLA_NEED_MINILM()                                                                    \
  if (!have_minilm()) {                                                                          \
    if (testing::shared_is_required()) FAIL() << "required data is missing: the package minilm"; \
    GTEST_SKIP() << "data is not here: get it with capella data get minilm";                     \
  }                                                                                              \
  static_assert(true)

void expect_scores(const std::string& metric, const std::vector<std::string>& settings,
                   const std::string& name, const Values& expected, double near) {
  ScoreOptions options;
  options.metrics = {metric};
  options.detail = true;
  for (const std::string& setting : settings) options.settings.push_back(metric + "." + setting);
  const Result result = score(make_dataset(kItems), options);
  const auto column = std::ranges::find(result.columns, name, &ScoreColumn::name);
  ASSERT_NE(column, result.columns.end()) << name;
  const auto place = static_cast<std::size_t>(column - result.columns.begin());
  ASSERT_EQ(expected.size(), kItems.size());
  for (std::size_t i = 0; i < kItems.size(); ++i)
    EXPECT_NEAR(result.item_value(0, i, place), expected[i], near) << name << " of " << kItems[i].caption;
}

TEST(MiniLmGolden, VectorBeginsAsThatOfSentenceTransformers) {
  CAPELLA_NEED_MINILM();
  const encoder::SentenceEncoder encoder(data_path("minilm"));
  EXPECT_EQ(encoder.width(), 384u);
  EXPECT_EQ(encoder.layers(), 6u);
  EXPECT_EQ(encoder.most_in_sentence(), 256u);
  const std::vector<std::string_view> texts = {kItems[0].caption};
  const encoder::Features found = encoder.sentences(texts, encoder::Pooling::as_told);
  const Values expected = {0.01234586, -0.03407104, 0.04668292, 0.0137229};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found.row(0)[i], expected[i], 1e-6);
}

TEST(MiniLmGolden, SentenceCosine) {
  CAPELLA_NEED_MINILM();
  const std::vector<Values> cosines = {{0.662572883516917, 0.6240158060360574},
                                       {0.9046777978829408, 0.7795371035736367},
                                       {0.6769048508074454, 0.8148673656193552},
                                       {0.6705827723015003, 0.5383272928979054},
                                       {0.7689680323968898, 0.47327474335782216}};
  Values most, mean;
  for (const Values& two : cosines) {
    most.push_back(std::max(two[0], two[1]));
    mean.push_back((two[0] + two[1]) / 2);
  }
  expect_scores("sentence-cosine", {}, "Sentence-cosine-max", most, 1e-6);
  expect_scores("sentence-cosine", {}, "Sentence-cosine-mean", mean, 1e-6);
}

TEST(MiniLmGolden, BertScore) {
  CAPELLA_NEED_MINILM();
  expect_scores(
      "bertscore", {}, "BERTScore-P",
      {0.6694273352622986, 0.8946450352668762, 0.7498071789741516, 0.704177737236023, 0.6709266901016235},
      2e-6);
  expect_scores(
      "bertscore", {}, "BERTScore-R",
      {0.6549755930900574, 0.8728052377700806, 0.8030101656913757, 0.5260465145111084, 0.6968013048171997},
      2e-6);
  expect_scores(
      "bertscore", {}, "BERTScore",
      {0.6621226072311401, 0.8835901618003845, 0.7754972577095032, 0.6022157669067383, 0.6836192607879639},
      2e-6);
  expect_scores(
      "bertscore", {"layer=4"}, "BERTScore",
      {0.8092100024223328, 0.8734692931175232, 0.8210923671722412, 0.6121509075164795, 0.6233250498771667},
      2e-6);
}

TEST(MiniLmGolden, BertScoreWithIdf) {
  CAPELLA_NEED_MINILM();
  expect_scores(
      "bertscore", {"idf=yes"}, "BERTScore-P",
      {0.620022177696228, 0.9004432559013367, 0.617948591709137, 0.6555497050285339, 0.6045913696289062},
      2e-6);
  expect_scores(
      "bertscore", {"idf=yes"}, "BERTScore-R",
      {0.6307471990585327, 0.8785884380340576, 0.7510098218917847, 0.47347313165664673, 0.6867371201515198},
      2e-6);
  expect_scores(
      "bertscore", {"idf=yes"}, "BERTScore",
      {0.6253387331962585, 0.8893815875053406, 0.678012490272522, 0.5498297214508057, 0.6430515050888062},
      2e-6);
}

// The authors' program has distances from products of 32-bit numbers and a solver that rounds. With idf both
// sides had the references' frequencies.
TEST(MiniLmGolden, MoverScore) {
  CAPELLA_NEED_MINILM();
  expect_scores(
      "moverscore", {}, "MoverScore",
      {0.5533123148093668, 0.615425052294175, 0.5655643119049518, 0.5149948172672745, 0.5163233780941787},
      1e-4);
  expect_scores(
      "moverscore", {"idf=yes"}, "MoverScore",
      {0.5232678863662074, 0.5973937903473878, 0.5212742799591829, 0.49410142434267323, 0.4915014144869039},
      1e-4);
}

TEST(MiniLmGolden, MoverScoreVersion1) {
  CAPELLA_NEED_MINILM();
  expect_scores(
      "moverscore", {"version=1"}, "MoverScore",
      {0.5851308897073231, 0.6107804834749937, 0.5159599899141095, 0.29179864939043054, 0.2844044253631386},
      1e-4);
  expect_scores(
      "moverscore", {"version=1", "subwords=drop"}, "MoverScore",
      {0.5851308897073231, 0.6367641531328464, 0.5203470646456769, 0.3280303871935106, 0.15887838199876697},
      1e-4);
  expect_scores(
      "moverscore", {"version=1", "idf=yes"}, "MoverScore",
      {0.3750017920446259, 0.4923680074540646, 0.2843513114710275, 0.1458668606599937, 0.16712433123354742},
      1e-4);
}

// By the name that PEFT writes down. Updates of zero change nothing but the fingerprint.
TEST(MiniLmGolden, AnAdapterFindsThePackageByItsPublishedName) {
  CAPELLA_NEED_MINILM();
  const encoder::ModelFolder plain(data_path("minilm"));
  const std::string matrix = "encoder.layer.5.output.dense";
  MemoryWeights weights;
  weights.set(matrix + ".weight", plain.shape(matrix + ".weight"), {});
  SmallAdapter adapter("sentence-transformers/all-MiniLM-L6-v2", weights, {matrix});
  const std::vector<std::string_view> texts = {"A dog runs across the wet grass."};
  const auto vector = [&] {
    return encoder::SentenceEncoder(adapter.path()).sentences(texts, encoder::Pooling::as_told).values;
  };
  const auto expected = encoder::SentenceEncoder(plain).sentences(texts, encoder::Pooling::as_told).values;
  EXPECT_NE(vector(), expected);
  const std::string second = "base_model.model." + matrix + ".lora_B.weight";
  adapter.arrays.set(second, adapter.arrays.shape(second),
                     std::vector<float>(adapter.arrays.values(second).size()));
  adapter.write();
  EXPECT_EQ(vector(), expected);
  EXPECT_NE(encoder::ModelFolder(adapter.path()).fingerprint(), plain.fingerprint());
}

}  // namespace
}  // namespace capella::test
