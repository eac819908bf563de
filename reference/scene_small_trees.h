// Trees from bytes for tests and fuzzing: few words and many of the phrases that SPICE's steps look for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace capella::reference {

/// Words that belong together. A head of 0 lets the bytes choose head and relation.
using SmallPhrase = std::vector<syntax::Token>;

inline const std::vector<SmallPhrase>& small_phrases() {
  static const std::vector<SmallPhrase> kPhrases = {
      {{"dog", "dog", "NN", 0, "nmod"}},
      {{"dogs", "dog", "NNS", 0, "dobj"}},
      {{"hound", "hound", "NN", 0, "nsubj"}},
      {{"puppy", "puppy", "NN", 0, "conj"}},
      {{"man", "man", "NN", 0, "nsubj"}},
      {{"persons", "person", "NNS", 0, "nsubj"}},
      {{"woman", "woman", "NN", 0, "nmod"}},
      {{"car", "car", "NN", 0, "compound"}},
      {{"Automobiles", "Automobiles", "NNPS", 0, "nmod:poss"}},
      {{"box", "box", "NN", 0, "nsubjpass"}},
      {{"run", "run", "VBP", 0, "conj"}},
      {{"jogging", "jog", "VBG", 0, "acl"}},
      {{"given", "give", "VBN", 0, "acl"}},
      {{"rides", "ride", "VBZ", 0, "acl:relcl"}},
      {{"is", "be", "VBZ", 0, "cop"}},
      {{"is", "be", "VBZ", 0, "auxpass"}},
      {{"is", "be", "VBZ", 0, "ccomp"}},
      {{"up", "up", "RP", 0, "compound:prt"}},
      {{"big", "big", "JJ", 0, "amod"}},
      {{"large", "large", "JJ", 0, "amod"}},
      {{"red", "red", "JJ", 0, "conj"}},
      {{"two", "two", "CD", 0, "nummod"}},
      {{"the", "the", "DT", 0, "det"}},
      {{"and", "and", "CC", 0, "cc"}},
      {{"or", "or", "CC", 0, "cc"}},
      {{"with", "with", "IN", 0, "case"}},
      {{"of", "of", "IN", 0, "case"}},
      {{"it", "it", "PRP", 0, "dobj"}},
      {{"their", "they", "PRP$", 0, "nmod:poss"}},
      {{"today", "today", "NN", 0, "nmod:tmod"}},
      {{"next", "next", "JJ", 3, "case"}, {"to", "to", "TO", 3, "case"}, {"box", "box", "NN", 0, "nmod"}},
      {{"Next", "next", "RB", 3, "advmod"}, {"to", "to", "TO", 3, "case"}, {"fox", "fox", "NN", 0, "advcl"}},
      {{"next", "next", "JJ", 0, "acl"}, {"to", "to", "TO", 3, "case"}, {"bus", "bus", "NN", 1, "nmod"}},
      {{"is", "be", "VBZ", 2, "cop"},
       {"close", "close", "JJ", 0, "ccomp"},
       {"to", "to", "TO", 4, "case"},
       {"church", "church", "NN", 2, "nmod"}},
      {{"in", "in", "IN", 2, "case"},
       {"front", "front", "NN", 0, "nmod"},
       {"of", "of", "IN", 4, "case"},
       {"dishes", "dish", "NNS", 2, "nmod"}},
      {{"in", "in", "IN", 2, "case"},
       {"addition", "addition", "NN", 0, "nmod"},
       {"to", "to", "TO", 4, "mark"},
       {"running", "run", "VBG", 2, "acl"}},
      {{"in", "in", "IN", 4, "case"},
       {"front", "front", "NN", 1, "mwe"},
       {"of", "of", "IN", 1, "mwe"},
       {"lady", "lady", "NN", 0, "nmod"}},
      {{"A", "a", "DT", 3, "det"},
       {"good", "good", "JJ", 3, "amod"},
       {"lot", "lot", "NN", 0, "nsubj"},
       {"of", "of", "IN", 5, "case"},
       {"kids", "kid", "NNS", 3, "nmod"}},
      {{"Dozens", "dozen", "NNS", 0, "dobj"},
       {"of", "of", "IN", 3, "case"},
       {"mice", "mouse", "NNS", 1, "nmod"}},
      {{"20s", "20s", "CD", 0, "nsubj"}, {"of", "of", "IN", 3, "case"}, {"them", "they", "PRP", 1, "nmod"}},
      {{"some", "some", "DT", 0, "nsubj"},
       {"of", "of", "IN", 4, "case"},
       {"the", "the", "DT", 4, "det"},
       {"children", "child", "NNS", 1, "nmod"}},
      {{"2", "2", "CD", 0, "dobj"}, {"of", "of", "IN", 3, "case"}, {"them", "they", "PRP", 1, "nmod"}},
      {{"to", "to", "TO", 2, "case"},
       {"box", "box", "NN", 0, "nmod"},
       {"and", "and", "CC", 2, "cc"},
       {"from", "from", "IN", 5, "case"},
       {"bus", "bus", "NN", 2, "conj"}},
      {{"to", "to", "TO", 4, "case"},
       {"and", "and", "CC", 1, "cc"},
       {"from", "from", "IN", 1, "conj"},
       {"house", "house", "NN", 0, "nmod"}},
      {{"by", "by", "IN", 2, "case"}, {"women", "woman", "NNS", 0, "nmod"}},
      {{"man", "man", "NN", 0, "nsubj"},
       {"but", "but", "CC", 1, "cc"},
       {"also", "also", "RB", 4, "advmod"},
       {"lady", "lady", "NN", 1, "conj"}},
      {{"runs", "run", "VBZ", 0, "acl:relcl"},
       {"as", "as", "RB", 1, "cc"},
       {"well", "well", "RB", 2, "mwe"},
       {"rides", "ride", "VBZ", 1, "conj"}},
  };
  return kPhrases;
}

/// Three bytes make a phrase: which one, its head, its relation.
inline syntax::Tree small_tree(std::span<const std::uint8_t> bytes) {
  syntax::Tree tree;
  for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
    const SmallPhrase& phrase = small_phrases()[bytes[i] % small_phrases().size()];
    const int before = static_cast<int>(tree.tokens.size());
    for (syntax::Token token : phrase) {
      if (token.head != 0) {
        token.head += before;
      } else {
        const int head = bytes[i + 1];
        token.head = before == 0 ? 0 : before - head % before;  // most depend on a word before them
        if (head >= 220) token.head = head - 220;               // or on any word, or on none
        if (head == 255) token.head = syntax::kNoHead;
        const std::size_t other = bytes[i + 2];
        if (other >= 160) token.relation = small_phrases()[other % small_phrases().size()][0].relation;
      }
      tree.tokens.push_back(token);
    }
  }
  return tree;
}

/// Bytes of 0xFE 0xFE between sentences, 0xFF 0xFF between captions.
inline std::vector<std::vector<syntax::Tree>> small_captions(std::span<const std::uint8_t> bytes) {
  std::vector<std::vector<syntax::Tree>> captions(1);
  std::vector<std::uint8_t> sentence;
  const auto end_sentence = [&] {
    captions.back().push_back(small_tree(sentence));
    sentence.clear();
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool is_mark = i + 1 < bytes.size() && bytes[i] >= 0xFE && bytes[i + 1] == bytes[i];
    if (!is_mark) {
      sentence.push_back(bytes[i]);
      continue;
    }
    end_sentence();
    if (bytes[i] == 0xFF) captions.emplace_back();
    ++i;
  }
  end_sentence();
  return captions;
}

}  // namespace capella::reference
