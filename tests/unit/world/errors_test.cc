// Each kind of error does what it says and nothing else.
#include "world/errors.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "world/facts.h"
#include "world/story.h"
#include "world/tally.h"

namespace capella::world {
namespace {

constexpr std::uint64_t kImages = 2000;

const Caption& error(const Story& story, ErrorKind kind) {
  return story.errors[static_cast<std::size_t>(kind)];
}

std::vector<Fact> false_facts(const Caption& caption, const Scene& scene) {
  std::vector<Fact> wrong = facts_of(caption.plan);
  std::erase_if(wrong, [&](const Fact& fact) { return is_true(fact, scene); });
  return wrong;
}

std::size_t differing_words(const std::string& a, const std::string& b) {
  const auto x = words_of(a);
  const auto y = words_of(b);
  if (x.size() != y.size()) return SIZE_MAX;
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += x[i] != y[i] && x[i] != "a" && x[i] != "an";
  return count;
}

bool has_as_part(const std::vector<std::string>& all, const std::vector<std::string>& part) {
  std::size_t at = 0;
  for (const std::string& word : all) at += at < part.size() && part[at] == word;
  return at == part.size();
}

template <class Check>
void for_each_story(const Check& check) {
  for (std::uint64_t i = 0; i < kImages; ++i) {
    SCOPED_TRACE(i);
    const Story story = make_story(11, i, 5);
    SCOPED_TRACE(story.system.text);
    check(story);
  }
}

TEST(CaptionErrors, TheSystemMakesNone) {
  for_each_story([](const Story& story) { EXPECT_TRUE(false_facts(story.system, story.scene).empty()); });
}

TEST(CaptionErrors, WrongAttributeChangesOneWord) {
  for_each_story([](const Story& story) {
    const Caption& wrong = error(story, ErrorKind::wrong_attribute);
    const auto found = false_facts(wrong, story.scene);
    ASSERT_EQ(found.size(), 1u) << wrong.text;
    EXPECT_EQ(found[0].kind, Fact::Kind::attribute);
    EXPECT_EQ(differing_words(story.system.text, wrong.text), 1u) << wrong.text;
  });
}

TEST(CaptionErrors, WrongRelationIsTheOnlyUntruth) {
  for_each_story([](const Story& story) {
    const Caption& wrong = error(story, ErrorKind::wrong_relation);
    const auto found = false_facts(wrong, story.scene);
    ASSERT_EQ(found.size(), 1u) << wrong.text;
    EXPECT_EQ(found[0].kind, Fact::Kind::relation);
    EXPECT_EQ(facts_of(wrong.plan).size(), facts_of(story.system.plan).size());
  });
}

TEST(CaptionErrors, MissingObjectTellsLessAndNothingWrong) {
  for_each_story([](const Story& story) {
    const Caption& wrong = error(story, ErrorKind::missing_object);
    EXPECT_TRUE(false_facts(wrong, story.scene).empty()) << wrong.text;
    const auto things = [](const Plan& plan) {
      const auto facts = facts_of(plan);
      return std::count_if(facts.begin(), facts.end(),
                           [](const Fact& f) { return f.kind == Fact::Kind::object; });
    };
    EXPECT_LT(things(wrong.plan), things(story.system.plan)) << wrong.text;
  });
}

TEST(CaptionErrors, HallucinatedObjectIsAddedAndNotThere) {
  for_each_story([](const Story& story) {
    const Caption& wrong = error(story, ErrorKind::hallucinated_object);
    EXPECT_TRUE(has_as_part(words_of(wrong.text), words_of(story.system.text))) << wrong.text;
    const auto found = false_facts(wrong, story.scene);
    const auto things =
        std::count_if(found.begin(), found.end(), [](const Fact& f) { return f.kind == Fact::Kind::object; });
    EXPECT_EQ(things, 1) << wrong.text;
  });
}

TEST(CaptionErrors, UnrelatedIsMostlyFalse) {
  double sum = 0;
  for_each_story([&](const Story& story) {
    sum += precision(facts_of(error(story, ErrorKind::unrelated).plan), story.scene);
  });
  EXPECT_LT(sum / kImages, .15);
}

TEST(CaptionErrors, ShuffledHasTheSameWords) {
  for_each_story([](const Story& story) {
    const Caption& wrong = error(story, ErrorKind::shuffled);
    auto before = words_of(story.system.text);
    auto after = words_of(wrong.text);
    EXPECT_NE(before, after);
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(before, after);
  });
}

TEST(CaptionErrors, HitsAreNestedAndAsOftenAsTheRateSays) {
  std::array<std::size_t, kErrorRates.size()> hits{};
  for_each_story([&](const Story& story) {
    for (std::size_t rate = 0; rate < kErrorRates.size(); ++rate) {
      const bool hit = &story.caption(1, kErrorRates[rate]) != &story.system;
      hits[rate] += hit;
      const bool before = rate > 0 && &story.caption(1, kErrorRates[rate - 1]) != &story.system;
      EXPECT_TRUE(hit || !before);
    }
  });
  EXPECT_EQ(hits[0], 0u);
  EXPECT_EQ(hits.back(), kImages);
  for (std::size_t rate = 0; rate < kErrorRates.size(); ++rate)
    EXPECT_NEAR(static_cast<double>(hits[rate]), kErrorRates[rate] * kImages, 2);
}

// The share is the rate among the first N images, for every N.
TEST(CaptionErrors, SharesAreTheRatesInEveryPrefix) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    std::array<std::array<double, kErrorRates.size()>, kErrorNames.size()> hits{};
    for (std::uint64_t image = 0; image < 3000; ++image) {
      for (std::size_t kind = 0; kind < kErrorNames.size(); ++kind) {
        for (std::size_t rate = 0; rate < kErrorRates.size(); ++rate) {
          hits[kind][rate] += error_threshold(seed, kind, image) < kErrorRates[rate] ? 1 : 0;
          ASSERT_NEAR(hits[kind][rate], kErrorRates[rate] * static_cast<double>(image + 1), 2)
              << seed << ' ' << kErrorNames[kind] << ' ' << image;
        }
      }
    }
  }
}

// Most wrong claims are true in other scenes, so that the text alone does not tell them.
TEST(CaptionErrors, WrongClaimsAreTrueElsewhere) {
  Tally tally;
  for (std::uint64_t image = 0; image < 1000; ++image) tally.add(note(make_story(12, image, 5)));
  const std::array<double, kWrongNames.size()> most = {.01, .1, .1, .17};
  for (std::size_t kind = 0; kind < kWrongNames.size(); ++kind) {
    const Share share = tally.told_by_text(kind);
    EXPECT_EQ(share.all, 1000u);
    EXPECT_LT(static_cast<double>(share.hits), most[kind] * 1000) << kWrongNames[kind];
  }
}

bool mentions(const Plan& plan, Class id) {
  const auto facts = facts_of(plan);
  return std::any_of(facts.begin(), facts.end(),
                     [id](const Fact& f) { return f.kind == Fact::Kind::object && f.subject == id; });
}

TEST(CaptionErrors, ADuckIsABirdAndWhoEatsHolds) {
  std::size_t ducks = 0;
  for_each_story([&](const Story& story) {
    const Caption& wrong = error(story, ErrorKind::wrong_relation);
    for (const Fact& fact : false_facts(wrong, story.scene)) {
      const Relation held{group_of(story.scene, fact.subject), Predicate::eat,
                          group_of(story.scene, fact.object)};
      const Relation flown{held.subject, Predicate::fly, held.object};
      const bool holding = story.scene.holds(held) || story.scene.holds(flown);
      EXPECT_FALSE(holding && fact.predicate == Predicate::hold) << wrong.text;
    }
    if (!story.scene.has(Class::duck) || story.scene.has(Class::bird)) return;
    ++ducks;
    EXPECT_FALSE(mentions(error(story, ErrorKind::hallucinated_object).plan, Class::bird));
    EXPECT_FALSE(mentions(story.foil->plan, Class::bird));
  });
  EXPECT_GT(ducks, 50u);
}

TEST(WorldFoil, OneNounIsAnotherOfItsKindThatIsNotThere) {
  std::size_t foils = 0;
  for_each_story([&](const Story& story) {
    if (!story.foil) return;
    ++foils;
    const std::string text = write_caption(story.foil->plan);
    EXPECT_EQ(differing_words(story.system.text, text), 1u) << text;
    const auto right = words_of(story.system.text);
    const auto wrong = words_of(text);
    EXPECT_NE(std::find(right.begin(), right.end(), story.foil->target_word), right.end());
    EXPECT_NE(std::find(wrong.begin(), wrong.end(), story.foil->foil_word), wrong.end());
    EXPECT_FALSE(false_facts({story.foil->plan, text, true}, story.scene).empty());
  });
  EXPECT_EQ(foils, kImages);
}

}  // namespace
}  // namespace capella::world
