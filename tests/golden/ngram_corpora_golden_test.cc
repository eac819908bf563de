// Three corpora of 1,000 images each, caption by caption, from given tokens and from raw text.
#include "golden/golden_scores.h"
#include "support/corpus.h"
#include "support/shared.h"
#include "support/temp_dir.h"

namespace capella::test {
namespace {

const std::vector<std::string> kMetrics = {"bleu", "rouge-l", "cider-d", "cider-plain", "cider-r"};

struct Score {
  std::string name;
  std::string key;
  double tolerance;
};
const std::vector<Score> kScores = {
    {"BLEU-1", "Bleu_1", kExact},           {"BLEU-2", "Bleu_2", kExact},   {"BLEU-3", "Bleu_3", kExact},
    {"BLEU-4", "Bleu_4", kExact},           {"ROUGE-L", "ROUGE_L", kExact}, {"CIDEr-D", "CIDEr_D", kCider},
    {"CIDEr-plain", "CIDEr_plain", kCider}, {"CIDEr-R", "CIDEr_R", kCider},
};

class NgramCorporaGolden : public ::testing::TestWithParam<std::string> {
 protected:
  std::string file() const { return "golden/golden_" + GetParam() + ".json"; }
};

void expect_all_scores(const Json& golden, const Result& result) {
  const Json& images = golden.at("per_image");
  ASSERT_EQ(result.ids.size(), images.size());
  for (const Score& score : kScores) {
    expect_items(result, score.name, score.tolerance,
                 [&](std::size_t item) { return images[item].at(score.key).get<double>(); });
    expect_value(corpus_value(result, score.name), golden.at("corpus").at(score.key), score.tolerance,
                 "corpus " + score.name);
  }
}

// The raw captions with at most `most` references each.
std::vector<Item> raw_items(const Json& golden, std::size_t most) {
  std::vector<Item> items;
  for (const Json& image : golden.at("per_image")) {
    std::vector<std::string> references = image.at("refs_raw");
    references.resize(std::min(references.size(), most));
    items.push_back({image.at("cand_raw"), references});
  }
  return items;
}

TEST_P(NgramCorporaGolden, FromTokens) {
  CAPELLA_NEED_SHARED(path, file());
  const Json golden = read_json(path);
  std::vector<Item> items;
  for (const Json& image : golden.at("per_image")) items.push_back({image.at("cand"), image.at("refs")});
  expect_all_scores(golden, score_golden(make_dataset(items), kMetrics, "none"));
}

TEST_P(NgramCorporaGolden, FromFilesOfRawCaptions) {
  CAPELLA_NEED_SHARED(path, file());
  const Json golden = read_json(path);
  Json references = Json::array();
  Json captions = Json::array();
  for (const Json& image : golden.at("per_image")) {
    references.push_back({{"image_id", image.at("id")}, {"captions", image.at("refs_raw")}});
    captions.push_back({{"image_id", image.at("id")}, {"caption", image.at("cand_raw")}});
  }
  const TempDir folder;
  const std::vector<std::string> systems = {folder.write("system.json", captions.dump())};
  const Dataset dataset = read_dataset(folder.write("references.json", references.dump()), systems, {});
  expect_all_scores(golden, score_golden(dataset, kMetrics, "ptb"));
}

TEST_P(NgramCorporaGolden, SacreBleuAndChrfOfTheCorpus) {
  CAPELLA_NEED_SHARED(path, file());
  const Json golden = read_json(path);
  const Json& expected = golden.at("sacrebleu");
  const Dataset dataset = make_dataset(raw_items(golden, expected.at("nref_used")));
  const Result result = score_golden(dataset, {"sacrebleu", "chrf"}, "13a");
  expect_value(corpus_value(result, "sacreBLEU"), expected.at("corpus_bleu_13a_exp").at("score"), kPercent,
               "sacreBLEU");
  expect_value(corpus_value(result, "chrF"), expected.at("corpus_chrf2").at("score"), kPercent, "chrF");
  const Result with_words = score_golden(dataset, {"chrf"}, "none", {"chrf.word-order=2"});
  expect_value(corpus_value(with_words, "chrF++"), expected.at("corpus_chrf2pp").at("score"), kPercent,
               "chrF++");
}

TEST_P(NgramCorporaGolden, SacreBleuAndChrfOfEachCaption) {
  CAPELLA_NEED_SHARED(path, file());
  const Json golden = read_json(path);
  const Json& images = golden.at("per_image");
  const Dataset dataset = make_dataset(raw_items(golden, golden.at("sacrebleu").at("nref_used")));
  const auto of = [&](const std::string& key) {
    return [&images, key](std::size_t item) { return images[item].at(key).get<double>(); };
  };
  const Result result =
      score_golden(dataset, {"sacrebleu", "chrf"}, "13a", {"sacrebleu.effective-order=yes"});
  expect_items(result, "sacreBLEU", kPercent, of("sent_sacrebleu"));
  expect_items(result, "chrF", kPercent, of("sent_chrf2"));
  expect_items(score_golden(dataset, {"chrf"}, "none", {"chrf.word-order=2"}), "chrF++", kPercent,
               of("sent_chrf2pp"));
}

INSTANTIATE_TEST_SUITE_P(Corpora, NgramCorporaGolden,
                         ::testing::Values("coco_fakecap", "flickr8k_human", "flickr8k_random"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace capella::test
