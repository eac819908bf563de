// Three real systems on the 5,000 Karpathy test images, scored by pycocoevalcap with its own tokenizer.
#include <sstream>

#include "golden/golden_scores.h"
#include "support/shared.h"

namespace capella::test {
namespace {

// The values were made on a machine whose logarithms may differ from ours in the last bit.
constexpr double kRelative = 1e-9;

void expect_relative(double found, double expected, const std::string& what) {
  expect_value(found, expected, kRelative * std::max(std::abs(expected), 1e-3), what);
}

TEST(KarpathyGolden, ThreeSystems) {
  CAPELLA_NEED_SHARED(path, "golden/golden_karpathy.json");
  CAPELLA_NEED_SHARED(references, "data/coco/karpathy_test_refs.json");
  CAPELLA_NEED_SHARED(folder, "data/coco/systems");
  const Json golden = read_json(path).at("systems");
  ASSERT_EQ(golden.size(), 3u);
  std::vector<std::string> systems;
  for (const auto& [name, unused] : golden.items()) systems.push_back((folder / (name + ".json")).string());
  const Result result =
      score_golden(read_dataset(references.string(), systems, {}), {"bleu", "rouge-l", "cider-d"}, "ptb");
  ASSERT_EQ(result.ids.size(), 5000u);
  for (std::size_t system = 0; system < result.systems.size(); ++system) {
    SCOPED_TRACE(result.systems[system].name);
    const Json& expected = golden.at(result.systems[system].name);
    for (std::size_t n = 0; n < 4; ++n)
      EXPECT_EQ(result.systems[system].values[n], expected.at("BLEU").at(n).get<double>());
    EXPECT_EQ(corpus_value(result, "ROUGE-L", system), expected.at("ROUGE-L").get<double>());
    expect_relative(corpus_value(result, "CIDEr-D", system), expected.at("CIDEr-D"), "CIDEr-D");
  }
}

TEST(KarpathyGolden, EveryCaptionOfOneSystem) {
  CAPELLA_NEED_SHARED(path, "golden/golden_karpathy_gat.jsonl.gz");
  CAPELLA_NEED_SHARED(references, "data/coco/karpathy_test_refs.json");
  CAPELLA_NEED_SHARED(system, "data/coco/systems/gat.json");
  const std::vector<std::string> systems = {system.string()};
  const Result result =
      score_golden(read_dataset(references.string(), systems, {}), {"bleu", "rouge-l", "cider-d"}, "ptb");
  std::istringstream lines(read_file(path.string()));
  std::size_t item = 0;
  for (std::string line; std::getline(lines, line) && !HasFailure(); ++item) {
    const Json expected = Json::parse(line);
    ASSERT_LT(item, result.ids.size());
    ASSERT_EQ(result.ids[item], std::to_string(expected.at("image_id").get<long>()));
    SCOPED_TRACE(result.ids[item]);
    for (std::size_t n = 0; n < 4; ++n)
      EXPECT_EQ(result.item_value(0, item, n), expected.at("BLEU").at(n).get<double>());
    EXPECT_EQ(result.item_value(0, item, 4), expected.at("ROUGE-L").get<double>());
    expect_relative(result.item_value(0, item, 5), expected.at("CIDEr-D"), "CIDEr-D");
  }
  EXPECT_EQ(item, 5000u);
}

}  // namespace
}  // namespace capella::test
