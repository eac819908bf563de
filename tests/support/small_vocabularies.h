// Vocabularies of a few pieces, in the files in which tokenizers come.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "encoder/tokenizer/byte_alphabet.h"

namespace capella::test {

using MergePairs = std::vector<std::pair<std::string, std::string>>;

/// All bytes, with `word_end` a second time, then what the merges make, then `specials`; numbered in order.
inline nlohmann::json byte_vocabulary(const MergePairs& merges, std::string_view word_end,
                                      const std::vector<std::string>& specials) {
  nlohmann::json pieces = nlohmann::json::object();
  const auto add = [&](const std::string& text) {
    if (!pieces.contains(text)) pieces[text] = pieces.size();
  };
  for (const std::string_view end : {std::string_view(), word_end}) {
    for (int byte = 0; byte < 256; ++byte)
      add(encoder::in_byte_alphabet(std::string(1, static_cast<char>(byte))).append(end));
  }
  for (const auto& [left, right] : merges) add(left + right);
  for (const std::string& special : specials) add(special);
  return pieces;
}

inline std::string merge_lines(const MergePairs& merges) {
  std::string lines = "#version: 0.2\n";
  for (const auto& [left, right] : merges) lines += left + " " + right + "\n";
  return lines;
}

/// A vocab.txt: the special tokens of BERT, then the words.
inline std::string word_lines(const std::vector<std::string>& words) {
  std::string lines = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (const std::string& word : words) lines += word + "\n";
  return lines;
}

}  // namespace capella::test
