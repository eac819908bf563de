#include "scene/scene_graph.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/small_meteor_data.h"
#include "unit/scene/make_fact.h"

namespace capella::scene {
namespace {

using Texts = std::vector<std::vector<std::string>>;

/// In the small English of the tests: dog-hound, hound-puppy, dog-puppy; man-person-woman, woman-lady;
/// big-large.
class SceneGraphTest : public ::testing::Test {
 protected:
  static Texts texts(const SceneGraph& graph) {
    Texts all;
    for (const Tuple& tuple : graph.tuples()) all.push_back(graph.texts(tuple));
    return all;
  }
  Texts texts_of(const std::vector<Fact>& facts) {
    SceneGraph graph(lexicon_);
    graph.add(facts);
    return texts(graph);
  }

  test::SmallMeteorData data_{std::string()};
  Lexicon lexicon_{&data_.get()};
};

TEST_F(SceneGraphTest, KindsFollowEachOther) {
  EXPECT_EQ(texts_of({relation("man", "on", "bus"), attribute("bus", "red"), object("fox")}),
            (Texts{{"man"}, {"bus"}, {"fox"}, {"bus", "red"}, {"man", "on", "bus"}}));
  EXPECT_EQ(texts_of({}), Texts());
}

TEST_F(SceneGraphTest, NothingIsThereTwice) {
  EXPECT_EQ(texts_of({attribute("bus", "red"), attribute("bus", "red"), relation("bus", "on", "bus"),
                      relation("bus", "on", "bus")}),
            (Texts{{"bus"}, {"bus", "red"}, {"bus", "on", "bus"}}));
}

TEST_F(SceneGraphTest, SynonymsBecomeOneObject) {
  EXPECT_EQ(texts_of({object("hound"), attribute("dog", "red"), object("puppy")}),
            (Texts{{"puppy/hound/dog"}, {"puppy/hound/dog", "red"}}));
}

TEST_F(SceneGraphTest, FormsFindTheirBase) {
  EXPECT_EQ(texts_of({object("child"), object("children"), object("kids")}),
            (Texts{{"children/child/kids"}}));
}

TEST_F(SceneGraphTest, TheMostSimilarObjectTakesTheWord) {
  // woman shares half of its synsets with lady and half with man; puppy a third with hound, so the order
  // decides.
  EXPECT_EQ(texts_of({object("man"), object("lady"), object("woman")}), (Texts{{"woman/man"}, {"lady"}}));
  EXPECT_EQ(texts_of({object("lady"), object("man"), object("woman")}), (Texts{{"woman/lady"}, {"man"}}));
  // man then shares one of two synsets with what lady and woman have become.
  EXPECT_EQ(texts_of({object("lady"), object("woman"), object("man")}), (Texts{{"woman/lady/man"}}));
}

TEST_F(SceneGraphTest, MergedWordsStayWithTheirObject) {
  EXPECT_EQ(texts_of({object("man"), object("woman"), object("lady"), attribute("lady", "big")}),
            (Texts{{"woman/lady/man"}, {"woman/lady/man", "big"}}));
}

TEST_F(SceneGraphTest, AttributesMergeWithinAnObject) {
  EXPECT_EQ(texts_of({attribute("bus", "big"), attribute("car", "large"), attribute("bus", "large")}),
            (Texts{{"bus"}, {"car"}, {"bus", "big/large"}, {"car", "large"}}));
}

TEST_F(SceneGraphTest, RelationsMergeBetweenTheSameObjects) {
  EXPECT_EQ(
      texts_of({relation("man", "run", "car"), relation("car", "run", "man"), relation("man", "jog", "car")}),
      (Texts{{"man"}, {"car"}, {"man", "jog/run", "car"}, {"car", "run", "man"}}));
}

TEST_F(SceneGraphTest, RelationsLoseALeadingBe) {
  EXPECT_EQ(texts_of({relation("man", "be on", "car"), relation("man", "on", "car"),
                      relation("man", "be", "car"), relation("man", "be be on", "car")}),
            (Texts{{"man"}, {"car"}, {"man", "on", "car"}, {"man", "be", "car"}, {"man", "be on", "car"}}));
}

TEST_F(SceneGraphTest, WithoutSynsetsOnlyEqualWordsMerge) {
  Lexicon plain(nullptr);
  SceneGraph graph(plain);
  graph.add(std::vector<Fact>{attribute("dog", "big"), attribute("hound", "big"), attribute("dog", "large")});
  EXPECT_EQ(texts(graph), (Texts{{"dog"}, {"hound"}, {"dog", "big"}, {"hound", "big"}, {"dog", "large"}}));
}

TEST_F(SceneGraphTest, SortedTuplesGoByTheirWords) {
  SceneGraph graph(lexicon_);
  graph.add(
      std::vector<Fact>{relation("man", "on", "bus"), attribute("man", "red"), attribute("bus", "red")});
  Texts sorted;
  for (const Tuple& tuple : graph.sorted_tuples()) sorted.push_back(graph.texts(tuple));
  EXPECT_EQ(sorted, (Texts{{"bus"}, {"bus", "red"}, {"man"}, {"man", "on", "bus"}, {"man", "red"}}));
}

TEST_F(SceneGraphTest, CaptionsGoIntoOneGraph) {
  SceneGraph graph(lexicon_);
  graph.add(std::vector<Fact>{object("dog")});
  graph.add(std::vector<Fact>{object("hound"), object("fox")});
  EXPECT_EQ(texts(graph), (Texts{{"hound/dog"}, {"fox"}}));
}

/// Words that all mean the same.
std::string text_of_synonyms(const std::vector<std::string>& words) {
  resource::MeteorSources sources{"", "", "a\n", "", ""};
  for (const std::string& word : words) sources.synsets += word + "\n00000001\n";
  const test::SmallMeteorData data(sources);
  Lexicon lexicon(&data.get());
  SceneGraph graph(lexicon);
  for (const std::string& word : words) graph.add(std::vector<Fact>{object(word)});
  EXPECT_EQ(graph.tuples().size(), 1u);
  return graph.text(graph.concepts()[0]);
}

// From java.util.HashSet<String>.
TEST(SceneGraphText, WordsComeInJavasOrder) {
  EXPECT_EQ(text_of_synonyms({"puppy", "hound", "dog"}), "puppy/hound/dog");
  EXPECT_EQ(text_of_synonyms({"café", "naïve", "😀"}), "naïve/😀/café");
  EXPECT_EQ(text_of_synonyms({"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
                              "ten", "eleven", "twelve", "thirteen"}),
            "nine/six/one/seven/two/three/thirteen/eight/zero/four/twelve/eleven/ten/five");
}

TEST(SceneLexicon, KnowsSynsetsListsAndPhrases) {
  const test::SmallMeteorData data{std::string()};
  Lexicon lexicon(&data.get());
  const auto synsets = [&](const char* words) {
    const auto found = lexicon.synsets(lexicon.intern(words));
    return std::vector<std::uint32_t>(found.begin(), found.end());
  };
  EXPECT_EQ(synsets("dogs"), (std::vector<std::uint32_t>{10, 11}));
  EXPECT_EQ(synsets("left"), (std::vector<std::uint32_t>{21}));
  EXPECT_EQ(synsets(" Hot Dog "), (std::vector<std::uint32_t>{29}));
  EXPECT_EQ(synsets("zzz"), std::vector<std::uint32_t>());
  EXPECT_EQ(lexicon.text(lexicon.intern(" Hot Dog ")), " Hot Dog ");
  const auto list = [&](const char* words) { return lexicon.list(lexicon.intern(words)); };
  EXPECT_EQ(list("grey"), WordList::color);
  EXPECT_EQ(list("teeny-tiny"), WordList::size);
  EXPECT_EQ(list("ten"), WordList::cardinality);
  EXPECT_EQ(list("10"), WordList::none);
  EXPECT_EQ(list("Grey"), WordList::none);
}

}  // namespace
}  // namespace capella::scene
