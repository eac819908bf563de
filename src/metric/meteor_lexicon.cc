#include "metric/meteor_lexicon.h"

#include <algorithm>
#include <string>

#include "text/meteor_normalizer.h"
#include "text/synonyms.h"

namespace capella::metric {

MeteorLexicon::MeteorLexicon(const resource::MeteorData& data, const MeteorLexicon* base)
    : data_(data),
      base_(base),
      first_(base == nullptr ? 0 : base->words_.size()),
      words_(base == nullptr ? nullptr : &base->words_),
      stems_(base == nullptr ? nullptr : &base->stems_) {}

text::WordId MeteorLexicon::intern(std::string_view word) {
  const text::WordId id = words_.intern(word);
  if (id - first_ == known_.size() && id >= first_) known_.push_back(look_up(word));
  return id;
}

MeteorWord MeteorLexicon::look_up(std::string_view word) {
  MeteorWord known{};
  known.key = resource::word_key(word);
  known.stem = stems_.intern(stemmer_.stem(word));
  known.is_function_word = data_.is_function_word(known.key);
  known.paraphrases = data_.paraphrases(resource::extend_phrase(resource::kEmptyPhrase, known.key));
  known.synsets = synsets_.emplace_back(text::synonym_sets(word, data_));
  return known;
}

bool are_synonyms(const MeteorWord& a, const MeteorWord& b) {
  for (std::size_t i = 0, j = 0; i < a.synsets.size() && j < b.synsets.size();) {
    if (a.synsets[i] == b.synsets[j]) return true;
    a.synsets[i] < b.synsets[j] ? ++i : ++j;
  }
  return false;
}

void MeteorTexts::add(std::string_view caption) {
  const std::size_t first_word = words_.size();
  const std::string text = text::meteor_words(caption, lexicon_.data());
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; };
  for (auto begin = text.begin(); begin != text.end();) {
    const auto end = std::find_if(begin, text.end(), is_space);
    if (end != begin) words_.push_back(lexicon_.intern({begin, end}));
    begin = std::find_if_not(end, text.end(), is_space);
  }
  if (paraphrases_) add_phrases(first_word);
  ends_.push_back({words_.size(), phrases_.size()});
}

void MeteorTexts::add_phrases(std::size_t first_word) {
  for (std::size_t start = first_word; start + 1 < words_.size(); ++start) {
    const resource::PhraseKey first =
        resource::extend_phrase(resource::kEmptyPhrase, lexicon_.word(words_[start]).key);
    lexicon_.data().prefetch(resource::extend_phrase(first, lexicon_.word(words_[start + 1]).key));
  }
  for (std::size_t start = first_word; start < words_.size(); ++start) {
    const MeteorWord& first = lexicon_.word(words_[start]);
    resource::PhraseKey phrase = resource::extend_phrase(resource::kEmptyPhrase, first.key);
    auto paraphrases = first.paraphrases;
    for (std::size_t end = start + 1; paraphrases; ++end) {
      if (!paraphrases->empty()) {
        phrases_.push_back({static_cast<std::uint32_t>(start - first_word),
                            static_cast<std::uint32_t>(end - start), *paraphrases});
      }
      if (end == words_.size()) break;
      phrase = resource::extend_phrase(phrase, lexicon_.word(words_[end]).key);
      paraphrases = lexicon_.data().paraphrases(phrase);
    }
  }
}

void MeteorTexts::clear() {
  words_.clear();
  phrases_.clear();
  ends_.clear();
}

MeteorText MeteorTexts::get(std::size_t i) const {
  const End begin = i == 0 ? End{0, 0} : ends_[i - 1];
  return {std::span(words_).subspan(begin.words, ends_[i].words - begin.words),
          std::span(phrases_).subspan(begin.phrases, ends_[i].phrases - begin.phrases)};
}

}  // namespace capella::metric
