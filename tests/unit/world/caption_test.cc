// Captions: English that agrees with itself, and claims that are true.
#include "world/caption.h"

#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

#include "world/facts.h"
#include "world/story.h"

namespace capella::world {
namespace {

Mention mention(Class id, std::size_t count = 1) {
  Mention out;
  out.id = id;
  out.count = count;
  return out;
}

Plan plan_of(Clause::Voice voice, Predicate predicate, Mention subject, Mention object) {
  Clause clause;
  clause.voice = voice;
  clause.predicate = predicate;
  clause.subject = std::move(subject);
  clause.object = std::move(object);
  Plan plan;
  plan.clauses.push_back(std::move(clause));
  return plan;
}

using Voice = Clause::Voice;

TEST(Caption, VerbsAgree) {
  const auto write = [](Voice voice, std::size_t dogs) {
    return write_caption(plan_of(voice, Predicate::chase, mention(Class::dog, dogs), mention(Class::ball)));
  };
  EXPECT_EQ(write(Voice::gerund, 1), "a dog chasing a ball");
  EXPECT_EQ(write(Voice::progressive, 1), "a dog is chasing a ball");
  EXPECT_EQ(write(Voice::progressive, 2), "two dogs are chasing a ball");
  EXPECT_EQ(write(Voice::present, 1), "a dog chases a ball");
  EXPECT_EQ(write(Voice::present, 3), "three dogs chase a ball");
  EXPECT_EQ(write(Voice::existential, 1), "there is a dog chasing a ball");
  EXPECT_EQ(write(Voice::existential, 2), "there are two dogs chasing a ball");
  EXPECT_EQ(write(Voice::passive, 2), "a ball is being chased by two dogs");
}

TEST(Caption, PlacesNeedNoVerb) {
  const auto write = [](Voice voice, std::size_t cats) {
    return write_caption(
        plan_of(voice, Predicate::next_to, mention(Class::cat, cats), mention(Class::umbrella)));
  };
  EXPECT_EQ(write(Voice::gerund, 1), "a cat next to an umbrella");
  EXPECT_EQ(write(Voice::progressive, 2), "two cats are next to an umbrella");
  EXPECT_EQ(write(Voice::present, 1), "a cat is next to an umbrella");
}

TEST(Caption, AdjectivesClothesTailsAndSettings) {
  Mention man = mention(Class::man, 2);
  man.worn.push_back({Class::shirt, 0, Colour::orange, {}, "in"});
  man.worn.push_back({Class::hat, 0, {}, Pattern::striped, "wearing"});
  Mention apple = mention(Class::apple);
  apple.colour = Colour::red;
  apple.size = Size::small;
  Plan plan = plan_of(Voice::progressive, Predicate::eat, man, apple);
  plan.clauses[0].tails.push_back({Predicate::behind, 0, mention(Class::tree, 3), ""});
  plan.setting = Setting::beach;
  EXPECT_EQ(
      write_caption(plan),
      "two men in orange shirts and striped hats are eating a small red apple behind three trees on a beach");
  plan.setting_first = true;
  plan.clauses[0].subject = mention(Class::woman);
  EXPECT_EQ(as_sentence(write_caption(plan)),
            "On a beach, a woman is eating a small red apple behind three trees.");
}

TEST(Caption, WithoutObjectTheRestIsNamed) {
  Plan plan = plan_of(Voice::present, Predicate::ride, mention(Class::girl), mention(Class::horse));
  plan.clauses[0].object.reset();
  EXPECT_EQ(write_caption(plan), "there is a girl");
  plan.clauses[0].voice = Voice::gerund;
  EXPECT_EQ(write_caption(plan), "a girl");
}

TEST(Caption, ATailThatIsNotTrueOfTheObjectIsJoined) {
  Plan plan = plan_of(Voice::gerund, Predicate::right_of, mention(Class::woman), mention(Class::tower));
  plan.clauses[0].tails.push_back({Predicate::on, 0, mention(Class::bike), "", true});
  EXPECT_EQ(write_caption(plan), "a woman to the right of a tower and on a bike");
  plan.clauses[0].object.reset();
  EXPECT_EQ(write_caption(plan), "a woman on a bike");
}

// Told of the nearest noun, the tail of a clause that says where something is holds as well.
TEST(Caption, TailsOfPlacesHoldOfTheNearestNoun) {
  std::size_t tails = 0;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const Story story = make_story(4, i, 5);
    const auto group = [&](Class id) {
      return story.scene.groups[static_cast<std::size_t>(group_of(story.scene, id))];
    };
    for (const Plan& plan : story.references) {
      const Clause& clause = plan.clauses[0];
      if (info(clause.predicate).action || clause.tails.empty() || clause.tails[0].joined) continue;
      ++tails;
      EXPECT_TRUE(holds(clause.tails[0].predicate, group(clause.object->id).extent(),
                        group(clause.tails[0].object.id).extent()))
          << write_caption(plan);
    }
  }
  EXPECT_GT(tails, 20u);
}

TEST(Caption, ClothesAreJoinedByAnd) {
  Mention man = mention(Class::man);
  man.worn.push_back({Class::shirt, 0, Colour::pink, {}, "with"});
  man.worn.push_back({Class::hat, 0, {}, {}, "with"});
  EXPECT_EQ(write_caption(plan_of(Voice::gerund, Predicate::kick, man, mention(Class::ball))),
            "a man with a pink shirt and a hat kicking a ball");
}

TEST(Caption, WordsAreKarpathys) {
  EXPECT_EQ(words_of("In a park, a Dog runs."),
            (std::vector<std::string>{"in", "a", "park", "a", "dog", "runs"}));
}

// Slips that a grammar of templates is prone to.
TEST(Caption, EveryCaptionIsCleanEnglish) {
  const std::regex slips(
      R"(\ba [aeiou]|\ban [^aeiou]|  |\ba a\b|^ | $|\b(two|three) \w+ (is|sits|rides|holds)\b|\b(a|an) (two|three)\b)");
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const Story story = make_story(1, i, 6);
    std::vector<std::string> all = story.reference_texts;
    all.push_back(story.system.text);
    for (std::size_t kind = 0; kind < 5; ++kind) all.push_back(story.errors[kind].text);
    for (const std::string& text : all) EXPECT_FALSE(std::regex_search(text, slips)) << text;
  }
}

TEST(Caption, ReferencesTellTheTruth) {
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const Story story = make_story(2, i, 5);
    for (std::size_t k = 0; k < story.references.size(); ++k) {
      for (const Fact& fact : facts_of(story.references[k]))
        EXPECT_TRUE(is_true(fact, story.scene)) << "image " << i << ": " << story.reference_texts[k];
    }
  }
}

TEST(Story, CaptionsOfAnImageDiffer) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Story story = make_story(3, i, 5);
    std::vector<std::string> texts = story.reference_texts;
    texts.push_back(as_sentence(story.system.text));
    std::sort(texts.begin(), texts.end());
    EXPECT_EQ(std::adjacent_find(texts.begin(), texts.end()), texts.end()) << "image " << i;
  }
}

}  // namespace
}  // namespace capella::world
