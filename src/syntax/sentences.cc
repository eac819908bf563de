#include "syntax/sentences.h"

#include <algorithm>
#include <utility>

#include "text/ptb/words.h"

namespace capella::syntax {
namespace {

bool ends_sentence(std::string_view word) {
  return word == "." || (!word.empty() && word.find_first_not_of("!?") == std::string_view::npos);
}

/// Whether the word stays with the sentence that ended before it.
bool follows_end(std::string_view word) {
  return word == "'" || word == "''" || word == "-RRB-" || word == "-RSB-" || word == "-RCB-";
}

std::vector<Sentence> to_sentences(std::vector<std::string>&& words) {
  std::vector<Sentence> sentences;
  bool ended = true;
  for (std::string& word : words) {
    const bool stays = ended && !sentences.empty() && follows_end(word);
    const bool ends = ends_sentence(word);
    const bool full = !sentences.empty() && sentences.back().words.size() == kLongestSentence;
    if ((ended && !stays) || full) sentences.emplace_back();
    sentences.back().words.push_back(std::move(word));
    ended = ends || stays;
  }
  return sentences;
}

}  // namespace

std::vector<std::vector<Sentence>> split_sentences(std::span<const std::string_view> texts) {
  std::vector<std::vector<std::string>> words = text::ptb::words_of(texts);
  std::vector<std::vector<Sentence>> all;
  all.reserve(texts.size());
  for (std::vector<std::string>& caption : words) all.push_back(to_sentences(std::move(caption)));
  return all;
}

std::vector<Sentence> split_sentences(std::string_view text) {
  return std::move(split_sentences(std::span(&text, 1)).front());
}

}  // namespace capella::syntax
