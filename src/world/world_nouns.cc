#include "world/world_nouns.h"

#include <array>
#include <string>

namespace capella::world {
namespace {

std::size_t classes_called(std::string_view noun) {
  std::size_t count = 0;
  for (std::size_t c = 0; c < kClasses; ++c) {
    const ClassInfo& of = info(static_cast<Class>(c));
    for (std::size_t i = 0; i < of.noun_count(); ++i) count += of.nouns[i].singular == noun ? 1 : 0;
  }
  return count;
}

struct Texts {
  std::string nouns;
  std::string hints;
};

Texts texts_of(const ClassInfo& of) {
  Texts texts;
  for (std::size_t i = 0; i < of.noun_count(); ++i) {
    const auto& [singular, plural] = of.nouns[i];
    if (classes_called(singular) > 1) {
      texts.hints += std::string(singular) + ',' + std::string(plural) + ',';
    } else {
      // A "sheep" may be one or many.
      const std::string_view star = singular == plural ? "*" : "";
      texts.nouns +=
          std::string(star) + std::string(singular) + '/' + std::string(star) + std::string(plural) + ',';
    }
  }
  return texts;
}

// What is a bird may be called so.
void add_general(std::array<Texts, kClasses>& texts) {
  for (std::size_t special = 0; special < kClasses; ++special) {
    for (std::size_t general = 0; general < kClasses; ++general) {
      if (special == general || !is_a(static_cast<Class>(special), static_cast<Class>(general))) continue;
      for (const Noun& noun : info(static_cast<Class>(special)).nouns) {
        if (!noun.singular.empty())
          texts[general].hints += std::string(noun.singular) + ',' + std::string(noun.plural) + ',';
      }
    }
  }
}

}  // namespace

FoilNouns make_world_nouns() {
  std::array<Texts, kClasses> texts;
  for (std::size_t c = 0; c < kClasses; ++c) texts[c] = texts_of(info(static_cast<Class>(c)));
  add_general(texts);
  std::vector<NounCategory> categories;
  for (std::size_t c = 0; c < kClasses; ++c)
    categories.push_back({name(info(static_cast<Class>(c)).kind), texts[c].nouns, texts[c].hints});
  return FoilNouns(categories);
}

}  // namespace capella::world
