// A vocabulary of CLIP's kind, learnt from captions: for small models of our own, whose folders any program
// that reads Hugging Face's CLIP can then read.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace capella::encoder {

struct LearntVocabulary {
  std::string vocabulary;  ///< content of vocab.json
  std::string merges;      ///< content of merges.txt
  std::size_t size = 0;    ///< how many pieces there are
};

/// The bytes, alone and at the end of a word; then, one by one, the two neighbours that stand together most
/// often in the captions (of equal ones the first by name), until `most_merges` are found or none stands
/// together twice; then the special tokens. The same captions give the same vocabulary in any order.
LearntVocabulary learn_clip_vocabulary(std::span<const std::string_view> captions, std::size_t most_merges);

}  // namespace capella::encoder
