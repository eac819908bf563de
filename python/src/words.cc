#include "words.h"

#include <array>
#include <string_view>
#include <utility>

namespace capella::python {
namespace {

// Longer phrases come before the options they begin with.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kWords{{
    {"--missing skip", "missing=\"skip\""},
    {"--missing", "missing"},
    {"--skip-bad", "skip_bad=True"},
    {"--set", "settings"},
    {"--split", "split"},
    {"--df coco-val", "df=\"coco-val\""},
    {"--df FILE", "df=FILE"},
    {"--df", "df"},
    {"add it with -m", "add it to metrics"},
    {"-m", "metrics"},
    {"capella df REFS -o FILE", "capella.write_df(refs, FILE)"},
    {"capella data get meteor --from PATH", "capella.get_data(\"meteor\", source=PATH)"},
    {"capella data get meteor", "capella.get_data(\"meteor\")"},
    {"give this file alone", "give it as refs, without hyps"},
}};

bool starts_word(std::string_view text, std::size_t at) {
  constexpr std::string_view kBefore = " \n(`'\"";
  return at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
}

bool ends_word(std::string_view text, std::size_t end) {
  constexpr std::string_view kAfter = " \n)`'\",;:";
  return end == text.size() || kAfter.find(text[end]) != std::string_view::npos;
}

void replace_words(std::string& text, std::string_view words, std::string_view by) {
  std::size_t at = text.find(words);
  while (at != std::string::npos) {
    const bool whole = starts_word(text, at) && ends_word(text, at + words.size());
    if (whole) text.replace(at, words.size(), by);
    at = text.find(words, at + (whole ? by.size() : words.size()));
  }
}

}  // namespace

std::string in_python_words(std::string text) {
  for (const auto& [words, by] : kWords) replace_words(text, words, by);
  return text;
}

}  // namespace capella::python
