// Captions are read as they were meant: what the world writes from a plan gives the plan's facts back.
#include "world/read_caption.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "world/story.h"

namespace capella::world {
namespace {

using Facts = std::vector<Fact>;

bool same(const Facts& one, const Facts& other) {
  return one.size() == other.size() && std::is_permutation(one.begin(), one.end(), other.begin());
}

bool means(const CaptionReading& reading, const Facts& facts) {
  return std::ranges::any_of(reading.meanings, [&](const Facts& meant) { return same(meant, facts); });
}

// Attributes of clothes, whoever wears them.
Facts without_wearers(const Facts& facts) {
  Facts out;
  for (Fact fact : facts) {
    if (fact.worn) fact = attribute_fact(fact.subject, fact.value);
    if (std::ranges::find(out, fact) == out.end()) out.push_back(std::move(fact));
  }
  return out;
}

void expect_facts(const std::string& caption, const Facts& expected) {
  const CaptionReading reading = read_caption(caption);
  EXPECT_TRUE(same(reading.meanings.front(), expected)) << caption;
  EXPECT_EQ(reading.left_over, 0u) << caption;
  EXPECT_EQ(reading.gaps, 0u) << caption;
}

TEST(ReadCaption, ThingsAndWhatTheyDo) {
  const Facts facts = {object_fact(Class::dog), object_fact(Class::ball), count_fact(Class::dog, "2"),
                       attribute_fact(Class::ball, "small"),
                       relation_fact(Class::dog, Predicate::chase, Class::ball)};
  for (const char* caption : {"two dogs chasing a tiny ball", "Two puppies are running after a little ball.",
                              "there are two dogs chasing a small ball",
                              "a small ball is being chased by two dogs", "two dogs chase the small ball"})
    expect_facts(caption, facts);
}

TEST(ReadCaption, PlacesAreTheSubjects) {
  const Facts facts = {object_fact(Class::woman),
                       object_fact(Class::tower),
                       object_fact(Class::bike),
                       relation_fact(Class::woman, Predicate::right_of, Class::tower),
                       relation_fact(Class::woman, Predicate::on, Class::bike),
                       setting_fact("street")};
  expect_facts("a woman to the right of a tower and on a bike on a street", facts);
  expect_facts("in the street, a lady is right of a tower on top of a bicycle", facts);
}

TEST(ReadCaption, ClothesBelongToTheirWearers) {
  const Facts facts = {object_fact(Class::man),
                       object_fact(Class::shirt),
                       object_fact(Class::hat),
                       object_fact(Class::boat),
                       worn_attribute_fact(Class::shirt, "blue", Class::man),
                       worn_attribute_fact(Class::hat, "striped", Class::man),
                       relation_fact(Class::man, Predicate::wear, Class::shirt),
                       relation_fact(Class::man, Predicate::wear, Class::hat),
                       relation_fact(Class::man, Predicate::in, Class::boat)};
  expect_facts("a man in a blue top and a striped cap in a boat", facts);
  expect_facts("a man wearing a blue shirt and a striped hat is inside a boat", facts);
  expect_facts("a red hat is being worn by a boy",
               {object_fact(Class::hat), object_fact(Class::boy), attribute_fact(Class::hat, "red"),
                relation_fact(Class::boy, Predicate::wear, Class::hat)});
}

TEST(ReadCaption, ClausesAreJoined) {
  const Facts facts = {object_fact(Class::boy),
                       object_fact(Class::kite),
                       object_fact(Class::cat),
                       object_fact(Class::box),
                       object_fact(Class::banana),
                       relation_fact(Class::boy, Predicate::fly, Class::kite),
                       relation_fact(Class::cat, Predicate::in, Class::box)};
  expect_facts("a boy flies a kite while a cat is in a crate with a banana", facts);
  expect_facts("a boy flying a kite and a kitty inside a box and a banana", facts);
}

TEST(ReadCaption, AWordMayMeanTwoThings) {
  const CaptionReading reading = read_caption("a kid behind a person");
  ASSERT_EQ(reading.meanings.size(), 4u);
  EXPECT_TRUE(means(reading, {object_fact(Class::girl), object_fact(Class::woman),
                              relation_fact(Class::girl, Predicate::behind, Class::woman)}));
  EXPECT_TRUE(same(read_facts("a child"), {object_fact(Class::boy)}));
}

TEST(ReadCaption, NonsenseIsReadAsFarAsItGoes) {
  const CaptionReading none = read_caption("");
  EXPECT_EQ(none.words, 0u);
  EXPECT_TRUE(none.meanings.front().empty());
  const CaptionReading reading = read_caption("a a red red dog is zebra riding on the with a cat of");
  EXPECT_TRUE(same(reading.meanings.front(),
                   {object_fact(Class::dog), attribute_fact(Class::dog, "red"), object_fact(Class::cat)}));
  EXPECT_EQ(reading.words, 14u);
  EXPECT_EQ(reading.left_over, 8u);  // a, red, is, zebra, riding, on, the, of
  EXPECT_TRUE(same(read_facts("riding a horse"), {object_fact(Class::horse)}));
  EXPECT_EQ(read_caption("riding a horse").left_over, 1u);
  EXPECT_EQ(read_caption("dog cat").gaps, 3u);  // two articles, and what joins them
  EXPECT_TRUE(same(read_facts("sitting on the beach"), {setting_fact("beach")}));
}

TEST(ReadCaption, NoWordsAreTooMany) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "a person and ";
  const CaptionReading reading = read_caption(text);
  EXPECT_EQ(reading.meanings.size(), 32u);
  EXPECT_EQ(reading.words, 120u);
}

// Any words of the vocabulary in any order: every word is read or left over.
TEST(ReadCaption, AnyWords) {
  std::vector<std::string> words = {"zebra", ""};
  for (std::uint64_t i = 0; i < 50; ++i) {
    for (const std::string& text : make_story(21, i, 5).reference_texts) {
      for (std::string& word : words_of(text)) words.push_back(std::move(word));
    }
  }
  Draw draw(22, Stream::system, 0);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    const std::size_t length = draw.below(20);
    for (std::size_t k = 0; k < length; ++k) text += draw.pick(words) + " ";
    const CaptionReading reading = read_caption(text);
    EXPECT_LE(reading.words, length);
    EXPECT_LE(reading.left_over, reading.words) << text;
    EXPECT_LE(reading.gaps, 2 * reading.words) << text;
    ASSERT_FALSE(reading.meanings.empty());
  }
}

struct Shares {
  std::size_t captions = 0;
  std::size_t equal = 0;
  std::size_t almost = 0;  // up to who wears what has an attribute
  std::size_t whole = 0;   // no word left over or missing

  void count(const std::string& text, const Plan& plan) {
    const CaptionReading reading = read_caption(text);
    const Facts meant = facts_of(plan);
    ++captions;
    if (means(reading, meant)) ++equal;
    if (reading.left_over == 0 && reading.gaps == 0) ++whole;
    const Facts bare = without_wearers(meant);
    if (std::ranges::any_of(reading.meanings,
                            [&](const Facts& facts) { return same(without_wearers(facts), bare); }))
      ++almost;
  }
  double share() const { return static_cast<double>(equal) / static_cast<double>(captions); }
};

// "A man wearing a red hat next to a tree" has two plans: of one who wears a hat, and of one in a hat who is
// next to a tree. They claim the same, but for whose hat is red.
TEST(ReadCaption, WhatTheWorldWritesIsReadAsItWasMeant) {
  Shares references, systems, errors;
  for (const std::uint64_t seed : {11u, 12u, 13u}) {
    for (std::uint64_t i = 0; i < 400; ++i) {
      const Story story = make_story(seed, i, 5);
      for (std::size_t k = 0; k < story.references.size(); ++k)
        references.count(story.reference_texts[k], story.references[k]);
      systems.count(story.system.text, story.system.plan);
      for (const Caption& caption : story.errors) {
        if (caption.readable) errors.count(caption.text, caption.plan);
      }
    }
  }
  EXPECT_EQ(references.captions, 6000u);
  EXPECT_GT(references.share(), .999);
  EXPECT_GT(systems.share(), .999);
  EXPECT_GT(errors.share(), .995);
  for (const Shares& shares : {references, systems, errors}) {
    EXPECT_EQ(shares.almost, shares.captions);
    EXPECT_EQ(shares.whole, shares.captions);
  }
  RecordProperty("references", std::to_string(references.share()));
  RecordProperty("errors", std::to_string(errors.share()));
}

}  // namespace
}  // namespace capella::world
