#include "resource/word_vectors_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "resource/word_vectors_bytes.h"
#include "resource/word_vectors_check.h"
#include "resource/word_vectors_layout.h"

namespace capella::resource {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 22;
constexpr std::string_view kSeparators = " \t";

std::string_view without_trailing_space(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(kSeparators, end);
    if (begin == std::string_view::npos) return fields;
    end = std::min(line.find_first_of(kSeparators, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
  }
}

// A number that no float can hold: one too near to 0 becomes 0, the others infinite, which is refused later.
float rounded(std::string_view text) {
  double wide = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), wide);
  if (result.ec == std::errc()) return static_cast<float>(wide);
  return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos ? 0.0F
                                                                                                : HUGE_VALF;
}

// Reads the number that `text` begins with and takes it off; says whether there was one.
bool take_number(std::string_view& text, float& number) {
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc::invalid_argument) return false;
  const auto length = static_cast<std::size_t>(end - digits.data());
  if (error == std::errc::result_out_of_range) number = rounded(digits.substr(0, length));
  text = digits.substr(length);
  return text.empty() || kSeparators.find(text.front()) != std::string_view::npos;
}

bool is_number(std::string_view text) {
  float ignored = 0;
  return take_number(text, ignored) && text.empty();
}

// Reads exactly as many numbers as there are places; says whether the text is just these.
bool read_numbers(std::string_view text, std::span<float> numbers) {
  for (float& number : numbers) {
    text.remove_prefix(std::min(text.find_first_not_of(kSeparators), text.size()));
    if (!take_number(text, number)) return false;
  }
  return text.empty();
}

std::optional<std::uint64_t> count_in(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// What word2vec's files begin with.
struct SourceHeader {
  std::uint64_t words;
  std::uint64_t dimensions;
};

std::optional<SourceHeader> header_in(std::string_view line) {
  const auto fields = fields_of(without_trailing_space(line));
  if (fields.size() != 2) return std::nullopt;
  const auto words = count_in(fields[0]);
  const auto dimensions = count_in(fields[1]);
  if (!words || !dimensions) return std::nullopt;
  return SourceHeader{*words, *dimensions};
}

class TextSource : public VectorSource {
 public:
  TextSource(ByteStream bytes, std::size_t dimensions, std::optional<std::uint64_t> expected)
      : VectorSource(dimensions), bytes_(std::move(bytes)), expected_(expected) {}

  bool next(std::string& word, std::span<float> numbers) override {
    std::string_view line;
    do {
      if (!bytes_.next_line(line, kLongestLine)) return end();
      line = without_trailing_space(line);
      if (line.empty()) ++blank_;
    } while (line.empty());
    if (blank_ > 0) fail("found a line behind an empty one, expected the end of the file");
    if (expected_ && read_ == *expected_) {
      fail(fmt::format("found more words than the {} that the first line says", *expected_));
    }
    const std::size_t end = std::min(line.find_first_of(kSeparators), line.size());
    if (read_numbers(line.substr(end), numbers)) {
      word = line.substr(0, end);
    } else {
      word = read_unusual(line, numbers);
    }
    if (word.size() > vectors_layout::kLongestWord) {
      fail(fmt::format("found a word of {} bytes, expected at most {}; leave it out of the file", word.size(),
                       vectors_layout::kLongestWord));
    }
    if (const std::string wrong = vector_problem(numbers, kLongestVector); !wrong.empty()) {
      fail(fmt::format("'{}' {}", excerpt(word), wrong));
    }
    ++read_;
    return true;
  }
  std::size_t hundredths() const override { return bytes_.hundredths(); }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw DataError(fmt::format("{}:{}: {}", bytes_.path(), bytes_.line(), what));
  }

  bool end() const {
    if (!expected_ || read_ == *expected_) return false;
    throw DataError(fmt::format("{}: ends after {} words, its first line says {}; fetch it again",
                                bytes_.path(), read_, *expected_));
  }

  // A word with spaces in it, as GloVe has ". . .": the last fields are the numbers. Returns the word.
  std::string_view read_unusual(std::string_view line, std::span<float> numbers) const {
    const auto fields = fields_of(line);
    const std::size_t count = numbers.size();
    if (fields.size() <= count) {
      fail(fmt::format("found {} fields, expected a word and {} numbers", fields.size(), count));
    }
    const std::size_t parts = fields.size() - count;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const bool number = is_number(fields[i]);
      if (i < parts && number) fail(fmt::format("found {} numbers, expected {}", fields.size() - i, count));
      if (i >= parts && !number) fail(fmt::format("found '{}', expected a number", excerpt(fields[i])));
    }
    const char* begin = fields[0].data();
    const char* end = fields[parts - 1].data() + fields[parts - 1].size();
    read_numbers(line.substr(static_cast<std::size_t>(end - line.data())), numbers);
    return {begin, static_cast<std::size_t>(end - begin)};
  }

  ByteStream bytes_;
  std::optional<std::uint64_t> expected_;  // how many words; nothing if the file does not say
  std::uint64_t read_ = 0;
  std::size_t blank_ = 0;  // empty lines, which only the end may have
};

// A word, a space, the numbers as 32-bit floats; word2vec's own program puts a "\n" behind them, others do
// not.
class BinarySource : public VectorSource {
 public:
  BinarySource(ByteStream bytes, SourceHeader header)
      : VectorSource(header.dimensions), bytes_(std::move(bytes)), expected_(header.words) {}

  bool next(std::string& word, std::span<float> numbers) override {
    while (bytes_.peek(1) == "\n") bytes_.skip(1);
    if (read_ == expected_) return end();
    const std::string_view start = bytes_.peek(vectors_layout::kLongestWord + 1);
    const std::size_t length = start.find(' ');
    if (length == std::string_view::npos) {
      if (start.size() > vectors_layout::kLongestWord) {
        fail(
            fmt::format("found no space within {} bytes, expected one behind each word; is the file damaged? "
                        "Fetch it again",
                        vectors_layout::kLongestWord));
      }
      fail_truncated();
    }
    word = start.substr(0, length);
    bytes_.skip(length + 1);
    const std::string_view values = bytes_.peek(numbers.size_bytes());
    if (values.size() < numbers.size_bytes()) fail_truncated();
    std::memcpy(numbers.data(), values.data(), values.size());
    bytes_.skip(values.size());
    if (const std::string wrong = vector_problem(numbers, kLongestVector); !wrong.empty()) {
      fail(fmt::format("'{}' {}", excerpt(word), wrong));
    }
    ++read_;
    return true;
  }
  std::size_t hundredths() const override { return bytes_.hundredths(); }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw DataError(fmt::format("{}: word {}: {}", bytes_.path(), read_ + 1, what));
  }
  [[noreturn]] void fail_truncated() const {
    throw DataError(fmt::format("{}: ends within word {} of {}; the file is cut off, fetch it again",
                                bytes_.path(), read_ + 1, expected_));
  }
  bool end() {
    if (bytes_.peek(1).empty()) return false;
    throw DataError(
        fmt::format("{}: goes on behind the {} words that its first line says; is it damaged? Fetch it again",
                    bytes_.path(), expected_));
  }

  ByteStream bytes_;
  std::uint64_t expected_;
  std::uint64_t read_ = 0;
};

// Whether binary numbers follow the first word behind the header: bytes that no text has stand among them, or
// what stands there does not begin as a number does.
bool is_binary(std::string_view rest, std::size_t dimensions) {
  rest.remove_prefix(std::min(rest.find_first_not_of('\n'), rest.size()));
  if (const std::size_t tab = rest.find_first_of(" \t\n"); tab < rest.size() && rest[tab] == '\t') {
    const std::string_view next = rest.substr(tab + 1);
    if (is_number(next.substr(0, next.find_first_of(" \t\r\n"))))
      return false;  // words of text may have spaces
  }
  const std::size_t word = std::min(rest.find(' '), rest.size());
  const std::string_view numbers = rest.substr(word).substr(0, 1 + dimensions * sizeof(float));
  const auto is_control = [](char c) {
    return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
  };
  return std::ranges::any_of(numbers, is_control) ||
         (numbers.size() > 1 &&
          std::string_view(" \t+-.0123456789nNiI").find(numbers[1]) == std::string::npos);
}

// GloVe's files do not say how many numbers a word has. A first word with spaces is looked through; but if
// there are numbers among its parts, and mostly numbers in the line, what stands behind them should be one.
std::size_t dimensions_of(const std::string& path, std::string_view first_line) {
  const auto fields = fields_of(without_trailing_space(first_line));
  std::size_t parts = fields.size();
  while (parts > 0 && is_number(fields[parts - 1])) --parts;
  if (parts == 0) return fields.empty() ? 0 : fields.size() - 1;  // the word is a number
  const auto inside =
      std::count_if(fields.begin() + 1, fields.begin() + static_cast<std::ptrdiff_t>(parts), is_number);
  if (inside > 0 && (static_cast<std::size_t>(inside) + fields.size() - parts) * 2 > fields.size() - 1) {
    throw DataError(fmt::format("{}:1: found '{}', expected a number", path, excerpt(fields[parts - 1])));
  }
  return fields.size() - parts;
}

// Some editors write it at the beginning of a text. One that is a word by itself is none.
bool begins_with_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") && text.size() > 3 &&
         kSeparators.find(text[3]) == std::string_view::npos;
}

[[noreturn]] void fail_unknown(const std::string& path, std::string_view found) {
  throw DataError(fmt::format(
      "{}: {}, expected word vectors of word2vec (text or binary), fastText (.vec) or GloVe, plain or gzip",
      path, found));
}

}  // namespace

std::unique_ptr<VectorSource> open_vector_source(const std::string& path) {
  ByteStream bytes(path);
  std::string_view beginning = bytes.peek(kLongestLine);
  if (beginning.empty()) throw DataError(path + ": is empty, expected word vectors");
  if (beginning.starts_with("PK\x03\x04")) {
    throw DataError(path + ": is a zip archive; unpack it and give the file inside");
  }
  if (begins_with_byte_order_mark(beginning)) {
    bytes.skip(3);
    beginning.remove_prefix(3);
  }
  const std::size_t end = std::min(beginning.find('\n'), beginning.size());
  const std::string_view first_line = beginning.substr(0, end);
  const auto header = header_in(first_line);
  const std::size_t dimensions = header ? header->dimensions : dimensions_of(path, first_line);
  if (dimensions == 0 || dimensions > vectors_layout::kMostDimensions) {
    fail_unknown(path, fmt::format("found '{}' in line 1", excerpt(first_line)));
  }
  if (!header) return std::make_unique<TextSource>(std::move(bytes), dimensions, std::nullopt);
  const bool binary = is_binary(beginning.substr(std::min(end + 1, beginning.size())), dimensions);
  std::string_view taken;
  bytes.next_line(taken, kLongestLine);
  if (binary) return std::make_unique<BinarySource>(std::move(bytes), *header);
  return std::make_unique<TextSource>(std::move(bytes), dimensions, header->words);
}

}  // namespace capella::resource
