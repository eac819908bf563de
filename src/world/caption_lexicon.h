// The words of captions, seen from the reader's side: every form of every word of the vocabulary, phrases
// ("on top of", "is being chased by") as one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "world/vocabulary.h"

namespace capella::world {

/// A word or phrase and what it stands for.
struct Piece {
  enum class Kind : std::uint8_t {
    unknown,
    article,
    number,
    attribute,
    noun,
    predicate,
    setting,
    there,      ///< "there is"
    auxiliary,  ///< "is", "being"
    joiner,     ///< "and", "while"
    with
  };
  Kind kind = Kind::unknown;
  std::size_t words = 1;
  std::string value = {};           ///< of an attribute or number
  std::vector<Class> classes = {};  ///< that a noun may mean
  bool plural = false;              ///< a noun that needs no article
  Predicate predicate = Predicate::on;
  bool passive = false;    ///< "chased by"
  bool finite = false;     ///< "chases", "is on": makes a sentence
  bool in_phrase = false;  ///< can stand inside a noun phrase: "in" and "wearing" before clothes
  Setting setting = Setting::park;
};

/// The longest phrase that the words begin with. There must be a word.
Piece next_piece(std::span<const std::string> words);

}  // namespace capella::world
