#include "text/text_set.h"

#include <algorithm>

#include "base/utf8.h"

namespace capella::text {
namespace {

// Whether str.split() and str.split(" ") cut the text alike: plain words with single spaces between.
bool words_are_pieces(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  unsigned char before = 'x';
  for (const unsigned char c : text) {
    if (c >= 0x80 || (c < ' ') || (c == ' ' && before == ' ')) return false;
    before = c;
  }
  return true;
}

}  // namespace

TextSet::TextSet(StringColumn tokens, Detail detail)
    : detail_(detail), texts_(std::move(tokens)), vocabulary_(nullptr), ngram_index_(nullptr) {
  take_apart();
}

TextSet::TextSet(StringColumn tokens, const TextSet* base)
    : detail_(base->detail_),
      texts_(std::move(tokens)),
      vocabulary_(&base->vocabulary_),
      ngram_index_(&base->ngram_index_) {
  take_apart();
}

void TextSet::take_apart() {
  if (detail_ < Detail::words) return;
  for (std::size_t i = 0; i < texts_.size(); ++i) add_words(texts_[i]);
  if (detail_ < Detail::ngrams) return;
  ngrams_.reserve(size(), kMaxOrder * words_.ids.size());
  ngram_index_.reserve(words_.ids.size());
  for (std::size_t i = 0; i < size(); ++i) ngrams_.add(words(i), ngram_index_);
}

void TextSet::add_words(std::string_view text) {
  const bool plain = words_are_pieces(text);
  if (plain) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      words_.ids.push_back(vocabulary_.intern(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  } else {
    for_each_python_word(text,
                         [this](std::string_view word) { words_.ids.push_back(vocabulary_.intern(word)); });
  }
  words_.ends.push_back(words_.ids.size());
  if (plain) {
    pieces_of_.push_back(kSameAsWords);
  } else {
    add_pieces(text);
  }
}

void TextSet::add_pieces(std::string_view text) {
  pieces_of_.push_back(static_cast<std::uint32_t>(pieces_.ends.size()));
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    pieces_.ids.push_back(vocabulary_.intern(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  pieces_.ends.push_back(pieces_.ids.size());
}

std::string TextSet::ngram_text(NgramId id) const {
  std::string text;
  for (const WordId word : ngram_index_.words(id)) {
    if (!text.empty()) text += ' ';
    text += vocabulary_.word(word);
  }
  return text;
}

std::uint64_t TextSet::ngram_hash(NgramId id) const {
  std::uint64_t hash = 0;
  for (const WordId word : ngram_index_.words(id))
    hash = hash_combine(hash, hash_bytes(vocabulary_.word(word)));
  return hash;
}

}  // namespace capella::text
