#include "encoder/tokenizer/piece_tokenizer.h"

#include <algorithm>

#include "base/utf8.h"
#include "encoder/tokenizer/unicode.h"

namespace capella::encoder {
namespace {

std::string_view without_space_at_end(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t position = 0; position < text.size();) {
    if (!is_space(decode_utf8(text, position))) end = position;
  }
  return text.substr(0, end);
}

std::size_t space_at_begin(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t begin = position;
    if (!is_space(decode_utf8(text, position))) return begin;
  }
  return position;
}

}  // namespace

Tokens PieceTokenizer::tokens(std::string_view text, std::size_t most) const {
  const std::size_t room = std::max<std::size_t>(most, 2) - 1;
  Tokens made;
  made.ids.push_back(parts_.first);
  if (is_ascii(text))
    append_text(text, made.ids);
  else
    append_text(valid_utf8(text), made.ids);
  if (made.ids.size() > room) {
    made.left_out = made.ids.size() - room;
    made.ids.resize(room);
  }
  made.ids.push_back(parts_.last);
  return made;
}

void PieceTokenizer::append_text(std::string_view text, std::vector<TokenId>& out) const {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const SpecialToken* special = special_at(text.substr(at));
    if (special == nullptr) {
      ++at;
      continue;
    }
    const std::string_view part = text.substr(begin, at - begin);
    append_part(special->takes_space_before ? without_space_at_end(part) : part, out);
    out.push_back(special->id);
    at += special->text.size();
    if (special->takes_space_behind) at += space_at_begin(text.substr(at));
    begin = at;
  }
  append_part(text.substr(begin), out);
}

const SpecialToken* PieceTokenizer::special_at(std::string_view text) const {
  const SpecialToken* longest = nullptr;
  for (const SpecialToken& special : parts_.specials) {
    if (text.starts_with(special.text) && (longest == nullptr || special.text.size() > longest->text.size()))
      longest = &special;
  }
  return longest;
}

}  // namespace capella::encoder
