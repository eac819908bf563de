// CLIP-S, RefCLIP-S, PAC-S and RefPAC-S of 51 photos on the small random CLIP model: as the functions of
// CLIPScore's program compute them (weights 2.5 and 2) from the vectors of Hugging Face's CLIPModel, with
// OpenAI's tokenizer and Pillow. The first caption of each photo is scored, the other four are references.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/pipeline.h"

#include "encoder/clip_encoder.h"
#include "support/corpus.h"
#include "support/shared.h"
#include "support/temp_dir.h"
#include "tensor/safetensors.h"

namespace capella {
namespace {

namespace fs = std::filesystem;

// The model with its configuration and the tokenizer in one folder.
void link_model(const fs::path& neural, const fs::path& vocabulary, const fs::path& folder) {
  fs::create_symlink(fs::absolute(neural / "clip_tiny.safetensors"), folder / "model.safetensors");
  fs::create_symlink(fs::absolute(neural / "clip_tiny.config.json"), folder / "config.json");
  fs::create_symlink(fs::absolute(vocabulary), folder / vocabulary.filename());
}

struct Expected {
  std::size_t item;
  double clip, ref_clip, pac, ref_pac;
};
constexpr Expected kItems[] = {
    {0, 0.15610449016094208, 0.26992398500442505, 0.12488359212875366, 0.22195133566856384},
    {1, 0.1461307406425476, 0.25499647855758667, 0.11690458655357361, 0.20933546125888824},
    {2, 0.1207432895898819, 0.21526290476322174, 0.09659463167190552, 0.17603349685668945},
    {25, 0.20789507031440735, 0.3440198302268982, 0.16631606221199036, 0.2850567102432251},
    {50, 0.12361150234937668, 0.2198106348514557, 0.09888920187950134, 0.17983660101890564}};
constexpr double kMeans[] = {0.1501429961884723, 0.25992508933824654, 0.12011439747670118,
                             0.21366319498595068};
constexpr double kTolerance = 1e-6;  // the programs compute in 32-bit floats

TEST(ClipScoresGolden, PhotosWithTheSmallModel) {
  CAPELLA_NEED_SHARED(neural, "golden/neural");
  CAPELLA_NEED_SHARED(vocabulary, "data/vocab/clip/bpe_simple_vocab_16e6.txt.gz");
  CAPELLA_NEED_SHARED(images, "data/images");
  const test::TempDir folder;
  link_model(neural, vocabulary, folder.path());
  nlohmann::json references = nlohmann::json::object(), captions = nlohmann::json::object();
  std::vector<std::string> ids;
  for (const auto& row : nlohmann::json::parse(std::ifstream(images / "captions.json"))) {
    ids.push_back(std::to_string(row.at("image_id").get<int>()));
    captions[ids.back()] = row.at("captions")[0];
    for (std::size_t i = 1; i < 5; ++i) references[ids.back()].push_back(row.at("captions")[i]);
  }
  const std::vector<std::string> systems = {folder.write("captions.json", captions.dump())};
  const Dataset dataset =
      with_images(read_dataset(folder.write("references.json", references.dump()), systems, {}),
                  (images / "photos").string());
  ScoreOptions options;
  options.metrics = {"clip-s", "refclip-s", "pac-s", "refpac-s"};
  for (const std::string& metric : options.metrics)
    options.settings.push_back(metric + ".model=" + folder.path().string());
  const Result result = score(dataset, options);
  ASSERT_EQ(result.ids.size(), 51u);
  for (std::size_t column = 0; column < 4; ++column)
    EXPECT_NEAR(result.systems[0].values[column], kMeans[column], kTolerance);
  for (const Expected& expected : kItems) {
    const auto item =
        static_cast<std::size_t>(std::ranges::find(result.ids, ids[expected.item]) - result.ids.begin());
    const double values[] = {expected.clip, expected.ref_clip, expected.pac, expected.ref_pac};
    for (std::size_t column = 0; column < 4; ++column)
      EXPECT_NEAR(result.item_value(0, item, column), values[column], kTolerance) << expected.item;
  }
}

TEST(ClipScoresGolden, TextsOfTheSmallModel) {
  CAPELLA_NEED_SHARED(neural, "golden/neural");
  CAPELLA_NEED_SHARED(vocabulary, "data/vocab/clip/bpe_simple_vocab_16e6.txt.gz");
  const test::TempDir folder;
  link_model(neural, vocabulary, folder.path());
  constexpr std::size_t kTexts = 24, kWidth = 24;
  const tensor::Safetensors io((neural / "clip_tiny.io.safetensors").string());
  const auto expected = io.values<float>("out.text_features", {kTexts, kWidth});
  std::vector<std::string> texts;
  std::ifstream lines(neural / "tokenizers.jsonl");
  for (std::string line; texts.size() < kTexts && std::getline(lines, line);)
    texts.push_back(nlohmann::json::parse(line).at("text").get<std::string>());
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto found = encoder::ClipEncoder(folder.path().string()).texts(views, "");
  ASSERT_EQ(found->values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found->values[i], expected[i], 2e-6f) << i;
}

}  // namespace
}  // namespace capella
