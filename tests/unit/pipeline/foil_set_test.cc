#include "capella/foil_set.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

namespace capella {
namespace {

struct Image {
  std::string id;
  std::vector<std::string> captions;
};

Dataset dataset_of(const std::vector<Image>& images) {
  const auto text = std::make_shared<std::vector<Image>>(images);
  Dataset::Parts parts;
  parts.text = text;
  for (const Image& image : *text) {
    parts.ids.push_back(image.id);
    parts.references.insert(parts.references.end(), image.captions.begin(), image.captions.end());
    parts.reference_ends.push_back(parts.references.size());
  }
  return Dataset(std::move(parts));
}

Dataset animals() {
  std::vector<Image> images;
  for (int i = 0; i < 300; ++i) {
    images.push_back(
        {"image" + std::to_string(i),
         {"A dog is running on the grass.", "A brown dog runs in a field.", "The puppy plays."}});
  }
  images.push_back({"horse", {"A man rides a horse.", "Two horses on a beach.", "A zebra stands."}});
  images.push_back({"people", {"A man is smiling.", "A woman laughs."}});
  images.push_back({"alone", {"A cat sleeps on a bed."}});
  return dataset_of(images);
}

TEST(FoilSet, ExchangesOneNounForAnotherOfItsKind) {
  const std::vector<FoilPair> pairs = make_foil_set(animals(), {});
  ASSERT_EQ(pairs.size(), 301u);  // not the people, and not the image with one caption
  for (const FoilPair& pair : pairs) {
    EXPECT_NE(pair.caption, pair.foil);
    EXPECT_NE(pair.foil.find(pair.foil_word), std::string::npos) << pair.foil;
    EXPECT_EQ(std::count(pair.references.begin(), pair.references.end(), pair.caption), 0);
    EXPECT_EQ(pair.references.size(), 2u);
    if (pair.image == "horse") continue;
    EXPECT_TRUE(pair.target_word == "dog" || pair.target_word == "puppy");
    // By frequency: other animals stand only in the captions of one image.
    EXPECT_TRUE(pair.foil_word == "horse" || pair.foil_word == "cat" || pair.foil_word == "zebra")
        << pair.foil_word;
  }
}

TEST(FoilSet, NeverNamesWhatAnotherCaptionOfTheImageMentions) {
  std::vector<Image> images;
  for (int i = 0; i < 100; ++i) {
    images.push_back(
        {std::to_string(i), {"A dog sits on the floor.", "A kitty and a pony.", "Some cattle."}});
  }
  for (const FoilPair& pair : make_foil_set(dataset_of(images), {})) {
    EXPECT_EQ(pair.target_word, "dog");
    for (const char* word : {"cat", "kitten", "horse", "cow", "puppy"}) EXPECT_NE(pair.foil_word, word);
  }
}

TEST(FoilSet, TheSameSeedGivesTheSameBytesForAnyThreads) {
  const Dataset references = animals();
  FoilSetOptions options;
  options.threads = 1;
  const std::string lines = foil_set_lines(make_foil_set(references, options));
  options.threads = 4;
  EXPECT_EQ(lines, foil_set_lines(make_foil_set(references, options)));
  options.seed = 1;
  EXPECT_NE(lines, foil_set_lines(make_foil_set(references, options)));
}

TEST(FoilSet, ASmallerSetIsPartOfTheWholeInItsOrder) {
  const Dataset references = animals();
  const std::string all = foil_set_lines(make_foil_set(references, {}));
  FoilSetOptions options;
  options.pairs = 20;
  const std::vector<FoilPair> some = make_foil_set(references, options);
  ASSERT_EQ(some.size(), 20u);
  std::size_t at = 0;
  for (const FoilPair& pair : some) {
    at = all.find(foil_set_lines({&pair, 1}), at);
    ASSERT_NE(at, std::string::npos) << pair.image;
  }
  options.pairs = 1000;
  EXPECT_EQ(make_foil_set(references, options).size(), 301u);
}

TEST(FoilSet, AsksTheParserWhetherItIsANoun) {
  const Dataset references =
      dataset_of({{"1", {"A man trains his team for a game.", "A man on a bench."}},
                  {"2", {"A white bowl of dog food on the floor.", "Some dog food."}}});
  const std::vector<FoilPair> pairs = make_foil_set(references, {});
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].target_word, "bench");
  EXPECT_EQ(pairs[1].target_word, "bowl");
}

TEST(FoilSet, FailsWhereNothingCanBeExchanged) {
  EXPECT_THROW(make_foil_set(dataset_of({{"1", {"A man.", "A woman."}}}), {}), DataError);
  EXPECT_THROW(make_foil_set(dataset_of({}), {}), DataError);
}

TEST(FoilSet, WritesRowsThatTheBenchmarkReads) {
  const FoilPair pair{"7", "A \"dog\".", "A \"cat\".", {"x", "y"}, "dog", "cat"};
  const auto row = nlohmann::json::parse(foil_set_lines({&pair, 1}));
  EXPECT_EQ(row["image_id"], "7");
  EXPECT_EQ(row["caption"], "A \"dog\".");
  EXPECT_EQ(row["foil"], "A \"cat\".");
  EXPECT_EQ(row["references"], (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(row["target_word"], "dog");
  EXPECT_EQ(row["foil_word"], "cat");
}

}  // namespace
}  // namespace capella
