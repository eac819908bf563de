#include "resource/meteor_convert.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/hash.h"
#include "base/names.h"
#include "resource/meteor_data.h"

namespace capella::resource {
namespace {

// The lines of a text, one after the other, with their place for error messages.
class Lines {
 public:
  Lines(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  bool next(std::string_view& line) {
    if (offset_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', offset_), text_.size());
    line = text_.substr(offset_, end - offset_);
    offset_ = end + 1;
    ++number_;
    return true;
  }
  // A line that must be there because of the one before.
  std::string_view need(std::string_view what) {
    std::string_view line;
    if (!next(line)) fail(fmt::format("the file ends where {} is expected", what));
    return line;
  }
  std::size_t offset() const { return std::min(offset_, text_.size()); }
  [[noreturn]] void fail(std::string_view what) const {
    throw DataError(fmt::format("{}:{}: {}; get the original file of METEOR 1.5", file_, number_, what));
  }

 private:
  std::string_view text_;
  std::string_view file_;
  std::size_t offset_ = 0;
  std::size_t number_ = 0;
};

// Gives texts their keys, and makes sure that no two texts have the same one.
class Keys {
 public:
  WordKey word(std::string_view word, const Lines& lines) {
    const WordKey key = word_key(word);
    add(words_, key, word, lines);
    return key;
  }
  PhraseKey phrase(std::string_view phrase, const Lines& lines) {
    const PhraseKey key = phrase_key(phrase);
    if (!add(phrases_, key, phrase, lines)) return key;
    const auto words = split_list(phrase, ' ');
    const auto spaces = static_cast<std::size_t>(std::count(phrase.begin(), phrase.end(), ' '));
    if (words.size() != spaces + 1) lines.fail("found no phrase of words with single spaces between them");
    for (const std::string_view word : words) add(words_, word_key(word), word, lines);
    longest_phrase_ = std::max(longest_phrase_, words.size());
    return key;
  }
  std::size_t longest_phrase() const { return longest_phrase_; }

 private:
  using Texts = tsl::robin_map<std::uint64_t, std::string_view, IntegerHash>;

  // Says whether the text is new.
  static bool add(Texts& texts, std::uint64_t key, std::string_view text, const Lines& lines) {
    const auto [place, is_new] = texts.try_emplace(key, text);
    if (key == 0) lines.fail(fmt::format("'{}' has the key 0, which stands for none", excerpt(text)));
    if (!is_new && place->second != text) {
      lines.fail(fmt::format("'{}' and '{}' have the same key, so they cannot be told apart", excerpt(text),
                             excerpt(place->second)));
    }
    return is_new;
  }

  Texts words_;
  Texts phrases_;
  std::size_t longest_phrase_ = 0;
};

// Lists that grow, each made when its key is first seen.
template <class T>
class GrowingLists {
 public:
  std::vector<T>& operator[](std::uint64_t key) {
    const auto [place, is_new] = places_.try_emplace(key, lists_.size());
    if (is_new) lists_.push_back({key, {}});
    return lists_[place->second].second;
  }
  std::vector<KeyedList<T>> take() { return std::move(lists_); }

 private:
  tsl::robin_map<std::uint64_t, std::size_t, IntegerHash> places_;
  std::vector<KeyedList<T>> lists_;
};

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\f\v";
  const std::size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

std::vector<KeyedList<std::uint32_t>> read_synsets(std::string_view text, Keys& keys) {
  Lines lines(text, "english.synsets");
  GrowingLists<std::uint32_t> synsets;
  std::string_view word;
  while (lines.next(word)) {
    if (word.empty()) lines.fail("found an empty line, expected a word");
    std::vector<std::uint32_t>& own = synsets[keys.word(word, lines)];
    for (const std::string_view number : split_list(lines.need("a list of synsets"), ' ')) {
      std::uint32_t synset = 0;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), synset);
      if (error != std::errc() || end != number.data() + number.size()) {
        lines.fail(fmt::format("found '{}', expected a synset's number", excerpt(number)));
      }
      own.push_back(synset);
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return synsets.take();
}

std::vector<KeyedList<WordKey>> read_exceptions(std::string_view text, Keys& keys) {
  Lines lines(text, "english.exceptions");
  GrowingLists<WordKey> bases;
  std::string_view base;
  while (lines.next(base)) {
    if (base.empty()) lines.fail("found an empty line, expected a base form");
    const WordKey base_key = keys.word(base, lines);
    for (const std::string_view form : split_list(lines.need("a list of irregular forms"), ' ')) {
      bases[keys.word(form, lines)].push_back(base_key);
    }
  }
  return bases.take();
}

std::vector<KeyedList<std::uint8_t>> read_function_words(std::string_view text, Keys& keys) {
  Lines lines(text, "english.words");
  GrowingLists<std::uint8_t> words;
  std::string_view line;
  while (lines.next(line)) {
    if (const std::string_view word = trim(line); !word.empty()) words[keys.word(word, lines)];
  }
  return words.take();
}

std::vector<KeyedList<std::uint8_t>> read_prefixes(std::string_view text, Keys& keys) {
  Lines lines(text, "english.prefixes");
  GrowingLists<std::uint8_t> prefixes;
  std::string_view line;
  while (lines.next(line)) {
    const std::size_t comment = std::min(line.find('#'), line.size());
    const std::string_view prefix = trim(line.substr(0, comment));
    if (prefix.empty()) continue;
    const bool numeric = line.substr(comment).starts_with("#NUMERIC_ONLY#");
    std::vector<std::uint8_t>& kind = prefixes[keys.word(prefix, lines)];
    if (kind.empty() || !numeric) kind = {static_cast<std::uint8_t>(numeric ? 1 : 0)};
  }
  return prefixes.take();
}

// Every beginning of a phrase is a key too, so that a search for phrases knows when to stop.
void add_beginnings(std::string_view phrase, GrowingLists<PhraseKey>& paraphrases, Keys& keys,
                    const Lines& lines) {
  for (std::size_t space = phrase.find(' '); space != std::string_view::npos;
       space = phrase.find(' ', space + 1))
    paraphrases[keys.phrase(phrase.substr(0, space), lines)];
}

std::vector<KeyedList<PhraseKey>> read_paraphrases(std::string_view text, Keys& keys,
                                                   const Progress& progress) {
  constexpr std::size_t kSteps = 100;
  Lines lines(text, "paraphrase-en");
  GrowingLists<PhraseKey> paraphrases;
  std::size_t step = 0;
  std::optional<std::string_view> last;  // a phrase's paraphrases mostly follow each other
  PhraseKey key = kEmptyPhrase;
  std::string_view probability;
  while (lines.next(probability)) {
    const std::string_view phrase = lines.need("a phrase");
    if (phrase != last) {
      last = phrase;
      key = keys.phrase(phrase, lines);
      add_beginnings(phrase, paraphrases, keys, lines);
    }
    paraphrases[key].push_back(keys.phrase(lines.need("a paraphrase"), lines));
    for (const std::size_t done = lines.offset() * kSteps / text.size(); step < done; ++step) {
      if (progress) progress("converting", step + 1, kSteps);
    }
  }
  return paraphrases.take();
}

}  // namespace

void convert_meteor(const MeteorSources& sources, const std::string& path, const Progress& progress) {
  MeteorData::Tables tables;
  Keys keys;
  tables.synsets = read_synsets(sources.synsets, keys);
  tables.bases = read_exceptions(sources.exceptions, keys);
  tables.function_words = read_function_words(sources.function_words, keys);
  tables.abbreviations = read_prefixes(sources.prefixes, keys);
  tables.paraphrases = read_paraphrases(sources.paraphrases, keys, progress);
  tables.longest_phrase = keys.longest_phrase();
  MeteorData::write(path, std::move(tables));
}

}  // namespace capella::resource
