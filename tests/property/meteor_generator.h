// Sentences and paraphrase tables at random for METEOR and its slow twin.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "property/corpus_generator.h"
#include "reference/meteor_reference.h"
#include "reference/meteor_small_lexicon.h"
#include "support/small_meteor_data.h"

namespace capella::test {

/// The same knowledge twice: as the twin has it and as the metric has it.
class MeteorLexicon {
 public:
  explicit MeteorLexicon(const std::string& paraphrases)
      : words_(reference::read_meteor_words(reference::small_meteor_files(paraphrases))),
        data_(paraphrases) {}

  const reference::MeteorWords& words() const { return words_; }
  const resource::MeteorData& data() const { return data_.get(); }

 private:
  reference::MeteorWords words_;
  SmallMeteorData data_;
};

/// A few words of the small English, so that they come again and again.
inline rc::Gen<std::vector<std::string>> word_pool() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 13), [](std::size_t size) {
    return rc::gen::container<std::vector<std::string>>(
        size, rc::gen::elementOf(reference::small_meteor_vocabulary()));
  });
}

inline rc::Gen<std::string> phrase_of(const std::vector<std::string>& pool, std::size_t least,
                                      std::size_t most) {
  return rc::gen::mapcat(rc::gen::inRange(least, most + 1), [=](std::size_t length) {
    return rc::gen::map(rc::gen::container<std::vector<std::string>>(length, rc::gen::elementOf(pool)),
                        [](const std::vector<std::string>& words) {
                          std::string phrase;
                          for (const std::string& word : words) phrase += (phrase.empty() ? "" : " ") + word;
                          return phrase;
                        });
  });
}

/// Mostly as long as captions are.
inline rc::Gen<std::string> sentence_of(const std::vector<std::string>& pool) {
  return rc::gen::weightedOneOf<std::string>(
      {{8, phrase_of(pool, 1, 12)}, {1, rc::gen::just(std::string())}, {1, phrase_of(pool, 13, 30)}});
}

/// Items with one to five references, all over the pool.
inline rc::Gen<Corpus> meteor_items(const std::vector<std::string>& pool, std::size_t most) {
  const auto sentence = sentence_of(pool);
  const auto references = rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 6), [=](std::size_t count) {
    return rc::gen::container<std::vector<std::string>>(count, sentence);
  });
  const auto item = rc::gen::construct<reference::Item>(sentence, references);
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, most + 1),
                         [=](std::size_t count) { return rc::gen::container<Corpus>(count, item); });
}

/// A paraphrase table as METEOR writes it; phrases of up to four words, and some entries twice.
inline rc::Gen<std::string> paraphrase_table(const std::vector<std::string>& pool) {
  const auto phrase =
      rc::gen::weightedOneOf<std::string>({{3, phrase_of(pool, 1, 2)}, {1, phrase_of(pool, 3, 4)}});
  const auto entry = rc::gen::pair(phrase, phrase);
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 13), [=](std::size_t count) {
    return rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, std::string>>>(count, entry),
                        [](const std::vector<std::pair<std::string, std::string>>& entries) {
                          std::string table;
                          for (std::size_t i = 0; i < entries.size(); ++i) {
                            const std::string text = entries[i].first + '\n' + entries[i].second + '\n';
                            table += "0.5\n" + text;
                            if (i % 5 == 4) table += "0.25\n" + text;
                          }
                          return table;
                        });
  });
}

/// Pieces that the normaliser's rules fight over, put together at random.
inline rc::Gen<std::string> raw_caption() {
  static const std::vector<std::string> kPieces = {
      "a",      "b",      "s",      "A",        "dog",        "dogs",    "The",    "Mr",     "Dr.",
      "No",     "No.",    "pp.",    "St.",      "vs.",        "i.e.",    "U.S.",   "p.m.",   "1",
      "20",     "1,000",  "3.5",    "'90s",     " ",          " ",       " ",      " ",      "  ",
      "\t",     "\v",     "\f",     "\r",       "\n",         ".",       ".",      "..",     "...",
      ". ",     ".\" ",   ",",      ",",        ", ",         "-",       "-",      "--",     "---",
      "'",      "'",      "''",     "'s",       "n't",        "`",       "``",     "\"",     "(",
      ")",      "/",      "#",      "$",        "%",          "&",       "!",      "?",      ":",
      ";",      "_",      "*",      "+",        "|",          "|||",     "~",      "\\",     "\x01",
      "\x1F",   "\x7F",   "DOT",    "DOTMULTI", "DOTMULTI.",  "t-shirt", "-lrb-",  "é",      "É",
      "Š",      "ŸŽ",     "Ø",      "ß",        "Ж",          "я",       "ё",      "Ω",      "\u0085",
      "\u00A0", "\u00AD", "\u00D7", "\u00F7",   "\u00BD",     "\u017F",  "\u2003", "\u2009", "\u200B",
      "\u202F", "\u205F", "\u3000", "\u2013",   "\u2014",     "\u2018",  "\u2019", "\u201C", "\u201D",
      "\u2026", "\u20AC", "\u1D00", "\u65E5",   "\U0001F436", "\uFFFD"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& piece : pieces) text += piece;
                        return text;
                      });
}

}  // namespace capella::test
