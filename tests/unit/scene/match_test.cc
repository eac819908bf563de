#include "scene/match.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/small_meteor_data.h"
#include "unit/scene/make_fact.h"

namespace capella::scene {
namespace {

using Facts = std::vector<Fact>;

/// In the small English of the tests dog and hound are synonyms, and so are big and large.
class SceneMatchTest : public ::testing::Test {
 protected:
  CountsByCategory counts(const Facts& candidate, const Facts& references) {
    SceneGraph given(lexicon_), wanted(lexicon_);
    given.add(candidate);
    wanted.add(references);
    return count_matches(given, wanted);
  }
  Counts counts(const Facts& candidate, const Facts& references, Category category) {
    return counts(candidate, references)[static_cast<std::size_t>(category)];
  }

  test::SmallMeteorData data_{std::string()};
  Lexicon lexicon_{&data_.get()};
};

TEST_F(SceneMatchTest, CountsByKind) {
  const Facts candidate = {attribute("hound", "large"), relation("hound", "on", "box"), object("fox")};
  const Facts references = {attribute("dog", "big"), relation("dog", "under", "box"), object("man")};
  const CountsByCategory found = counts(candidate, references);
  // box and fox share a synset in the small English, so they are one object.
  EXPECT_EQ(found[static_cast<std::size_t>(Category::all)], (Counts{3, 1, 2}));
  EXPECT_EQ(found[static_cast<std::size_t>(Category::object)], (Counts{2, 0, 1}));
  EXPECT_EQ(found[static_cast<std::size_t>(Category::attribute)], (Counts{1, 0, 0}));
  EXPECT_EQ(found[static_cast<std::size_t>(Category::relation)], (Counts{0, 1, 1}));
}

TEST_F(SceneMatchTest, RelationsHaveADirection) {
  EXPECT_EQ(counts({relation("man", "on", "bus")}, {relation("bus", "on", "man")}, Category::relation),
            (Counts{0, 1, 1}));
}

TEST_F(SceneMatchTest, OneReferenceTupleMayServeSeveral) {
  // Two objects of the candidate, "dog" and "run", are one to the references: their synsets are joined by a
  // merge.
  SceneGraph given(lexicon_), wanted(lexicon_);
  given.add(Facts{object("man"), object("lady")});
  wanted.add(Facts{object("woman")});
  const Counts found = count_matches(given, wanted)[0];
  EXPECT_EQ(found, (Counts{2, 0, -1}));
  EXPECT_EQ(score(found, Category::all).recall, 2.0);
}

TEST_F(SceneMatchTest, ListsAreMatchedWithinThemselves) {
  EXPECT_EQ(counts({attribute("bus", "red")}, {attribute("bus", "red")}, Category::color), (Counts{1, 0, 0}));
  EXPECT_EQ(counts({attribute("bus", "two")}, {attribute("bus", "2")}, Category::cardinality),
            (Counts{0, 1, 0}));
  EXPECT_EQ(counts({attribute("bus", "big")}, {attribute("bus", "large")}, Category::size),
            (Counts{1, 0, 0}));
  // Merged with another word, an attribute is in no list.
  const Facts both = {attribute("bus", "large"), attribute("bus", "big")};
  EXPECT_EQ(counts({attribute("bus", "big")}, both, Category::size), (Counts{0, 1, 0}));
  EXPECT_EQ(counts({attribute("bus", "big")}, both, Category::attribute), (Counts{1, 0, 0}));
}

TEST_F(SceneMatchTest, TheFirstSimilarReferenceIsMarked) {
  SceneGraph given(lexicon_), wanted(lexicon_);
  given.add(Facts{object("woman"), object("zzz")});
  wanted.add(Facts{object("man"), object("lady")});
  const Match match = match_tuples(given, wanted);
  EXPECT_EQ(match.candidate.matched, (std::vector<bool>{true, false}));
  EXPECT_EQ(match.references.matched, (std::vector<bool>{true, false}));
  EXPECT_EQ(match.partners, (std::vector<std::size_t>{0, Match::kNoPartner}));
  EXPECT_EQ(wanted.texts(match.references.tuples[0]), std::vector<std::string>{"lady"});
}

TEST(SceneScore, IsTheHarmonicMean) {
  const Score found = score({2, 1, 3}, Category::all);
  EXPECT_DOUBLE_EQ(found.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.recall, 0.4);
  EXPECT_DOUBLE_EQ(found.f, 0.5);
}

TEST(SceneScore, EmptySidesGiveZeroOrNothing) {
  for (const Counts& counts : {Counts{0, 0, 0}, Counts{0, 4, 0}, Counts{0, 0, 4}, Counts{0, 2, 3}}) {
    const Score all = score(counts, Category::all);
    EXPECT_EQ(all.f, 0);
    EXPECT_EQ(all.precision, 0);
    EXPECT_EQ(all.recall, 0);
    EXPECT_EQ(std::isnan(score(counts, Category::color).f), counts.false_negatives == 0);
    EXPECT_EQ(std::isnan(score(counts, Category::object).recall), counts.false_negatives == 0);
  }
}

}  // namespace
}  // namespace capella::scene
