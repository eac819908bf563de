// Which images are alike, by hand.
#include "method/composite/similar_images.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace capella::method::composite {
namespace {

// Four images; "a" is said of all and weighs ln(4/4) = 0. dog, grass and cat are said of two: ln 2 each. ball
// and sofa are said of one: ln 4 = 2 ln 2 each.
SimilarImages four_images() {
  SimilarImages images;
  for (const std::string_view caption : {"a dog, a grass", "A dog a ball", "a cat a sofa", "a cat a GRASS"})
    images.add(std::vector{caption});
  images.weigh();
  return images;
}

TEST(SimilarImages, LikenessIsTheWeightOfSharedWords) {
  const SimilarImages images = four_images();
  // 0 and 1 share dog: ln 2 / sqrt(2 ln 2 * 3 ln 2) = 1 / sqrt(6).
  EXPECT_NEAR(images.likeness(0, 1), 1 / std::sqrt(6.0), 1e-15);
  EXPECT_NEAR(images.likeness(1, 0), 1 / std::sqrt(6.0), 1e-15);
  // 0 and 3 share grass: ln 2 / sqrt(2 ln 2 * 2 ln 2) = 1 / 2.
  EXPECT_NEAR(images.likeness(0, 3), 0.5, 1e-15);
  EXPECT_EQ(images.likeness(0, 2), 0.0);
  EXPECT_NEAR(images.likeness(2, 2), 1.0, 1e-15);
}

TEST(SimilarImages, WordsOfAllCaptionsCountOnce) {
  SimilarImages once, twice;
  const std::vector<std::string_view> said = {"red dog"}, repeated = {"red", "dog red", "red dog"};
  const std::vector<std::string_view> other = {"red cat"}, third = {"cat"};
  once.add(said);
  twice.add(repeated);
  for (SimilarImages* images : {&once, &twice}) {
    images->add(other);
    images->add(third);
    images->weigh();
  }
  EXPECT_GT(once.likeness(0, 1), 0.0);
  EXPECT_EQ(once.likeness(0, 1), twice.likeness(0, 1));
}

TEST(SimilarImages, NothingToShareIsNotAlike) {
  SimilarImages images;
  for (const std::string_view caption : {"", "12 34", "a dog"}) images.add(std::vector{caption});
  images.weigh();
  EXPECT_EQ(images.likeness(0, 1), 0.0);
  EXPECT_EQ(images.likeness(0, 0), 0.0);
}

TEST(SimilarImages, OneDrawnIsAnyOther) {
  const SimilarImages images = four_images();
  Random random(1);
  for (std::size_t image = 0; image < 4; ++image) {
    std::set<std::size_t> drawn;
    for (int i = 0; i < 200; ++i) drawn.insert(images.draw(image, 1, random));
    std::set<std::size_t> others = {0, 1, 2, 3};
    others.erase(image);
    EXPECT_EQ(drawn, others);
  }
}

TEST(SimilarImages, ManyDrawnGiveTheMostAlike) {
  const SimilarImages images = four_images();
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(images.draw(0, 100, random), 3u);  // 1/2 against 1/sqrt(6)
    EXPECT_EQ(images.draw(1, 100, random), 0u);
    EXPECT_EQ(images.draw(2, 100, random), 3u);
  }
}

}  // namespace
}  // namespace capella::method::composite
