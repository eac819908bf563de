#include "reference/meteor_reference_words.h"

#include "base/utf8.h"

namespace capella::reference {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      lines.push_back(line);
      line.clear();
    } else {
      line += c;
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

MeteorPhrase words_of(const std::string& line) {
  return split_meteor_words(to_meteor_word(line));
}

std::uint32_t to_number(const MeteorWord& digits) {
  std::uint32_t number = 0;
  for (const char32_t digit : digits) number = number * 10 + static_cast<std::uint32_t>(digit - U'0');
  return number;
}

}  // namespace

MeteorWords read_meteor_words(const MeteorFiles& files) {
  MeteorWords words;
  const std::vector<std::string> synsets = lines_of(files.synsets);
  for (std::size_t i = 0; i + 1 < synsets.size(); i += 2) {
    for (const MeteorWord& offset : words_of(synsets[i + 1]))
      words.synsets[to_meteor_word(synsets[i])].insert(to_number(offset));
  }
  const std::vector<std::string> exceptions = lines_of(files.exceptions);
  for (std::size_t i = 0; i + 1 < exceptions.size(); i += 2) {
    for (const MeteorWord& form : words_of(exceptions[i + 1]))
      words.bases[form].insert(to_meteor_word(exceptions[i]));
  }
  for (const std::string& line : lines_of(files.function_words))
    words.function_words.insert(to_meteor_word(line));
  for (const std::string& line : lines_of(files.prefixes)) {
    const MeteorPhrase parts = words_of(line);
    if (parts.empty() || parts[0].starts_with(U'#')) continue;
    const bool numeric = parts.size() > 1 && parts[1] == U"#NUMERIC_ONLY#";
    (numeric ? words.numeric_prefixes : words.prefixes).insert(parts[0]);
  }
  const std::vector<std::string> paraphrases = lines_of(files.paraphrases);
  for (std::size_t i = 0; i + 2 < paraphrases.size(); i += 3)
    words.paraphrases.push_back({words_of(paraphrases[i + 1]), words_of(paraphrases[i + 2])});
  return words;
}

MeteorWord to_meteor_word(std::string_view text) {
  const std::vector<char32_t> characters = to_code_points(text);
  return {characters.begin(), characters.end()};
}

std::string to_utf8(const MeteorWord& word) {
  std::string text;
  for (const char32_t character : word) append_utf8(text, character);
  return text;
}

MeteorPhrase split_meteor_words(const std::u32string& text) {
  MeteorPhrase words;
  MeteorWord word;
  for (const char32_t c : text) {
    if (c == U' ' || c == U'\t' || c == U'\n' || c == U'\r' || c == U'\f') {
      if (!word.empty()) words.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace capella::reference
