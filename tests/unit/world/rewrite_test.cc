#include "world/rewrite.h"

#include <gtest/gtest.h>

#include "world/english.h"

namespace capella::world {
namespace {

TEST(Rewrite, SplicesFromLeftToRight) {
  EXPECT_EQ(spliced("a red car", {{2, 3, "blue"}, {6, 3, "bus"}}), "a blue bus");
  EXPECT_EQ(spliced("a dog", {{5, 0, " and a cat"}}), "a dog and a cat");
  EXPECT_EQ(spliced("a dog", {}), "a dog");
}

TEST(Rewrite, MakesTheArticleFit) {
  EXPECT_EQ(spliced("A red car and an old dog", {{2, 3, "orange"}, {17, 3, "young"}}),
            "An orange car and a young dog");
  EXPECT_EQ(spliced("a hat on a man", {{2, 3, "uniform"}, {11, 3, "heir"}}), "a uniform on an heir");
  EXPECT_EQ(spliced("a dog", {{2, 3, "Irish setter"}}), "an Irish setter");
  EXPECT_EQ(spliced("on a dog", {{3, 5, "an owl"}}), "on an owl");
}

TEST(Rewrite, KeepsCapitalsWhereTheyStand) {
  EXPECT_EQ(spliced("Dogs run.", {{0, 4, "cats"}}), "Cats run.");
  EXPECT_EQ(spliced("dogs run.", {{0, 4, "cats"}}), "cats run.");
  EXPECT_EQ(spliced("A DOG RUNS", {{2, 3, "owl"}}), "AN OWL RUNS");
  EXPECT_EQ(spliced("A Frisbee", {{2, 7, "ball"}}), "A ball");
  EXPECT_EQ(spliced("A dog on a bed", {{0, 5, "a bed"}, {9, 5, "a dog"}}), "A bed on a dog");
}

TEST(Rewrite, AnIsASoundNotALetter) {
  for (const char* word : {"apple", "hour", "honest", "umbrella", "unidentified", "oval"})
    EXPECT_TRUE(takes_an(word));
  for (const char* word : {"university", "uniform", "one", "european", "used", "house", "horse", "urinal"})
    EXPECT_FALSE(takes_an(word)) << word;
}

}  // namespace
}  // namespace capella::world
