#include "scene/facts.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scene/collapse.h"
#include "support/nonsense_trees.h"
#include "unit/scene/tree_text.h"

namespace capella::scene {
namespace {

using test::tree_of;

std::vector<std::string> texts(const std::vector<Fact>& facts) {
  std::vector<std::string> all;
  for (const Fact& fact : facts) {
    std::string text = fact.subject;
    if (fact.kind != Fact::Kind::object) text += '|' + fact.predicate;
    if (fact.kind == Fact::Kind::relation) text += '|' + fact.object;
    all.push_back(text);
  }
  return all;
}

std::vector<std::string> facts_of(const std::vector<syntax::Tree>& sentences) {
  return texts(extract_facts(sentences));
}

struct Case {
  const char* name;
  const char* tree;
  std::vector<std::string> facts;  ///< what the official program proposes for the tree, in its order
};

const Case kCases[] = {
    {"Complements",
     "A=a/DT/3/det small/JJ/3/amod boy/NN/4/nsubj rides=ride/VBZ/0/root a/DT/7/det red/JJ/7/amod "
     "bike/NN/4/dobj in/IN/9/case front/NN/4/nmod of/IN/12/case a/DT/12/det house/NN/9/nmod",
     {"boy|ride|bike", "boy|ride in front of|house", "bike|red", "boy|small", "house", "front", "bike",
      "boy"}},
    {"Participles",
     "a/DT/2/det nurse/NN/0/root pushing=push/VBG/2/acl a/DT/5/det cart/NN/3/dobj along/IN/8/case "
     "a/DT/8/det hallway/NN/3/nmod",
     {"nurse|push|cart", "nurse|push along|hallway", "nurse", "hallway", "cart"}},
    {"Intransitive", "the/DT/2/det baby/NN/3/nsubj sleeps=sleep/VBZ/0/root", {"baby|sleep", "baby"}},
    {"Existence", "there/EX/2/expl is=be/VBZ/0/root a/DT/4/det goat/NN/2/nsubj", {"goat"}},
    {"CopulaWithMarker",
     "the/DT/2/det keys=key/NNS/6/nsubj are=be/VBP/6/cop on/IN/6/case the/DT/6/det table/NN/0/root",
     {"key|on|table", "table", "key"}},
    {"CopulaWithAdjective",
     "the/DT/2/det soup/NN/4/nsubj is=be/VBZ/4/cop hot/JJ/0/root",
     {"soup|hot", "soup|hot", "soup"}},
    {"Possession",
     "the/DT/2/det girl/NN/4/nmod:poss 's/POS/2/case kite/NN/0/root",
     {"girl|have|kite", "kite", "girl"}},
    {"Agent",
     "the/DT/2/det sheep/NN/4/nsubj are=be/VBP/4/auxpass guarded=guard/VBN/0/root by/IN/7/case "
     "two/CD/7/nummod dogs=dog/NNS/4/nmod",
     {"dog|guard|sheep", "dog|two", "dog", "sheep"}},
    {"Particle",
     "a/DT/2/det porter/NN/3/nsubj picks=pick/VBZ/0/root up/RP/3/compound:prt a/DT/6/det "
     "trunk/NN/3/dobj at/IN/9/case a/DT/9/det station/NN/3/nmod",
     {"porter|pick up|trunk", "porter|pick up at|station", "station", "trunk", "porter"}},
    {"Conjuncts",
     "a/DT/2/det cook/NN/3/nsubj washes=wash/VBZ/0/root and/CC/3/cc cuts=cut/VBZ/3/conj "
     "carrots=carrot/NNS/5/dobj and/CC/6/cc onions=onion/NNS/6/conj",
     {"cook|cut|carrot", "cook|cut|onion", "cook|wash", "carrot", "onion", "cook"}},
    {"PassiveConjunct",
     "a/DT/2/det cake/NN/4/nsubjpass is=be/VBZ/4/auxpass baked=bake/VBN/0/root and/CC/4/cc "
     "looks=look/VBZ/4/conj sweet/JJ/6/xcomp",
     {"cake|look", "cake"}},
    {"BareConjunct",
     "a/DT/2/det fork/NN/0/root ,/,/2/punct a/DT/5/det knife/NN/2/conj with/IN/7/case "
     "crumbs=crumb/NNS/5/nmod",
     {"knife|with|crumb", "fork", "knife", "crumb"}},
    {"BothPlural",
     "two/CD/2/nummod men=man/NNS/3/nsubj carry/VBP/0/root three/CD/5/nummod boxes=box/NNS/3/dobj",
     {"man|carry|box", "man|two", "box|three", "box", "man"}},
    {"NumberBehind",
     "the/DT/2/det numbers=number/NNS/0/root 5/CD/2/nummod and/CC/3/cc 6/CD/3/conj",
     {"number"}},
    {"Pair",
     "a/DT/3/det lovely/JJ/3/amod pair/NN/6/nsubj of/IN/5/case swans=swan/NNS/3/nmod swim/VBP/0/root",
     {"swan|swim", "swan|a", "swan", "pair"}},
    {"SomeOfThe",
     "some/DT/6/nsubj of/IN/4/case the/DT/4/det plates=plate/NNS/1/nmod are=be/VBP/6/cop "
     "blue/JJ/0/root",
     {"plate|blue", "plate|blue", "plate|some", "plate"}},
    {"Dozens",
     "dozens=dozen/NNS/0/root of/IN/3/case kites=kite/NNS/1/nmod above/IN/6/case a/DT/6/det "
     "pier/NN/1/nmod",
     {"dozen|above|pier", "kite|dozen", "kite", "dozen", "pier"}},
    {"NoQuantifier",
     "a/DT/2/det group/NN/0/root of/IN/4/case nuns=nun/NNS/2/nmod",
     {"group|of|nun", "group", "nun"}},
    {"Pronoun",
     "a/DT/2/det woman/NN/3/nsubj brushes=brush/VBZ/0/root her=she/PRP$/5/nmod:poss horse/NN/3/dobj",
     {"woman|brush|horse", "woman|have|horse", "horse", "woman"}},
    {"PluralPronoun",
     "the/DT/2/det girl/NN/7/nsubj and/CC/2/cc her=she/PRP$/6/nmod:poss two/CD/6/nummod "
     "brothers=brother/NNS/2/conj hold/VBP/0/root their=they/PRP$/9/nmod:poss hats=hat/NNS/7/dobj",
     {"girl|hold|hat", "brother|hold|hat", "girl|have|brother", "girl|have|hat", "brother|two", "girl",
      "brother", "hat"}},
    {"NextToAsMarker",
     "a/DT/2/det cat/NN/3/nsubj sits=sit/VBZ/0/root next/JJ/7/case to/TO/7/case a/DT/7/det "
     "window/NN/3/nmod",
     {"cat|sit next to|window", "window", "cat"}},
    {"NextToAsHead",
     "a/DT/2/det lamp/NN/4/nsubj is=be/VBZ/4/cop next/JJ/0/root to/TO/7/case a/DT/7/det "
     "bed/NN/4/nmod",
     {"lamp|next to|bed", "bed", "lamp"}},
    {"PhraseConjunction",
     "hikers=hiker/NNS/2/nsubj walk/VBP/0/root to/TO/5/case the/DT/5/det lake/NN/2/nmod and/CC/5/cc "
     "from/IN/9/case the/DT/9/det hut/NN/5/conj",
     {"hiker|walk to|lake", "hiker|walk from|hut", "lake", "hut", "hiker"}},
    {"PrepositionConjunction",
     "trains=train/NNS/0/root to/TO/5/case and/CC/2/cc from/IN/2/conj town/NN/1/nmod",
     {"train|to|town", "train|from|town", "train", "train", "town"}},
    {"Compound",
     "an=a/DT/4/det old/JJ/4/amod tennis/NN/4/compound court/NN/0/root",
     {"court|old", "court|tennis"}},
    {"RelativeClause",
     "a/DT/2/det horse/NN/0/root that/WDT/4/nsubj jumps=jump/VBZ/2/acl:relcl a/DT/6/det "
     "fence/NN/4/dobj",
     {"horse", "fence"}},
    {"TimeNoun",
     "the/DT/2/det choir/NN/3/nsubj sings=sing/VBZ/0/root every/DT/5/det sunday/NN/3/nmod:tmod",
     {"choir|sing tmod|sunday", "sunday", "choir"}},
    {"ButRather",
     "a/DT/2/det mule/NN/0/root but/CC/2/cc rather/RB/6/advmod a/DT/6/det pony/NN/2/conj",
     {"mule", "pony"}},
    {"Upper",
     "Kids/NNPS/2/nsubj Paint/VBP/0/root On=on/IN/4/case Walls/NNPS/2/nmod",
     {"kids|Paint on|walls", "walls", "kids"}},
};

TEST(Facts, TheOfficialProgramFindsTheSame) {
  for (const Case& each : kCases) EXPECT_EQ(facts_of({tree_of(each.tree)}), each.facts) << each.name;
}

TEST(Facts, SentencesFollowEachOther) {
  const syntax::Tree baby = tree_of("the/DT/2/det baby/NN/3/nsubj sleeps=sleep/VBZ/0/root");
  const syntax::Tree goat = tree_of("a/DT/3/det big/JJ/3/amod goat/NN/0/root");
  EXPECT_EQ(facts_of({baby, goat}), (std::vector<std::string>{"baby|sleep", "baby", "goat|big", "goat"}));
  EXPECT_EQ(facts_of({}), std::vector<std::string>());
}

TEST(Facts, AWordWithoutLemmaStandsForItself) {
  syntax::Tree tree = tree_of("a/DT/2/det Goat/NN/0/root");
  tree.tokens[1].lemma.clear();
  EXPECT_EQ(facts_of({tree}), std::vector<std::string>{"goat"});
}

TEST(Facts, LemmasAreTrimmedAndInLowerCase) {
  EXPECT_EQ(facts_of({tree_of("x=\u00c9clair/NN/0/root")}), std::vector<std::string>{"\u00e9clair"});
  syntax::Tree tree = tree_of("x/NN/0/root");
  tree.tokens[0].lemma = " Goat\t";
  EXPECT_EQ(facts_of({tree}), std::vector<std::string>{"goat"});
}

TEST(Facts, WordsOutsideTheGraphSayNothing) {
  EXPECT_EQ(facts_of({tree_of("goat/NN/0/root dog/NN/-1/_")}), std::vector<std::string>{"goat"});
  EXPECT_EQ(facts_of({tree_of("goat/NN/-1/_ dog/NN/-1/_")}), std::vector<std::string>());
}

TEST(Facts, HeadsOutOfRangeMakeRoots) {
  EXPECT_EQ(facts_of({tree_of("big/JJ/2/amod goat/NN/77/nmod dog/NN/-5/dobj")}),
            (std::vector<std::string>{"goat|big", "dog", "goat"}));
}

TEST(Facts, CyclesAreTakenAsTheyAre) {
  const char* const cycles[] = {
      "goat/NN/1/nmod",
      "goat/NN/2/nmod dog/NN/1/nmod",
      "it/PRP/2/dobj goat/NN/3/nmod of/IN/2/case",
      "next/JJ/3/nmod to/TO/3/case box/NN/1/nmod",
      "in/IN/2/case front/NN/4/nmod of/IN/4/case box/NN/2/nmod",
      "a/DT/2/det lot/NN/4/nsubj of/IN/4/case dogs=dog/NNS/2/nmod",
      "cat/NN/0/root and/CC/3/cc dog/NN/4/conj goat/NN/3/conj with/IN/4/case",
  };
  for (const char* tree : cycles) EXPECT_FALSE(facts_of({tree_of(tree)}).empty()) << tree;
}

/// A sentence of `size` words; `make` gives the text of one, counted from 1.
template <class Make>
syntax::Tree long_tree(int size, Make make) {
  std::string text;
  for (int i = 1; i <= size; ++i) text += make(i) + ' ';
  return tree_of(text);
}

TEST(Facts, AThousandWordsInARow) {
  const auto chain = long_tree(1000, [](int i) { return "goat/NN/" + std::to_string(i - 1) + "/nmod:with"; });
  EXPECT_EQ(facts_of({chain}).size(), 999u + 1000u);
  const auto other_way = long_tree(
      1000, [](int i) { return "goat/NN/" + std::to_string(i == 1000 ? 0 : i + 1) + "/nmod:with"; });
  EXPECT_EQ(facts_of({other_way}).size(), 999u + 1000u);
}

TEST(Facts, AThousandWordsWithOneHead) {
  const auto adjectives =
      long_tree(1000, [](int i) { return i == 1 ? "goat/NN/0/root" : std::string("big/JJ/1/amod"); });
  EXPECT_EQ(facts_of({adjectives}).size(), 999u + 1u);
  const auto pronouns =
      long_tree(1000, [](int i) { return i == 1 ? "goat/NN/0/root" : std::string("it/PRP/1/dobj"); });
  EXPECT_EQ(facts_of({pronouns}).back(), "goat");
}

/// How many words, with copies, and edges there are when all is collapsed.
std::pair<std::size_t, std::size_t> size_of_collapsed(const syntax::Tree& tree) {
  DependencyGraph graph(tree, 0);
  collapse(graph);
  return {graph.nodes_made(), graph.edges_made()};
}

TEST(Facts, NonsenseStaysWithinBounds) {
  const syntax::Tree trees[] = {test::tree_of_conjunctions(249), test::tree_of_prepositions(498),
                                test::tree_of_markers(498)};
  for (const syntax::Tree& tree : trees) {
    const std::size_t words = tree.tokens.size();
    const auto [nodes, edges] = size_of_collapsed(tree);
    EXPECT_LE(nodes, words + 2 * kMostCopies);
    EXPECT_LE(edges, words + 4 * kMostCopies + 2 * kMostTriples);
    EXPECT_LE(extract_facts(std::span(&tree, 1)).size(), nodes + edges);
  }
}

}  // namespace
}  // namespace capella::scene
