// Scene graphs agree with their slow twin: facts in their order, tuples, matches and counts.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "property/scene_twins.h"
#include "reference/meteor_small_lexicon.h"
#include "reference/scene_small_trees.h"
#include "support/nonsense_trees.h"
#include "support/small_meteor_data.h"

namespace capella::test {
namespace {

rc::Gen<std::vector<std::uint8_t>> bytes(std::size_t most) {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, most + 1), [](std::size_t size) {
    return rc::gen::container<std::vector<std::uint8_t>>(
        size,
        rc::gen::map(rc::gen::inRange(0, 256), [](int value) { return static_cast<std::uint8_t>(value); }));
  });
}

rc::Gen<std::vector<syntax::Tree>> caption(std::size_t most_phrases) {
  return rc::gen::mapcat(
      rc::gen::weightedElement<std::size_t>({{6, 1}, {2, 2}, {1, 3}}), [=](std::size_t size) {
        return rc::gen::container<std::vector<syntax::Tree>>(
            size, rc::gen::map(bytes(3 * most_phrases), [](const std::vector<std::uint8_t>& from) {
              return reference::small_tree(from);
            }));
      });
}

std::string sentence_of(const syntax::Tree& tree) {
  std::string text;
  for (const syntax::Token& token : tree.tokens) {
    text += token.word + '/' + token.tag + '(' + std::to_string(token.head) + ',' + token.relation + ") ";
  }
  return text;
}

void expect_same_facts(const std::vector<syntax::Tree>& sentences) {
  for (const syntax::Tree& tree : sentences) RC_LOG() << sentence_of(tree) << '\n';
  RC_ASSERT(as_lists(scene::extract_facts(sentences)) == reference::scene_facts(sentences));
}

TEST(SceneProperty, FactsAgreeWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("the same facts in the same order", [] {
    for (int i = 0; i < 6; ++i) expect_same_facts(*caption(7));
  }));
}

TEST(SceneProperty, FactsOfLongSentencesAgreeWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("beyond the first 16 buckets",
                        [] { expect_same_facts({reference::small_tree(*bytes(60))}); }));
}

/// Where only the first of very many matches count, they are the same ones.
TEST(SceneProperty, FactsOfNonsenseAgreeWithTheSlowTwin) {
  for (const syntax::Tree& tree : {tree_of_conjunctions(4), tree_of_conjunctions(6), tree_of_prepositions(9),
                                   tree_of_prepositions(12), tree_of_markers(12), tree_of_markers(34)}) {
    const std::vector<syntax::Tree> sentences = {tree};
    EXPECT_EQ(as_lists(scene::extract_facts(sentences)), reference::scene_facts(sentences))
        << sentence_of(tree);
  }
}

/// Words that the small English merges, in facts at random.
rc::Gen<scene::Fact> fact() {
  static const std::vector<std::string> kWords = {
      "dog",  "hound", "puppy", "man",   "person", "woman", "lady",  "big", "large", "good",
      "well", "red",   "two",   "small", "run",    "jog",   "be on", "on",  "best",  "hot dog"};
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 3), rc::gen::elementOf(kWords),
                                     rc::gen::elementOf(kWords), rc::gen::elementOf(kWords)),
                      [](const std::tuple<int, std::string, std::string, std::string>& parts) {
                        const auto& [kind, subject, predicate, object] = parts;
                        scene::Fact made{static_cast<scene::Fact::Kind>(kind), subject, predicate, object};
                        if (made.kind != scene::Fact::Kind::relation) made.object.clear();
                        if (made.kind == scene::Fact::Kind::object) made.predicate.clear();
                        return made;
                      });
}

TEST(SceneProperty, GraphsAgreeWithTheSlowTwin) {
  const reference::MeteorWords words = reference::read_meteor_words(reference::small_meteor_files(""));
  const SmallMeteorData data{std::string()};
  EXPECT_TRUE(rc::check("the same tuples, matches and counts", [&] {
    const bool with_synsets = *rc::gen::weightedElement<bool>({{4, true}, {1, false}});
    scene::Lexicon lexicon(with_synsets ? &data.get() : nullptr);
    const std::size_t captions = *rc::gen::inRange<std::size_t>(1, 5);
    std::vector<std::vector<scene::Fact>> facts;
    for (std::size_t i = 0; i < captions; ++i) {
      facts.push_back(*rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 16), [](std::size_t size) {
        return rc::gen::container<std::vector<scene::Fact>>(size, fact());
      }));
    }
    RC_ASSERT(scene_difference(facts, lexicon, with_synsets ? &words : nullptr) == "");
  }));
}

TEST(SceneProperty, CaptionsAgreeWithTheSlowTwin) {
  const reference::MeteorWords words = reference::read_meteor_words(reference::small_meteor_files(""));
  const SmallMeteorData data{std::string()};
  EXPECT_TRUE(rc::check("from trees to counts", [&] {
    scene::Lexicon lexicon(&data.get());
    std::vector<std::vector<scene::Fact>> facts;
    for (std::size_t i = 0; i < 4; ++i) facts.push_back(scene::extract_facts(*caption(5)));
    RC_ASSERT(scene_difference(facts, lexicon, &words) == "");
  }));
}

TEST(SceneProperty, ALexiconMayExtendAnother) {
  const SmallMeteorData data{std::string()};
  EXPECT_TRUE(rc::check("the same counts with one lexicon and with two", [&] {
    const std::vector<scene::Fact> given = *rc::gen::container<std::vector<scene::Fact>>(fact());
    const std::vector<scene::Fact> wanted = *rc::gen::container<std::vector<scene::Fact>>(fact());
    scene::Lexicon shared(&data.get());
    scene::SceneGraph references(shared);
    references.add(wanted);
    scene::Lexicon extended(&data.get(), &shared);
    scene::SceneGraph candidate(extended);
    candidate.add(given);
    scene::Lexicon alone(&data.get());
    scene::SceneGraph other_candidate(alone), other_references(alone);
    other_candidate.add(given);
    other_references.add(wanted);
    RC_ASSERT(scene::count_matches(candidate, references) ==
              scene::count_matches(other_candidate, other_references));
  }));
}

/// A graph matches itself whole, and no score leaves its range.
TEST(SceneProperty, ScoresStayInRange) {
  const SmallMeteorData data{std::string()};
  EXPECT_TRUE(rc::check("between 0 and 1, and 1 with itself", [&] {
    scene::Lexicon lexicon(&data.get());
    scene::SceneGraph graph(lexicon), other(lexicon);
    graph.add(*rc::gen::container<std::vector<scene::Fact>>(fact()));
    other.add(*rc::gen::container<std::vector<scene::Fact>>(fact()));
    const scene::CountsByCategory itself = scene::count_matches(graph, graph);
    RC_ASSERT(itself[0].false_positives == 0 && itself[0].false_negatives == 0);
    for (const scene::Counts& counts : scene::count_matches(graph, other)) {
      RC_ASSERT(counts.true_positives >= 0 && counts.false_positives >= 0);
      const scene::Score score = scene::score(counts, scene::Category::all);
      RC_ASSERT(score.f >= 0 && score.precision >= 0 && score.precision <= 1);
    }
  }));
}

}  // namespace
}  // namespace capella::test
