#include "text/meteor_normalizer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/replace_all.h"
#include "base/utf8.h"
#include "text/lowercase.h"

namespace capella::text {
namespace {

using resource::MeteorData;

bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

// METEOR's letters: Latin, Cyrillic, phonetic extensions; not those of other scripts.
bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return within(0xC0, 0xD6) || within(0xD8, 0xF6) || within(0xF8, 0x17E) || within(0x400, 0x527) ||
         within(0xA640, 0xA66E) || within(0xA67E, 0xA697) || within(0x1D00, 0x1D7F);
}

bool is_letter_or_digit(char32_t c) {
  return is_digit(c) || is_letter(c);
}

bool is_ascii_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Splits words; the vertical tab, though white space, does not.
bool is_separator(char32_t c) {
  return is_ascii_space(c) && c != '\v';
}

// Spaces that the last step joins to one.
bool is_wide_or_plain_space(char32_t c) {
  return c == ' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

void replace_in(std::u32string& text, std::u32string_view from, std::u32string_view to) {
  if (text.find(from) != std::u32string::npos) text = replace_all(std::u32string_view(text), from, to);
}

// Puts `middle` in place of each `mark` between a character `before` accepts and one `after` accepts. The
// three are consumed together, as by a regular expression: in "a-b-c" the second hyphen has no character
// before it.
template <class Before, class After>
void replace_between(std::u32string& text, Before before, char32_t mark, After after,
                     std::u32string_view middle) {
  if (text.find(mark) == std::u32string::npos) return;
  std::u32string out;
  std::size_t i = 0;
  while (i < text.size()) {
    if (i + 2 < text.size() && text[i + 1] == mark && before(text[i]) && after(text[i + 2])) {
      ((out += text[i]) += middle) += text[i + 2];
      i += 3;
    } else {
      out += text[i++];
    }
  }
  text = std::move(out);
}

std::u32string set_symbols_apart(std::string_view line) {
  constexpr std::u32string_view kKept = U".'`,-\u2018\u2019";
  std::u32string out = U" ";
  for (std::size_t position = 0; position < line.size();) {
    const char32_t c = decode_utf8(line, position);
    if (is_letter_or_digit(c) || is_ascii_space(c) || kKept.find(c) != std::u32string_view::npos) {
      out += c;
    } else {
      ((out += U' ') += c) += U' ';
    }
  }
  return out += U' ';
}

// A run of dots is hidden from the steps that follow as one word: DOTMULTI, with one more DOT before it for
// each further dot.
constexpr std::u32string_view kDot = U"DOT";
constexpr std::u32string_view kDots = U"DOTMULTI";

// Replaces each run of two or more dots by hide(number of dots).
template <class Hide>
void replace_runs_of_dots(std::u32string& text, Hide hide) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of(U'.', i), text.size());
    if (end - i < 2) {
      out += text[i++];
    } else {
      out += hide(end - i);
      i = end;
    }
  }
  text = std::move(out);
}

// METEOR's own steps, which also change a caption that holds the word DOTMULTI itself. Slow for long runs.
void hide_runs_of_dots_step_by_step(std::u32string& text) {
  constexpr std::u32string_view kDotsAndDot = U"DOTMULTI.";
  replace_runs_of_dots(text, [](std::size_t dots) { return U" DOTMULTI" + std::u32string(dots - 1, U'.'); });
  while (text.find(kDotsAndDot) != std::u32string::npos) {
    for (std::size_t i = text.find(kDotsAndDot); i != std::u32string::npos; i = text.find(kDotsAndDot, i)) {
      const std::size_t behind = i + kDotsAndDot.size();
      const bool last_dot = behind < text.size() && text[behind] != U'.';
      if (last_dot) text.replace(i, kDotsAndDot.size(), U"DOTDOTMULTI ");
      i = last_dot ? behind + 4 : i + 1;  // behind the character that follows: it is part of the match
    }
    replace_in(text, kDotsAndDot, U"DOTDOTMULTI");
  }
}

void hide_runs_of_dots(std::u32string& text) {
  if (text.find(kDots) != std::u32string::npos) return hide_runs_of_dots_step_by_step(text);
  replace_runs_of_dots(text, [](std::size_t dots) {
    std::u32string word = U" ";
    for (; dots > 1; --dots) word += kDot;
    return (word += kDots) += U' ';
  });
}

void show_runs_of_dots(std::u32string& text) {
  std::u32string out;
  std::size_t done = 0;
  for (std::size_t place = text.find(kDots); place != std::u32string::npos; place = text.find(kDots, done)) {
    out.append(text, done, place - done);
    std::size_t dots = 1;
    for (; out.ends_with(kDot); ++dots) out.resize(out.size() - kDot.size());
    out.append(dots, U'.');
    done = place + kDots.size();
  }
  text = out.append(text, done);
}

void set_commas_apart(std::u32string& text) {
  const auto other = [](char32_t c) { return !is_digit(c); };
  replace_between(text, other, U',', other, U" , ");
  replace_between(text, is_digit, U',', other, U" , ");
  replace_between(text, other, U',', is_digit, U" , ");
}

void unify_quotes_and_dashes(std::u32string& text) {
  for (char32_t& c : text) {
    if (c == U'`' || c == 0x2018 || c == 0x2019) c = U'\'';
  }
  replace_in(text, U"\u201C", U" \" ");
  replace_in(text, U"\u201D", U" \" ");
  replace_in(text, U"''", U" \" ");
  replace_in(text, U"\u2013", U"-");
  replace_in(text, U"--", U"-");
}

void cut_hyphens(std::u32string& text) {
  replace_between(
      text, [](char32_t c) { return is_letter_or_digit(c) || c == U'.'; }, U'-', is_letter_or_digit, U" ");
}

void cut_apostrophes(std::u32string& text) {
  const auto no_letter = [](char32_t c) { return !is_letter(c); };
  const auto neither = [](char32_t c) { return !is_letter_or_digit(c); };
  const auto is_s = [](char32_t c) { return c == U's'; };
  replace_between(text, no_letter, U'\'', no_letter, U" ' ");
  replace_between(text, neither, U'\'', is_letter, U" ' ");
  replace_between(text, is_letter, U'\'', no_letter, U" ' ");
  replace_between(text, is_letter, U'\'', is_letter, U" '");
  replace_between(text, is_digit, U'\'', is_s, U" '");
}

std::vector<std::u32string_view> split(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && !is_separator(text[i])) ++i;
    if (i > begin) words.push_back(text.substr(begin, i - begin));
    ++i;
  }
  return words;
}

bool keeps_full_stop(std::u32string_view word, std::u32string_view next, const MeteorData& data) {
  if (!next.empty() && next[0] >= 'a' && next[0] <= 'z') return true;
  std::string bytes;
  for (const char32_t c : word) append_utf8(bytes, c);
  switch (data.abbreviation(resource::word_key(bytes))) {
    case MeteorData::Abbreviation::always:
      return true;
    case MeteorData::Abbreviation::before_number:
      return !next.empty() && is_digit(next[0]);
    case MeteorData::Abbreviation::no:
      return false;
  }
  return false;
}

// Sets the full stop that ends a word apart, unless the word is an abbreviation; "U.S." loses its dots.
void append_word(std::u32string& out, std::u32string_view word, std::u32string_view next,
                 const MeteorData& data) {
  if (!out.empty()) out += U' ';
  const std::u32string_view stem = word.substr(0, word.size() - 1);
  if (stem.empty() || word.back() != U'.') {
    out += word;
  } else if (stem.find(U'.') != std::u32string_view::npos &&
             std::any_of(stem.begin(), stem.end(), is_letter)) {
    std::copy_if(word.begin(), word.end(), std::back_inserter(out), [](char32_t c) { return c != U'.'; });
  } else if (keeps_full_stop(stem, next, data)) {
    out += word;
  } else {
    (out += stem) += U" .";
  }
}

std::u32string join_spaces(std::u32string_view text) {
  std::u32string out;
  for (const char32_t c : text) {
    const bool space = is_wide_or_plain_space(c);
    if (!space || out.empty() || out.back() != U' ') out += space ? U' ' : c;
  }
  const auto visible = [](char32_t c) { return c > U' '; };
  const auto begin = std::find_if(out.begin(), out.end(), visible);
  const auto end = std::find_if(out.rbegin(), out.rend(), visible).base();
  return begin < end ? std::u32string(begin, end) : std::u32string();
}

// Without control characters and spaces at the ends.
std::string_view trim(std::string_view line) {
  const auto invisible = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!line.empty() && invisible(line.front())) line.remove_prefix(1);
  while (!line.empty() && invisible(line.back())) line.remove_suffix(1);
  return line;
}

std::u32string normalize(std::string_view line, const MeteorData& data) {
  std::u32string text = set_symbols_apart(trim(line));
  hide_runs_of_dots(text);
  set_commas_apart(text);
  unify_quotes_and_dashes(text);
  cut_hyphens(text);
  cut_apostrophes(text);
  const auto words = split(text);
  std::u32string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    append_word(out, words[i], i + 1 < words.size() ? words[i + 1] : std::u32string_view(), data);
  }
  show_runs_of_dots(out);
  return join_spaces(out);
}

// Letters, digits and spaces in lower case, as tokenizers leave most captions: nothing to be done.
bool is_plain(std::string_view line) {
  static constexpr auto kPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 'a'; c <= 'z'; ++c) plain[c] = true;
    for (std::size_t c = '0'; c <= '9'; ++c) plain[c] = true;
    plain[' '] = true;
    return plain;
  }();
  return std::all_of(line.begin(), line.end(), [](char c) { return kPlain[static_cast<unsigned char>(c)]; });
}

}  // namespace

std::string meteor_normalize(std::string_view line, const MeteorData& data) {
  std::string out;
  for (const char32_t c : normalize(line, data)) append_utf8(out, c);
  return out;
}

std::string meteor_words(std::string_view line, const MeteorData& data) {
  if (is_plain(line)) return std::string(line);
  std::string out;
  append_lower_case(out, normalize(line, data));
  return out;
}

}  // namespace capella::text
