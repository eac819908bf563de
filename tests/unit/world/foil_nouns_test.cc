#include "world/foil_nouns.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace capella::world {
namespace {

const FoilNouns& nouns() {
  static const FoilNouns all;
  return all;
}

// What is found: the words, in brackets where they cannot be exchanged.
std::vector<std::string> found(std::string_view caption) {
  std::vector<std::string> texts;
  for (const FoilMention& mention : nouns().find(caption)) {
    const std::string text(caption.substr(mention.begin, mention.length));
    const bool whole = mention.noun && nouns().nouns()[*mention.noun].exchangeable;
    texts.push_back(whole ? text : "[" + text + "]");
  }
  return texts;
}

std::string exchanged(std::string_view caption, std::string_view noun) {
  return exchange_noun(caption, nouns().find(caption).at(0), noun);
}

using Texts = std::vector<std::string>;

TEST(FoilNouns, FindsNounsInBothNumbersAndAnyCase) {
  EXPECT_EQ(found("A Dog and two CATS."), (Texts{"Dog", "CATS"}));
  EXPECT_EQ(found("a man is smiling"), Texts{});
  EXPECT_EQ(found(""), Texts{});
}

TEST(FoilNouns, TheLongerTermWins) {
  EXPECT_EQ(found("a hot dog"), (Texts{"hot dog"}));
  EXPECT_EQ(found("a hot, dog"), (Texts{"dog"}));
  EXPECT_EQ(found("a teddy bear with a bear"), (Texts{"teddy bear", "bear"}));
  EXPECT_EQ(found("a clock tower"), (Texts{"[clock tower]"}));
}

TEST(FoilNouns, AmbiguousAndJoinedWordsAreNotExchanged) {
  EXPECT_EQ(found("an orange wall, two oranges"), (Texts{"[orange]", "oranges"}));
  EXPECT_EQ(found("a bus-stop"), (Texts{"[bus]"}));
  EXPECT_EQ(found("a puppy, a kitty, a bike"), (Texts{"puppy", "[kitty]", "[bike]"}));
  EXPECT_EQ(found("the train's cat"), (Texts{"train", "cat"}));
  EXPECT_EQ(found("dogged trained"), Texts{});
}

TEST(FoilNouns, AWordMayMeanSeveralCategories) {
  const auto mentions = nouns().find("a bike");
  ASSERT_EQ(mentions.size(), 1u);
  EXPECT_EQ(mentions[0].categories.size(), 2u);  // a bicycle or a motorcycle
  EXPECT_FALSE(mentions[0].noun);
}

TEST(FoilNouns, HasCocosCategoriesWithoutPeople) {
  std::map<std::uint32_t, std::set<std::uint32_t>> supers;
  std::set<std::uint32_t> categories;
  for (const FoilNoun& noun : nouns().nouns()) {
    supers[noun.super_category].insert(noun.category);
    categories.insert(noun.category);
    EXPECT_EQ(noun.text.find_first_not_of("abcdefghijklmnopqrstuvwxyz "), std::string::npos) << noun.text;
  }
  EXPECT_EQ(categories.size(), 79u);
  EXPECT_EQ(nouns().categories(), 79u);
  EXPECT_EQ(supers.size(), 11u);
  for (const auto& [super_category, members] : supers) EXPECT_GT(members.size(), 1u);
}

TEST(FoilNouns, NoNounMeansTwoCategoriesAsANoun) {
  std::map<std::string, std::uint32_t> owner;
  for (const FoilNoun& noun : nouns().nouns()) {
    EXPECT_EQ(owner.emplace(noun.text, noun.category).first->second, noun.category) << noun.text;
  }
}

TEST(ExchangeNoun, FitsArticleAndCapitals) {
  EXPECT_EQ(exchanged("A dog runs.", "elephant"), "An elephant runs.");
  EXPECT_EQ(exchanged("on an elephant", "horse"), "on a horse");
  EXPECT_EQ(exchanged("a big dog", "elephant"), "a big elephant");
  EXPECT_EQ(exchanged("Dogs run", "elephants"), "Elephants run");
  EXPECT_EQ(exchanged("A DOG RUNS", "elephant"), "AN ELEPHANT RUNS");
  EXPECT_EQ(exchanged("a white TV", "laptop"), "a white laptop");
  EXPECT_EQ(exchanged("the Frisbee", "kite"), "the kite");
  EXPECT_EQ(exchanged("banana dog's", "cat"), "cat dog's");
  EXPECT_EQ(exchanged("a  hot dog  .", "pizza"), "a  pizza  .");
}

}  // namespace
}  // namespace capella::world
