#include "world/challenge/parsed_caption.h"

#include <algorithm>

#include "base/ascii.h"
#include "world/english.h"
#include "world/rewrite.h"

namespace capella::world::challenge {
namespace {

constexpr std::size_t kFewestWords = 3;

bool is_ascii_letter(char c) {
  return is_letter(c) && static_cast<unsigned char>(c) < 0x80;
}

bool is_plain_word(std::string_view word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return is_ascii_letter(c) || c == '-' || c == '\''; });
}

ParsedWord parsed_word(const syntax::Token& token, std::size_t begin) {
  return {begin,
          begin + token.word.size(),
          lowered_ascii(token.word),
          token.lemma,
          token.tag,
          token.relation,
          token.head - 1};
}

bool is_modifier(const ParsedWord& word) {
  static constexpr std::string_view kTags[] = {"DT", "CD",  "JJ",  "JJR", "JJS",
                                               "NN", "NNS", "VBN", "VBG", "RB"};
  static constexpr std::string_view kRelations[] = {"det", "nummod", "amod", "compound", "advmod"};
  return is_one_of(word.tag, kTags) && is_one_of(word.relation, kRelations);
}

}  // namespace

std::optional<ParsedCaption> ParsedCaption::make(std::string_view caption,
                                                 std::span<const syntax::Tree> trees) {
  if (trees.size() != 1 || !has_small_letters(caption)) return {};
  ParsedCaption parsed;
  parsed.text_ = caption;
  std::size_t at = 0;
  const std::vector<syntax::Token>& tokens = trees[0].tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    at = std::min(caption.find_first_not_of(' ', at), caption.size());
    if (!caption.substr(at).starts_with(tokens[i].word) || tokens[i].head < 0) return {};
    const std::size_t begin = at;
    at += tokens[i].word.size();
    if (i + 1 == tokens.size() && i > 0 && tokens[i].word == ".") break;
    if (!is_plain_word(tokens[i].word) && tokens[i].word != ",") return {};
    parsed.words_.push_back(parsed_word(tokens[i], begin));
  }
  const bool whole = caption.find_first_not_of(' ', at) == std::string_view::npos;
  const auto stays = [&](const ParsedWord& word) { return word.head < static_cast<int>(parsed.size()); };
  if (!whole || parsed.size() < kFewestWords || parsed.words_.back().lower == ",") return {};
  if (!std::all_of(parsed.words_.begin(), parsed.words_.end(), stays)) return {};
  return parsed;
}

std::string ParsedCaption::phrase(std::size_t first, std::size_t last) const {
  std::string text(text_.substr(words_[first].begin, words_[last].end - words_[first].begin));
  const bool name = words_[first].tag.starts_with("NNP") || (text.size() > 1 && is_capital(text[1]));
  if (first == 0 && !name) text.front() = lower_ascii(text.front());
  return text;
}

std::optional<std::size_t> ParsedCaption::child(std::size_t head, std::string_view relation) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (depends(i, head) && words_[i].relation == relation) return i;
  }
  return {};
}

bool ParsedCaption::has_word(std::span<const std::string_view> any) const {
  return std::any_of(words_.begin(), words_.end(),
                     [&](const ParsedWord& word) { return is_one_of(word.lower, any); });
}

std::optional<BasePhrase> base_phrase(const ParsedCaption& caption, std::size_t noun) {
  const ParsedWord& word = caption[noun];
  if (!word.is_noun() || word.relation == "compound") return {};
  for (const std::string_view relation : {"nmod:poss", "neg"}) {
    if (caption.child(noun, relation)) return {};
  }
  if (noun + 1 < caption.size()) {
    const ParsedWord& next = caption[noun + 1];
    if (next.tag.starts_with("NN") || next.tag == "POS") return {};
  }
  std::size_t first = noun;
  while (first > 0) {
    const ParsedWord& before = caption[first - 1];
    const bool inside = before.head >= static_cast<int>(first) && before.head <= static_cast<int>(noun);
    if (!inside || !is_modifier(before)) break;
    --first;
  }
  // Whatever depends on the noun from further left would be torn off.
  for (std::size_t i = 0; i < first; ++i) {
    const bool own = caption.depends(i, noun) ||
                     (caption[i].head >= static_cast<int>(first) && caption[i].head < static_cast<int>(noun));
    const std::string& relation = caption[i].relation;
    if (own && relation != "case" && relation != "cop" && relation != "nsubj" && relation != "punct")
      return {};
  }
  return BasePhrase{first, noun};
}

std::optional<BasePhrase> single_phrase(const ParsedCaption& caption, std::size_t noun) {
  const bool listed =
      caption[noun].relation == "conj" || caption.child(noun, "conj") || caption.child(noun, "cc");
  if (listed || (noun + 1 < caption.size() && caption[noun + 1].tag == "CC")) return {};
  return base_phrase(caption, noun);
}

}  // namespace capella::world::challenge
