// What METEOR knows of English, in plain maps read from its own text files.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace capella::reference {

/// Words are lists of characters, so that one character is one element.
using MeteorWord = std::u32string;
using MeteorPhrase = std::vector<MeteorWord>;

struct MeteorParaphrase {
  MeteorPhrase source;
  MeteorPhrase target;
};

struct MeteorWords {
  std::map<MeteorWord, std::set<std::uint32_t>> synsets;
  std::map<MeteorWord, std::set<MeteorWord>> bases;  ///< of irregular forms
  std::set<MeteorWord> function_words;
  std::set<MeteorWord> prefixes;              ///< a full stop behind one of these never ends a sentence
  std::set<MeteorWord> numeric_prefixes;      ///< nor behind one of these if a number follows
  std::vector<MeteorParaphrase> paraphrases;  ///< in the order of the file
};

/// The content of METEOR's files, unpacked.
struct MeteorFiles {
  std::string synsets;         ///< a word, then its synsets, line by line
  std::string exceptions;      ///< a base form, then its irregular forms, line by line
  std::string function_words;  ///< one per line
  std::string prefixes;        ///< one per line, # begins a comment
  std::string paraphrases;     ///< probability, phrase, paraphrase, line by line
};

MeteorWords read_meteor_words(const MeteorFiles& files);

/// UTF-8 to characters and back.
MeteorWord to_meteor_word(std::string_view text);
std::string to_utf8(const MeteorWord& word);

/// The parts between spaces, tabs, line feeds, carriage returns and form feeds.
MeteorPhrase split_meteor_words(const std::u32string& text);

}  // namespace capella::reference
