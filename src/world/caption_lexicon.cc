#include "world/caption_lexicon.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace capella::world {
namespace {

using PieceKind = Piece::Kind;
using Lexicon = std::map<std::string, Piece, std::less<>>;

void put(Lexicon& lexicon, std::string_view phrase, Piece piece) {
  if (phrase.empty()) return;
  piece.words = static_cast<std::size_t>(std::count(phrase.begin(), phrase.end(), ' ')) + 1;
  lexicon.emplace(phrase, std::move(piece));
}

void put_nouns(Lexicon& lexicon) {
  const auto add = [&](std::string_view word, Class id, bool plural) {
    Piece& piece = lexicon[std::string(word)];
    piece.kind = PieceKind::noun;
    piece.plural = piece.plural || plural;
    if (std::find(piece.classes.begin(), piece.classes.end(), id) == piece.classes.end())
      piece.classes.push_back(id);
  };
  for (std::size_t c = 0; c < kClasses; ++c) {
    const ClassInfo& about = info(static_cast<Class>(c));
    for (std::size_t i = 0; i < about.noun_count(); ++i) {
      add(about.nouns[i].singular, about.id, false);
      add(about.nouns[i].plural, about.id, true);
    }
  }
}

void put_attributes(Lexicon& lexicon) {
  const auto add = [&](std::string_view word, std::string_view value) {
    put(lexicon, word, {.kind = PieceKind::attribute, .value = std::string(value)});
  };
  for (std::size_t c = 0; c < kColours; ++c) add(name(static_cast<Colour>(c)), name(static_cast<Colour>(c)));
  for (const Pattern pattern : {Pattern::striped, Pattern::spotted}) add(name(pattern), name(pattern));
  for (const Size size : {Size::small, Size::large}) {
    for (const std::string_view word : size_words(size)) add(word, name(size));
  }
}

void put_predicates(Lexicon& lexicon) {
  for (std::size_t p = 0; p < kPredicates; ++p) {
    const PredicateInfo& about = info(static_cast<Predicate>(p));
    for (std::size_t i = 0; i < about.wording_count(); ++i) {
      const Wording& wording = about.wordings[i];
      Piece piece{.kind = PieceKind::predicate, .predicate = about.id};
      piece.in_phrase = wording.gerund == "in" || wording.gerund == "wearing";
      put(lexicon, wording.gerund, piece);
      piece.in_phrase = false;
      piece.finite = true;
      put(lexicon, wording.third, piece);
      put(lexicon, wording.plural, piece);
      piece.passive = true;
      put(lexicon, wording.passive, piece);
    }
  }
}

void put_settings(Lexicon& lexicon) {
  for (std::size_t s = 0; s < kSettings; ++s) {
    const SettingInfo& about = info(static_cast<Setting>(s));
    const Piece piece{.kind = PieceKind::setting, .setting = about.id};
    put(lexicon, about.label, piece);
    for (const std::string_view phrase : about.phrases) put(lexicon, phrase, piece);
  }
}

Lexicon make_lexicon() {
  Lexicon lexicon;
  put_nouns(lexicon);
  put_attributes(lexicon);
  put_predicates(lexicon);
  put_settings(lexicon);
  for (const char* word : {"a", "an", "the"}) put(lexicon, word, {.kind = PieceKind::article});
  put(lexicon, "two", {.kind = PieceKind::number, .value = "2"});
  put(lexicon, "three", {.kind = PieceKind::number, .value = "3"});
  for (const char* words : {"there is", "there are"}) put(lexicon, words, {.kind = PieceKind::there});
  for (const char* word : {"is", "are", "being"}) put(lexicon, word, {.kind = PieceKind::auxiliary});
  for (const char* word : {"and", "while"}) put(lexicon, word, {.kind = PieceKind::joiner});
  put(lexicon, "with", {.kind = PieceKind::with});
  return lexicon;
}

}  // namespace

Piece next_piece(std::span<const std::string> words) {
  static const Lexicon lexicon = make_lexicon();
  static const std::size_t longest =
      std::max_element(lexicon.begin(), lexicon.end(), [](const auto& one, const auto& other) {
        return one.second.words < other.second.words;
      })->second.words;
  Piece best;
  std::string phrase;
  for (std::size_t i = 0; i < std::min(longest, words.size()); ++i) {
    phrase += (i == 0 ? "" : " ") + words[i];
    const auto found = lexicon.find(phrase);
    if (found != lexicon.end()) best = found->second;
  }
  return best;
}

}  // namespace capella::world
