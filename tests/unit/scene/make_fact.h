// Facts written short.
#pragma once

#include <string>
#include <utility>

#include "scene/facts.h"

namespace capella::scene {

inline Fact object(std::string word) {
  return {Fact::Kind::object, std::move(word), "", ""};
}
inline Fact attribute(std::string word, std::string attribute) {
  return {Fact::Kind::attribute, std::move(word), std::move(attribute), ""};
}
inline Fact relation(std::string subject, std::string words, std::string object) {
  return {Fact::Kind::relation, std::move(subject), std::move(words), std::move(object)};
}

}  // namespace capella::scene
