// Random corpora over few words, so that captions and references have much in common.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "reference/item.h"

namespace capella::reference {

inline void showValue(const Item& item, std::ostream& out) {
  out << "{\"" << item.caption << "\"; ";
  for (const std::string& reference : item.references) out << '"' << reference << "\" ";
  out << '}';
}

}  // namespace capella::reference

namespace capella::test {

using Corpus = std::vector<reference::Item>;

/// Mostly as long as captions are; sometimes nothing, one word, or several machine words' worth of bits.
inline rc::Gen<int> caption_length() {
  return rc::gen::weightedOneOf<int>({{8, rc::gen::inRange(2, 10)},
                                      {1, rc::gen::just(0)},
                                      {2, rc::gen::just(1)},
                                      {1, rc::gen::inRange(41, 150)}});
}

/// Words, each followed by one of `separators`; the last separator stays if `ragged`.
inline rc::Gen<std::string> caption_of(std::vector<std::string> words, std::vector<std::string> separators,
                                       bool ragged) {
  return rc::gen::mapcat(caption_length(), [=](int length) {
    const auto part = rc::gen::pair(rc::gen::elementOf(words), rc::gen::elementOf(separators));
    return rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
                            static_cast<std::size_t>(length), part),
                        [=](const std::vector<std::pair<std::string, std::string>>& parts) {
                          std::string text;
                          for (std::size_t i = 0; i < parts.size(); ++i) {
                            text += parts[i].first;
                            if (ragged || i + 1 < parts.size()) text += parts[i].second;
                          }
                          return text;
                        });
  });
}

/// Plain lower-case words with single spaces between them.
inline rc::Gen<std::string> plain_caption() {
  return caption_of({"a", "dog", "cat", "runs", "on", "grass"}, {" "}, false);
}

/// Text that the programs cut in different ways: double and no-break spaces, tabs, marks and letters beyond
/// ASCII.
inline rc::Gen<std::string> ragged_caption() {
  return caption_of(
      {"a", "a", "dog", "dog", "cat", "runs", "on", "x\u00A0y", "café", "o'clock", "-", "dog.", "(cat"},
      {" ", " ", " ", " ", " ", "  ", "\u00A0", "\t", "\u3000 "}, true);
}

inline rc::Gen<Corpus> corpus_of(const rc::Gen<std::string>& caption) {
  const auto references = rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 5), [=](std::size_t count) {
    return rc::gen::container<std::vector<std::string>>(count, caption);
  });
  const auto item = rc::gen::construct<reference::Item>(caption, references);
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 13),
                         [=](std::size_t count) { return rc::gen::container<Corpus>(count, item); });
}

inline rc::Gen<Corpus> plain_corpus() {
  return corpus_of(plain_caption());
}
inline rc::Gen<Corpus> ragged_corpus() {
  return corpus_of(ragged_caption());
}

}  // namespace capella::test
