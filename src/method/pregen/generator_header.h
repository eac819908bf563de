// What a generator's file says in words: JSON texts. generator_file.cc adds the arrays.
#pragma once

#include <cstdint>
#include <string>

#include "method/pregen/generator_file.h"

namespace capella::method::pregen {

/// All of the model but words and arrays; of these it holds a number that changes with every bit.
std::string header_text(const GeneratorModel& model, std::uint64_t arrays_hash);

/// What such a text says. Throws DataError that says what is wrong, without the file.
struct GeneratorHeader {
  GeneratorModel model;
  std::uint64_t arrays_hash = 0;
};
GeneratorHeader read_header(const std::string& text, const std::string& key);

std::string words_text(const Vocabulary& vocabulary);
Vocabulary read_words(const std::string& text);

/// What is wrong with a model apart from its arrays, empty if nothing is.
std::string header_problem(const GeneratorModel& model);

}  // namespace capella::method::pregen
