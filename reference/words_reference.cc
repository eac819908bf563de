#include "reference/words_reference.h"

#include <cctype>
#include <set>

namespace capella::reference {
namespace {

// Letters and numbers from U+00A0 to U+00FF, as Python's str.isalnum() has them.
const std::string kLatin1 =
    "\u00AA\u00B2\u00B3\u00B5\u00B9\u00BA\u00BC\u00BD\u00BE"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ";

bool is_word_character(const std::string& character) {
  if (character.size() == 1)
    return std::isalnum(static_cast<unsigned char>(character[0])) != 0 || character == "_";
  return kLatin1.find(character) != std::string::npos;
}

// The maximal runs of characters for which `belongs` holds.
template <class Belongs>
std::vector<std::string> runs(const std::string& text, Belongs belongs) {
  std::vector<std::string> found;
  std::string run;
  for (const std::string& character : characters(text)) {
    if (belongs(character)) {
      run += character;
    } else if (!run.empty()) {
      found.push_back(run);
      run.clear();
    }
  }
  if (!run.empty()) found.push_back(run);
  return found;
}

}  // namespace

std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> all;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (continues) {
      all.back() += c;
    } else {
      all.emplace_back(1, c);
    }
  }
  return all;
}

bool is_space(const std::string& character) {
  static const std::set<std::string> kSpaces = {
      " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\x1C",   "\x1D",   "\x1E",   "\x1F",
      "\u0085", "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
      "\u2007", "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};
  return kSpaces.contains(character);
}

std::vector<std::string> python_words(const std::string& text) {
  return runs(text, [](const std::string& character) { return !is_space(character); });
}

std::vector<std::string> space_pieces(const std::string& text) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == ' ') {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

std::vector<std::string> word_runs(const std::string& text) {
  return runs(text, is_word_character);
}

std::vector<std::string> ngrams(const std::vector<std::string>& words, std::size_t n) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i + n <= words.size(); ++i) {
    std::string ngram = words[i];
    for (std::size_t j = i + 1; j < i + n; ++j) ngram += "\n" + words[j];
    all.push_back(ngram);
  }
  return all;
}

}  // namespace capella::reference
