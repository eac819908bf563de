#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "encoder/tokenizer/tokenizer_files.h"
#include "method/clip_training/pairs.h"

namespace capella::method::clip_training {
namespace {

TEST(ClipPairs, HaveEveryWordingOfEveryCaption) {
  const std::vector<std::string_view> captions = {"a dog", "a cat sits"};
  const encoder::LearntVocabulary learnt = learn_vocabulary(captions, 500);
  const auto tokenizer = encoder::read_vocabulary_and_merges(learnt.vocabulary, learnt.merges, {});
  const Pairs pairs = make_pairs(*tokenizer, captions, std::vector<std::uint32_t>{4, 1}, {}, 77);
  ASSERT_EQ(pairs.captions.size(), 2 * kWordings.size());
  EXPECT_EQ(pairs.image_of, (std::vector<std::uint32_t>{4, 4, 4, 1, 1, 1}));
  const auto tokens = tokenizer->tokens("In the image, a dog", 77).ids;
  const auto begin = pairs.captions.ids.begin() + static_cast<std::ptrdiff_t>(pairs.captions.begin(2));
  EXPECT_TRUE(std::equal(tokens.begin(), tokens.end(), begin));
  EXPECT_EQ(pairs.captions.length(2), tokens.size());
  EXPECT_EQ(longest_caption(*tokenizer, captions, 77),
            tokenizer->tokens("In the image, a cat sits", 77).ids.size());
  EXPECT_EQ(longest_caption(*tokenizer, captions, 4), 4u);
}

TEST(ClipPairs, OrderHasEveryCaptionOnceInSomeWording) {
  const std::vector<std::uint32_t> order = draw_order(300, 7);
  std::set<std::uint32_t> captions, wordings;
  for (const std::uint32_t place : order) {
    captions.insert(place / kWordings.size());
    wordings.insert(place % kWordings.size());
  }
  EXPECT_EQ(captions.size(), 300u);
  EXPECT_EQ(wordings.size(), kWordings.size());
  EXPECT_NE(order, draw_order(300, 8));
}

TEST(ClipPairs, RetrievalCountsWhoFindsItsOwn) {
  // Directions count, lengths do not. Picture 2 lies nearer to text 0 than to its own.
  const std::vector<float> images = {5, 0, 0, 1, 1, .1f};
  const std::vector<float> texts = {1, 0, 0, 9, 1, 1};
  const Retrieval found = retrieval(images, texts, 2);
  EXPECT_DOUBLE_EQ(found.image_to_text, 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.text_to_image, 1);
  EXPECT_DOUBLE_EQ(retrieval(images, images, 2).image_to_text, 1);
  const std::vector<float> same = {1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(retrieval(same, same, 2).image_to_text, 0);  // as near is not nearest
}

TEST(ClipPairs, ConfigurationTellsTheRecipe) {
  Recipe recipe;
  recipe.vocabulary = 700;
  recipe.end = 699;
  const nlohmann::json config = nlohmann::json::parse(config_text(recipe));
  EXPECT_EQ(config["text_config"]["vocab_size"], 700);
  EXPECT_EQ(config["text_config"]["eos_token_id"], 699);
  EXPECT_EQ(config["vision_config"]["patch_size"], 8);
  EXPECT_EQ(config["vision_config"]["hidden_act"], "quick_gelu");
  EXPECT_EQ(nlohmann::json::parse(preprocessor_text(recipe))["size"]["shortest_edge"], 64);
}

}  // namespace
}  // namespace capella::method::clip_training
