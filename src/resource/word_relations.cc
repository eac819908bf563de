#include "resource/word_relations.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"

namespace capella::resource {
namespace {

constexpr std::string_view kTitle = "capella word relations 1";
constexpr std::string_view kPartLetters = "nva";

}  // namespace

/// Walks the text line by line and fills the tables; every number is checked before it is used.
class WordRelations::Reader {
 public:
  Reader(const std::string& path, WordRelations& into) : path_(path), into_(into), rest_(into.text_) {}

  void read() {
    if (next_line() != kTitle) reject("it does not begin with '" + std::string(kTitle) + "'");
    synsets_ = count_line();
    into_.parents_begin_.reserve(synsets_ + 1);
    into_.parents_begin_.push_back(0);
    for (std::uint32_t i = 0; i < synsets_; ++i) read_parents(i);
    const std::uint32_t words = count_line();
    into_.words_.reserve(words);
    for (std::uint32_t i = 0; i < words; ++i) read_word();
    const std::uint32_t pairs = count_line();
    for (std::uint32_t i = 0; i < pairs; ++i) read_antonyms();
    if (!rest_.empty()) reject("lines follow the last pair");
  }

 private:
  [[noreturn]] void reject(const std::string& what) const {
    throw FileError(
        fmt::format("{}: line {}: {}; the table of word relations is damaged, install Capella again", path_,
                    line_, what));
  }

  std::string_view next_line() {
    ++line_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) reject("the text ends here");
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  /// The piece up to `separator`, which is taken off as well.
  static std::string_view take(std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view piece = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return piece;
  }

  std::uint32_t number(std::string_view digits, std::uint32_t below) const {
    std::uint32_t value = 0;
    const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc{} || stop != digits.data() + digits.size() || value >= below)
      reject(fmt::format("found '{}', expected a number below {}", digits, below));
    return value;
  }

  std::uint32_t count_line() { return number(next_line(), static_cast<std::uint32_t>(into_.text_.size())); }

  void read_parents(std::uint32_t synset) {
    std::string_view line = next_line();
    while (!line.empty()) into_.parents_.push_back(number(take(line, ' '), synset));
    into_.parents_begin_.push_back(static_cast<std::uint32_t>(into_.parents_.size()));
  }

  void read_word() {
    std::string_view line = next_line();
    const std::string_view word = take(line, ' ');
    Entry entry;
    entry.begin[0] = static_cast<std::uint32_t>(into_.senses_.size());
    for (std::size_t part = 0; part < kParts; ++part) {
      if (!line.empty() && line.front() == kPartLetters[part]) {
        std::string_view senses = take(line, ' ').substr(1);
        while (!senses.empty()) into_.senses_.push_back(number(take(senses, ','), synsets_));
      }
      entry.begin[part + 1] = static_cast<std::uint32_t>(into_.senses_.size());
    }
    if (word.empty() || !line.empty()) reject("expected a word and its senses");
    if (!into_.words_.emplace(word, entry).second) reject("the word was there before");
  }

  void read_antonyms() {
    std::string_view line = next_line();
    const std::string_view letter = take(line, ' ');
    const std::size_t part = letter.size() == 1 ? kPartLetters.find(letter.front()) : std::string_view::npos;
    const std::string_view first = take(line, ' ');
    const std::string_view second = take(line, ' ');
    if (part == std::string_view::npos || second.empty() || !line.empty())
      reject("expected n, v or a and two words");
    into_.antonyms_[part][first].push_back(second);
    into_.antonyms_[part][second].push_back(first);
  }

  const std::string& path_;
  WordRelations& into_;
  std::string_view rest_;
  std::size_t line_ = 0;
  std::uint32_t synsets_ = 0;
};

WordRelations::WordRelations(const std::string& path) : text_(read_file(path)) {
  Reader(path, *this).read();
}

std::span<const WordRelations::Synset> WordRelations::senses(std::string_view word, Part part) const {
  const auto found = words_.find(word);
  if (found == words_.end()) return {};
  const auto at = static_cast<std::size_t>(part);
  const auto& begin = found->second.begin;
  return std::span(senses_).subspan(begin[at], begin[at + 1] - begin[at]);
}

std::span<const std::string_view> WordRelations::antonyms(std::string_view word, Part part) const {
  const auto& table = antonyms_[static_cast<std::size_t>(part)];
  const auto found = table.find(word);
  if (found == table.end()) return {};
  return found->second;
}

bool WordRelations::are_antonyms(std::string_view a, std::string_view b, Part part) const {
  return std::ranges::find(antonyms(a, part), b) != antonyms(a, part).end();
}

}  // namespace capella::resource
