#include "text/ptb/compiler/unicode_data.h"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace capella::text::ptb::compiler {
namespace {

// A cursor over one item such as 0100-012E/2>0101.
struct Item {
  std::string_view rest;

  bool take(char mark) {
    if (rest.empty() || rest.front() != mark) return false;
    rest.remove_prefix(1);
    return true;
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, 16);
    if (error != std::errc()) throw std::runtime_error("a hexadecimal number was expected");
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
  }

  CodeRange range() {
    const std::uint32_t first = number();
    return {first, take('-') ? number() : first};
  }
};

LowerRun parse_lower(Item item) {
  const CodeRange range = item.range();
  const std::uint32_t step = item.take('/') ? item.number() : 1;
  if (!item.take('>')) throw std::runtime_error("> was expected");
  return {range.first, range.last, step, item.number()};
}

}  // namespace

UnicodeData parse_unicode_data(std::string_view text) {
  UnicodeData data;
  std::vector<CodeRange>* set = nullptr;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (line.front() != ' ') {
      set = nullptr;
      if (word == "set" && words >> word) set = &data.sets[word];
      continue;
    }
    try {
      do {
        if (set != nullptr) {
          set->push_back(Item{word}.range());
        } else {
          data.lower.push_back(parse_lower({word}));
        }
      } while (words >> word);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("line " + std::to_string(number) + ": '" + word + "': " + error.what());
    }
  }
  return data;
}

}  // namespace capella::text::ptb::compiler
