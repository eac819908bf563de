#include "world/rewrite.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/ascii.h"
#include "world/english.h"

namespace capella::world {
namespace {

std::string capitalized(std::string text) {
  text.front() = upper(text.front());
  return text;
}

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), upper);
  return text;
}

// With a capital at a sentence's start if there was one; else as it is given, in lower case, since "TV" and
// "Frisbee" have capitals of their own.
std::string cased(const std::string& text, std::string_view caption, std::size_t begin) {
  if (text.empty() || !has_small_letters(caption)) return in_capitals(text);
  const std::size_t last = caption.substr(0, begin).find_last_not_of(" \"'");
  const bool first = last == std::string_view::npos || caption[last] == '.';
  return first && begin < caption.size() && is_capital(caption[begin]) ? capitalized(text) : text;
}

// Where the article directly before `at` stands; both ends 0 if there is none.
std::pair<std::size_t, std::size_t> article_before(std::string_view caption, std::size_t at) {
  const std::size_t last = caption.substr(0, at).find_last_not_of(' ');
  if (last == std::string_view::npos || last + 1 == at) return {0, 0};
  std::size_t begin = last + 1;
  while (begin > 0 && is_letter(caption[begin - 1])) --begin;
  const std::string_view word = caption.substr(begin, last + 1 - begin);
  const bool is_article =
      (word.size() == 1 || (word.size() == 2 && lower_ascii(word[1]) == 'n')) && lower_ascii(word[0]) == 'a';
  return is_article ? std::pair{begin, last + 1} : std::pair<std::size_t, std::size_t>{0, 0};
}

std::string fitting_article(std::string_view next, std::string_view caption, char old) {
  const std::string article = takes_an(lowered_ascii(next)) ? "an" : "a";
  if (!has_small_letters(caption)) return in_capitals(article);
  return is_capital(old) ? capitalized(article) : article;
}

}  // namespace

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool has_small_letters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string spliced(std::string_view caption, const std::vector<Splice>& splices) {
  std::string out(caption);
  for (auto splice = splices.rbegin(); splice != splices.rend(); ++splice) {
    assert(splice->begin + splice->length <= caption.size());
    out.replace(splice->begin, splice->length, cased(splice->text, caption, splice->begin));
    if (splice->text.empty()) continue;
    const auto next = splice + 1;
    const std::size_t free = next == splices.rend() ? 0 : next->begin + next->length;
    const auto [begin, end] = article_before(caption, splice->begin);
    if (begin != end && begin >= free)
      out.replace(begin, end - begin, fitting_article(splice->text, caption, caption[begin]));
  }
  return out;
}

}  // namespace capella::world
