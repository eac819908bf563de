// Plain counting, word by word: vocabularies of thousands of words are learnt in a moment, larger ones are
// not what this is for.
#include "encoder/tokenizer/learn_bpe.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "encoder/tokenizer/byte_alphabet.h"
#include "encoder/tokenizer/byte_level_tokenizers.h"
#include "encoder/tokenizer/clip_text.h"

namespace capella::encoder {
namespace {

struct Word {
  std::vector<std::string> symbols;
  std::size_t count = 0;
};

std::string with_end(std::string symbol) {
  return symbol.append(kClipWordEnd);
}

std::vector<std::string> symbols_of(std::string_view word) {
  std::vector<std::string> symbols;
  for (const char byte : word) symbols.push_back(in_byte_alphabet({&byte, 1}));
  symbols.back().append(kClipWordEnd);
  return symbols;
}

std::vector<Word> count_words(std::span<const std::string_view> captions) {
  std::map<std::string, std::size_t> counts;
  for (const std::string_view caption : captions) {
    const std::string text = clean_for_clip(caption, ClipCleaning::hugging_face);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = end_of_clip_word(text, at);
      if (text[at] != ' ') ++counts[text.substr(at, end - at)];
      at = end;
    }
  }
  std::vector<Word> words;
  for (const auto& [word, count] : counts) words.push_back({symbols_of(word), count});
  return words;
}

using Pair = std::pair<std::string, std::string>;

// The pair that stands together most often, the first by name of equal ones; nothing if none does twice.
Pair most_frequent_pair(const std::vector<Word>& words) {
  std::map<Pair, std::size_t> counts;
  for (const Word& word : words) {
    for (std::size_t k = 0; k + 1 < word.symbols.size(); ++k)
      counts[{word.symbols[k], word.symbols[k + 1]}] += word.count;
  }
  const auto best = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return best == counts.end() || best->second < 2 ? Pair() : best->first;
}

void join(Word& word, const Pair& pair) {
  std::vector<std::string>& symbols = word.symbols;
  for (std::size_t k = 0; k + 1 < symbols.size(); ++k) {
    if (symbols[k] != pair.first || symbols[k + 1] != pair.second) continue;
    symbols[k] += symbols[k + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  }
}

}  // namespace

LearntVocabulary learn_clip_vocabulary(std::span<const std::string_view> captions, std::size_t most_merges) {
  std::vector<Word> words = count_words(captions);
  nlohmann::json ids = nlohmann::json::object();
  const auto add = [&ids](const std::string& piece) { ids.emplace(piece, ids.size()); };
  std::vector<std::string> alphabet;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char character = static_cast<char>(byte);
    alphabet.push_back(in_byte_alphabet({&character, 1}));
  }
  for (const std::string& symbol : alphabet) add(symbol);
  for (const std::string& symbol : alphabet) add(with_end(symbol));

  LearntVocabulary learnt;
  learnt.merges = "#version: 0.2\n";
  for (std::size_t merge = 0; merge < most_merges; ++merge) {
    const Pair pair = most_frequent_pair(words);
    if (pair.first.empty()) break;
    for (Word& word : words) join(word, pair);
    add(pair.first + pair.second);
    learnt.merges += pair.first + " " + pair.second + "\n";
  }
  add("<|startoftext|>");
  add("<|endoftext|>");
  learnt.vocabulary = ids.dump();
  learnt.size = ids.size();
  return learnt;
}

}  // namespace capella::encoder
