#include "reference/meteor_reference_normalizer.h"

#include <string_view>

namespace capella::reference {
namespace {

using Text = std::u32string;
using View = std::u32string_view;

bool within(char32_t c, char32_t first, char32_t last) {
  return first <= c && c <= last;
}
bool is_digit(char32_t c) {
  return within(c, U'0', U'9');
}
bool is_letter(char32_t c) {
  return within(c, U'A', U'Z') || within(c, U'a', U'z') || View(U"ŠŽšžŸ").find(c) != View::npos ||
         within(c, U'À', U'Ö') || within(c, U'Ø', U'ö') || within(c, U'ø', U'ž') || within(c, 0x400, 0x527) ||
         within(c, 0xA640, 0xA66E) || within(c, 0xA67E, 0xA697) || within(c, 0x1D00, 0x1D7F);
}
bool is_letter_or_digit(char32_t c) {
  return is_letter(c) || is_digit(c);
}
bool is_white_space(char32_t c) {
  return View(U" \t\n\v\f\r").find(c) != View::npos;
}

bool any_but_digit(char32_t c) {
  return !is_digit(c);
}
bool any_but_letter(char32_t c) {
  return !is_letter(c);
}
bool neither_letter_nor_digit(char32_t c) {
  return !is_letter_or_digit(c);
}
bool before_hyphen(char32_t c) {
  return is_letter_or_digit(c) || c == U'.';
}
bool is_small_s(char32_t c) {
  return c == U's';
}

Text replace_all(const Text& text, View what, View by) {
  Text out;
  for (std::size_t i = 0; i < text.size();) {
    if (View(text).substr(i, what.size()) == what) {
      out += by;
      i += what.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

/// One pass from left to right: x `mark` y becomes x `by` y; where a match ends, the next may begin.
template <class Before, class After>
Text replace_between(const Text& text, Before before, char32_t mark, After after, View by) {
  Text out;
  for (std::size_t i = 0; i < text.size();) {
    if (i + 2 < text.size() && before(text[i]) && text[i + 1] == mark && after(text[i + 2])) {
      out += text[i];
      out += by;
      out += text[i + 2];
      i += 3;
    } else {
      out += text[i++];
    }
  }
  return out;
}

Text space_symbols(const Text& text) {
  Text out;
  for (const char32_t c : text) {
    const bool stays =
        is_letter_or_digit(c) || is_white_space(c) || View(U".'`,-\u2018\u2019").find(c) != View::npos;
    if (stays) {
      out += c;
    } else {
      out += U' ';
      out += c;
      out += U' ';
    }
  }
  return out;
}

/// Two or more dots: the first becomes " DOTMULTI".
Text mark_first_dots(const Text& text) {
  Text out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != U'.' || i + 1 == text.size() || text[i + 1] != U'.') {
      out += text[i++];
      continue;
    }
    out += U" DOTMULTI";
    for (++i; i < text.size() && text[i] == U'.'; ++i) out += U'.';
  }
  return out;
}

/// "DOTMULTI." and a character that is no dot: "DOTDOTMULTI " and that character.
Text mark_last_dots(const Text& text) {
  constexpr View kMark = U"DOTMULTI.";
  Text out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t next = i + kMark.size();
    if (View(text).substr(i, kMark.size()) == kMark && next < text.size() && text[next] != U'.') {
      out += U"DOTDOTMULTI ";
      out += text[next];
      i = next + 1;
    } else {
      out += text[i++];
    }
  }
  return out;
}

Text hide_dots(Text text) {
  text = mark_first_dots(text);
  while (text.find(U"DOTMULTI.") != Text::npos)
    text = replace_all(mark_last_dots(text), U"DOTMULTI.", U"DOTDOTMULTI");
  return text;
}

Text show_dots(Text text) {
  while (text.find(U"DOTDOTMULTI") != Text::npos) text = replace_all(text, U"DOTDOTMULTI", U"DOTMULTI.");
  return replace_all(text, U"DOTMULTI", U".");
}

Text space_commas(Text text) {
  text = replace_between(text, any_but_digit, U',', any_but_digit, U" , ");
  text = replace_between(text, is_digit, U',', any_but_digit, U" , ");
  return replace_between(text, any_but_digit, U',', is_digit, U" , ");
}

Text unify_quotes(Text text) {
  for (const View quote : {U"`", U"\u2018", U"\u2019"}) text = replace_all(text, quote, U"'");
  for (const View quote : {U"\u201C", U"\u201D", U"''"}) text = replace_all(text, quote, U" \" ");
  return text;
}

Text cut_hyphens(Text text) {
  text = replace_all(text, U"\u2013", U"-");
  text = replace_all(text, U"--", U"-");
  return replace_between(text, before_hyphen, U'-', is_letter_or_digit, U" ");
}

Text cut_apostrophes(Text text) {
  text = replace_between(text, any_but_letter, U'\'', any_but_letter, U" ' ");
  text = replace_between(text, neither_letter_nor_digit, U'\'', is_letter, U" ' ");
  text = replace_between(text, is_letter, U'\'', any_but_letter, U" ' ");
  text = replace_between(text, is_letter, U'\'', is_letter, U" '");
  return replace_between(text, is_digit, U'\'', is_small_s, U" '");
}

/// What becomes of a word that ends with a full stop.
Text cut_full_stop(const MeteorWord& word, const MeteorWord& next, const MeteorWords& words) {
  const MeteorWord part = word.substr(0, word.size() - 1);
  bool has_letter = false;
  for (const char32_t c : part) has_letter = has_letter || is_letter(c);
  if (part.find(U'.') != Text::npos && has_letter) return replace_all(part, U".", U"");
  if (words.prefixes.contains(part)) return word;
  if (!next.empty() && within(next[0], U'a', U'z')) return word;
  if (words.numeric_prefixes.contains(part) && !next.empty() && is_digit(next[0])) return word;
  return part + U" .";
}

Text cut_full_stops(const Text& text, const MeteorWords& words) {
  const MeteorPhrase parts = split_meteor_words(text);
  Text out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MeteorWord next = i + 1 < parts.size() ? parts[i + 1] : MeteorWord();
    if (i > 0) out += U' ';
    out += parts[i].size() > 1 && parts[i].ends_with(U'.') ? cut_full_stop(parts[i], next, words) : parts[i];
  }
  return out;
}

Text tidy_spaces(const Text& text) {
  Text out;
  for (const char32_t c : text) {
    const bool space =
        c == U' ' || c == 0xA0 || within(c, 0x2000, 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
    if (!space) {
      out += c;
    } else if (!out.ends_with(U' ')) {
      out += U' ';
    }
  }
  return meteor_trim(out);
}

/// Capital and small letter beside each other, the capital on an even number or on an odd one.
bool pairs_from_even(char32_t c) {
  return within(c, 0x100, 0x137) || within(c, 0x14A, 0x177) || within(c, 0x460, 0x481) ||
         within(c, 0x48A, 0x4BF) || within(c, 0x4D0, 0x52F);
}
bool pairs_from_odd(char32_t c) {
  return within(c, 0x139, 0x148) || within(c, 0x179, 0x17E) || within(c, 0x4C1, 0x4CE);
}

char32_t lower(char32_t c) {
  if (within(c, U'A', U'Z') || within(c, 0xC0, 0xD6) || within(c, 0xD8, 0xDE)) return c + 32;
  if (c == 0x130) return U'i';
  if (c == 0x178) return 0xFF;
  if (c == 0x386) return 0x3AC;
  if (within(c, 0x388, 0x38A)) return c + 37;
  if (c == 0x38C) return 0x3CC;
  if (c == 0x38E || c == 0x38F) return c + 63;
  if (within(c, 0x391, 0x3A1) || within(c, 0x3A3, 0x3AB)) return c + 32;
  if (within(c, 0x400, 0x40F)) return c + 80;
  if (within(c, 0x410, 0x42F)) return c + 32;
  if (c == 0x4C0) return 0x4CF;
  if (pairs_from_even(c)) return c % 2 == 0 ? c + 1 : c;
  if (pairs_from_odd(c)) return c % 2 == 1 ? c + 1 : c;
  return c;
}

}  // namespace

std::u32string meteor_trim(std::u32string text) {
  while (!text.empty() && text.back() <= U' ') text.pop_back();
  while (!text.empty() && text.front() <= U' ') text.erase(0, 1);
  return text;
}

std::u32string meteor_normalize(const std::u32string& line, const MeteorWords& words) {
  Text text = U" " + line + U" ";
  text = space_symbols(text);
  text = hide_dots(text);
  text = space_commas(text);
  text = unify_quotes(text);
  text = cut_hyphens(text);
  text = cut_apostrophes(text);
  text = cut_full_stops(text, words);
  text = show_dots(text);
  return tidy_spaces(text);
}

std::u32string meteor_lower_case(const std::u32string& text) {
  Text out;
  for (const char32_t c : text) {
    out += lower(c);
    if (c == 0x130) out += char32_t{0x307};
  }
  return out;
}

bool knows_case(char32_t c) {
  return c < 0x180 || within(c, 0x386, 0x3CE) || within(c, 0x400, 0x52F) || within(c, 0x2000, 0x206F) ||
         within(c, 0x3000, 0x303F) || within(c, 0x1F300, 0x1F6FF);
}

MeteorPhrase meteor_words(const std::u32string& line, const MeteorWords& words) {
  return split_meteor_words(meteor_lower_case(meteor_normalize(line, words)));
}

}  // namespace capella::reference
