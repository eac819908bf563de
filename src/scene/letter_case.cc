#include "scene/letter_case.h"

#include <algorithm>

#include "base/ascii.h"
#include "text/lowercase.h"

namespace capella::scene {
namespace {

bool is_trimmed(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

}  // namespace

std::string trimmed_and_lowered(std::string_view word) {
  while (!word.empty() && is_trimmed(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_trimmed(word.back())) word.remove_suffix(1);
  return text::lowered(word);
}

bool equals_ignoring_case(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return lower_ascii(a) == b; });
}

}  // namespace capella::scene
