// METEOR's own files to the one that MeteorData maps.
#pragma once

#include <string>

#include "capella/progress.h"

namespace capella::resource {

/// The content of METEOR's files, unpacked.
struct MeteorSources {
  std::string synsets;         ///< synonym/english.synsets: a word, then its synsets, line by line
  std::string exceptions;      ///< synonym/english.exceptions: a base form, then its irregular forms
  std::string function_words;  ///< function/english.words: one per line
  std::string prefixes;        ///< nonbreaking/english.prefixes: one per line, # begins a comment
  std::string paraphrases;     ///< paraphrase-en: probability, phrase, paraphrase, line by line; may be empty
};

/// Writes the file, whole or not at all. Throws DataError naming file and line for anything malformed.
void convert_meteor(const MeteorSources& sources, const std::string& path, const Progress& progress);

}  // namespace capella::resource
