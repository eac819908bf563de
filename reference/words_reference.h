// The ways in which the reference programs cut text, one character at a time.
#pragma once

#include <string>
#include <vector>

namespace capella::reference {

/// The characters of valid UTF-8, each as its own string.
std::vector<std::string> characters(const std::string& text);

/// Whether Python's str.isspace() holds for the character.
bool is_space(const std::string& character);

/// Python's str.split().
std::vector<std::string> python_words(const std::string& text);

/// Python's str.split(" ").
std::vector<std::string> space_pieces(const std::string& text);

/// Python's re.findall(r"\w+", text), for text whose letters and numbers lie below U+0100.
std::vector<std::string> word_runs(const std::string& text);

/// The n-grams of a list of words, each joined by line feeds, in the order in which they stand.
std::vector<std::string> ngrams(const std::vector<std::string>& words, std::size_t n);

}  // namespace capella::reference
