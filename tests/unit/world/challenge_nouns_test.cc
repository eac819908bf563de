#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "resource/find.h"
#include "world/challenge/nouns.h"
#include "world/world_nouns.h"

namespace capella::world::challenge {
namespace {

std::set<std::string> synonyms(const ChallengeNouns& nouns, std::string_view text) {
  for (std::size_t i = 0; i < nouns.nouns.nouns().size(); ++i) {
    if (nouns.nouns.nouns()[i].text == text) return {nouns.synonyms[i].begin(), nouns.synonyms[i].end()};
  }
  ADD_FAILURE() << text;
  return {};
}

const ChallengeNouns& caption_nouns() {
  static const ChallengeNouns nouns =
      make_caption_nouns(resource::WordRelations(resource::need(resource::WordRelations::kFile)));
  return nouns;
}

using Texts = std::set<std::string>;

TEST(ChallengeNouns, SynonymsMeanTheSameThing) {
  EXPECT_EQ(synonyms(caption_nouns(), "couch"), Texts{"sofa"});
  EXPECT_EQ(synonyms(caption_nouns(), "sofas"), Texts{"couches"});
  EXPECT_EQ(synonyms(caption_nouns(), "airplane"), (Texts{"aeroplane", "plane"}));
  EXPECT_EQ(synonyms(caption_nouns(), "cars"), (Texts{"automobiles", "autos"}));
  EXPECT_TRUE(synonyms(caption_nouns(), "zebra").empty());
  EXPECT_FALSE(synonyms(caption_nouns(), "toilet").contains("bathroom"));
}

TEST(ChallengeNouns, WhatCanBeAddedIsOneThing) {
  EXPECT_GT(caption_nouns().addable.size(), 20u);
  for (const std::uint32_t noun : caption_nouns().addable)
    EXPECT_FALSE(caption_nouns().nouns.nouns()[noun].plural);
}

TEST(WorldNouns, AreThoseOfTheWorldsClasses) {
  const FoilNouns nouns = make_world_nouns();
  EXPECT_EQ(nouns.categories(), kClasses);
  const auto mentions = nouns.find("A guy and two ladies with a person near a duck.");
  ASSERT_EQ(mentions.size(), 4u);
  EXPECT_EQ(mentions[0].categories, std::vector{static_cast<std::uint32_t>(Class::man)});
  EXPECT_EQ(mentions[1].categories, std::vector{static_cast<std::uint32_t>(Class::woman)});
  EXPECT_EQ(mentions[2].categories.size(), 2u) << "a person is a man or a woman";
  EXPECT_FALSE(mentions[2].noun);
  EXPECT_EQ(mentions[3].categories.size(), 2u) << "a duck is a bird";
}

TEST(WorldNouns, SynonymsComeFromTheVocabulary) {
  const ChallengeNouns nouns = make_world_challenge_nouns();
  EXPECT_EQ(synonyms(nouns, "man"), Texts{"guy"});
  EXPECT_EQ(synonyms(nouns, "cars"), Texts{"automobiles"});
  for (const std::uint32_t noun : nouns.addable) {
    const Kind kind = info(static_cast<Class>(nouns.nouns.nouns()[noun].category)).kind;
    EXPECT_TRUE(kind != Kind::person && kind != Kind::clothing);
  }
}

}  // namespace
}  // namespace capella::world::challenge
