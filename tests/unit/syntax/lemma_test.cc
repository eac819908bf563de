// Lemmas by hand; the expected ones are those of CoreNLP's Morphology, oddities included.
#include "syntax/lemma.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace capella::syntax {
namespace {

TEST(Lemma, Plurals) {
  for (const auto& [word, expected] : {std::pair<std::string_view, std::string_view>{"Dogs", "dog"},
                                       {"boxes", "box"},
                                       {"skies", "sky"},
                                       {"skis", "ski"},
                                       {"shoes", "shoe"},
                                       {"glasses", "glass"},
                                       {"knives", "knife"},
                                       {"men", "man"},
                                       {"firemen", "fireman"},
                                       {"children", "child"},
                                       {"oxen", "ox"},
                                       {"people", "people"},
                                       {"jeans", "jeans"},
                                       {"scissors", "scissors"},
                                       {"graffiti", "graffitus"},
                                       {"men-at-arms", "man-at-arms"},
                                       {"brown-haired-men", "brown-haired-man"},
                                       {"drs.", "dr."},
                                       {"xvi", "xvi"}}) {
    EXPECT_EQ(lemma(word, "NNS"), expected) << word;
  }
}

TEST(Lemma, Verbs) {
  for (const auto& [word, expected] : {std::pair<std::string_view, std::string_view>{"parked", "park"},
                                       {"baked", "bake"},
                                       {"stopped", "stop"},
                                       {"carried", "carry"},
                                       {"lying", "lie"},
                                       {"Riding", "ride"},
                                       {"sitting", "sit"},
                                       {"hanging", "hang"},
                                       {"changing", "change"},
                                       {"goes", "go"},
                                       {"is", "be"},
                                       {"'re", "be"},
                                       {"took", "take"},
                                       {"has", "have"},
                                       {"re-ran", "re-run"},
                                       {"looked_up", "look_up"}}) {
    EXPECT_EQ(lemma(word, "VBD"), expected) << word;
  }
}

TEST(Lemma, PrefixesMayBeManyAndChangeNothing) {
  std::string prefixes;
  for (int i = 0; i < 200'000; ++i) prefixes += "re";  // too many for one call each
  for (const char* before : {"re", "misin", prefixes.c_str()}) {
    const std::string prefix = before;
    EXPECT_TRUE(lemma(prefix + "ored", "VBD") == prefix + "or") << prefix.size();
    EXPECT_TRUE(lemma(prefix + "shored", "VBD") == prefix + "shore") << prefix.size();
    EXPECT_TRUE(lemma(prefix + "banging", "VBG") == prefix + "bang") << prefix.size();
    EXPECT_TRUE(lemma(prefix + "xbanging", "VBG") == prefix + "xbange") << prefix.size();
  }
}

TEST(Lemma, TheTagDecides) {
  EXPECT_EQ(lemma("parked", "JJ"), "parked");
  EXPECT_EQ(lemma("Standing", "NN"), "standing");
  EXPECT_EQ(lemma("bigger", "JJR"), "bigger");
  EXPECT_EQ(lemma("Men", "NNP"), "Men");
  EXPECT_EQ(lemma("Buses", "NNPS"), "Buses");
  EXPECT_EQ(lemma("'s", "VBZ"), "be");
  EXPECT_EQ(lemma("'s", "POS"), "'s");
  EXPECT_EQ(lemma("'d", "VBD"), "have");
  EXPECT_EQ(lemma("'d", "MD"), "would");
  EXPECT_EQ(lemma("n't", "RB"), "not");
  EXPECT_EQ(lemma("Their", "PRP$"), "they");
  EXPECT_EQ(lemma("him", "PRP"), "he");
  EXPECT_EQ(lemma("me", "PRP"), "I");
  EXPECT_EQ(lemma("I", "PRP"), "I");
  EXPECT_EQ(lemma("I", "CD"), "i");
  EXPECT_EQ(lemma("an", "DT"), "a");
}

TEST(Lemma, OddWordsStay) {
  EXPECT_EQ(lemma("", "NNS"), "");
  EXPECT_EQ(lemma("s", "NNS"), "s");
  EXPECT_EQ(lemma("CAF\u00C9S", "NNS"), "caf\u00E9s");
  EXPECT_EQ(lemma("a/bs", "NNS"), "a/bs");
  EXPECT_EQ(lemma("_", "VB"), "_");
  EXPECT_EQ(lemma("--", "VBZ"), "--_VBZ");
  EXPECT_EQ(lemma("-LRB-", "-LRB-"), "-lrb-");
}

}  // namespace
}  // namespace capella::syntax
