// A detector of changes, not a proof of anything: caches hold facts, and facts that come out otherwise than
// before must not be mixed with those of earlier runs.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "scene/fact_codec.h"
#include "scene/facts.h"
#include "syntax/lemma.h"
#include "syntax/sentences.h"
#include "unit/scene/tree_text.h"

namespace capella::scene {
namespace {

std::string sentences_as_text(std::string_view caption) {
  std::string text;
  for (const syntax::Sentence& sentence : syntax::split_sentences(caption)) {
    for (const std::string& word : sentence.words) text += word + ' ';
    text += '\n';
  }
  return text;
}

std::string lemmas_as_text() {
  std::string text;
  for (const char* word : {"men", "lying", "Parked", "skies", "stopped", "frisbees", "restored", "changing",
                           "geese", "looked_up", "CAF\u00C9S", "'s", "graffiti", "rebanging"}) {
    for (const char* tag : {"NNS", "VBD", "VBZ", "PRP", "NN", "NNP"}) text += syntax::lemma(word, tag) + ' ';
  }
  return text;
}

const char* const kTrees[] = {
    "A=a/DT/3/det small/JJ/3/amod boy/NN/4/nsubj rides=ride/VBZ/0/root a/DT/7/det red/JJ/7/amod "
    "bike/NN/4/dobj in/IN/9/case front/NN/4/nmod of/IN/12/case a/DT/12/det house/NN/9/nmod",
    "hikers=hiker/NNS/2/nsubj walk/VBP/0/root to/TO/5/case the/DT/5/det lake/NN/2/nmod and/CC/5/cc "
    "from/IN/9/case the/DT/9/det hut/NN/5/conj",
    "the/DT/2/det girl/NN/7/nsubj and/CC/2/cc her=she/PRP$/6/nmod:poss two/CD/6/nummod "
    "brothers=brother/NNS/2/conj hold/VBP/0/root their=they/PRP$/9/nmod:poss hats=hat/NNS/7/dobj",
    "the/DT/2/det sheep/NN/4/nsubj are=be/VBP/4/auxpass guarded=guard/VBN/0/root by/IN/7/case "
    "two/CD/7/nummod dogs=dog/NNS/4/nmod",
    "some/DT/6/nsubj of/IN/4/case the/DT/4/det plates=plate/NNS/1/nmod are=be/VBP/6/cop blue/JJ/0/root",
    "an=a/DT/4/det old/JJ/4/amod tennis/NN/4/compound court/NN/0/root",
};

// If this fails, raise kRules in src/scene/fact_cache.cc, so that what caches hold is left aside, and write
// the new numbers here. They are our own output: whether it is right is for the other tests to say.
TEST(FactRules, AreThoseThatCachesWereFilledBy) {
  std::string facts;
  for (const char* tree : kTrees) facts += encode_facts(extract_facts(std::vector{test::tree_of(tree)}));
  EXPECT_EQ(hash_bytes(facts), 15426371544057080643u) << "raise kRules";
  EXPECT_EQ(hash_bytes(lemmas_as_text()), 15897510416888781701u) << "raise kRules";
  const std::string sentences = sentences_as_text("A man's dog isn't here. Two (2) cats! ") +
                                sentences_as_text("a U.S. flag, e.g. on Mt. Hood...\nand 3:30 p.m. clocks");
  EXPECT_EQ(hash_bytes(sentences), 1205128234467857219u) << "raise kRules";
}

}  // namespace
}  // namespace capella::scene
