// The binary layout, all numbers little-endian: the mark and the version, the numbers of images, captions and
// words; then of each word the probability (float64), of each word the rank (uint32), of each image how many
// captions it has, of each caption how many words (uint32). Nothing follows.
#include "io/token_probabilities.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "base/file.h"
#include "base/python_float.h"
#include "io/source.h"

namespace capella::io {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::string_view kMark = "capella token probabilities\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeader = kMark.size() + sizeof(std::uint32_t) + 3 * sizeof(std::uint64_t);
static_assert(kHeader % sizeof(double) == 0);
constexpr std::string_view kProbabilityLayout =
    "lists of images, in these of captions, in these of [probability, rank]";

[[noreturn]] void no_captions(const TokenPlace& at) {
  throw DataError(fmt::format("{}: no captions, expected one or more; leave the image out", at.of_image()));
}

[[noreturn]] void no_words(const TokenPlace& at) {
  throw DataError(fmt::format("{}: no words, expected one or more: the end of a caption is counted as a word",
                              at.of_caption()));
}

void check_probability(double value, const TokenPlace& at) {
  if (value >= 0 && value <= 1) return;
  throw DataError(fmt::format(
      "{}: the probability {} is not in 0 ... 1; expected a probability, not its logarithm or a score",
      at.of_word(), value));
}

// JSON.

double read_probability(element value, const TokenPlace& at) {
  double number = 0;
  if (value.get(number))
    throw DataError(
        fmt::format("{}: found {}, expected a probability in 0 ... 1", at.of_word(), describe(value)));
  check_probability(number, at);
  return number;
}

std::uint32_t read_rank(element value, const TokenPlace& at) {
  double number = 0;  // 2.0 is what arrays of floats are written as
  if (value.get(number) || !(number >= 0 && number <= std::numeric_limits<std::uint32_t>::max()) ||
      number != std::floor(number))
    throw at.wrong_rank(describe(value));
  return static_cast<std::uint32_t>(number);
}

void read_word(element word, const TokenPlace& at, TokenProbabilities& table) {
  simdjson::dom::array pair;
  if (word.get(pair))
    throw DataError(fmt::format("{}: found {}, expected [probability, rank]", at.of_word(), describe(word)));
  if (pair.size() != 2)
    throw DataError(
        fmt::format("{}: found a list of {}, expected [probability, rank]", at.of_word(), pair.size()));
  auto number = pair.begin();
  table.probabilities.push_back(read_probability(*number, at));
  table.ranks.push_back(read_rank(*++number, at));
}

void read_caption(element caption, TokenPlace& at, TokenProbabilities& table) {
  simdjson::dom::array words;
  if (caption.get(words))
    throw DataError(fmt::format("{}: found {}, expected a list of [probability, rank]", at.of_caption(),
                                describe(caption)));
  at.word = 0;
  for (const element word : words) {
    read_word(word, at, table);
    ++at.word;
  }
  if (at.word == 0) no_words(at);
  table.words.push_back(table.probabilities.size());
}

void read_image(element image, TokenPlace& at, TokenProbabilities& table) {
  simdjson::dom::array captions;
  if (image.get(captions))
    throw DataError(fmt::format("{}: found {}, expected a list of captions", at.of_image(), describe(image)));
  at.caption = 0;
  for (const element caption : captions) {
    read_caption(caption, at, table);
    ++at.caption;
  }
  if (at.caption == 0) no_captions(at);
  table.captions.push_back(table.caption_count());
}

TokenProbabilities read_json(const std::string& path, std::string text) {
  const Source source = open_source(path, std::move(text), kProbabilityLayout);
  simdjson::dom::array images;
  if (!source.json || source.json->root.get(images))
    throw DataError(fmt::format("{}:1: no token probabilities, expected JSON: {}", path, kProbabilityLayout));
  TokenProbabilities table;
  TokenPlace at{path};
  for (const element image : images) {
    read_image(image, at, table);
    ++at.image;
  }
  if (at.image == 0) throw DataError(fmt::format("{}: no images, expected {}", path, kProbabilityLayout));
  return table;
}

std::string json_of(const TokenProbabilities& table) {
  std::string text = "[";
  for (std::size_t image = 0; image < table.image_count(); ++image) {
    text += image == 0 ? "[" : ", [";
    for (std::size_t c = table.captions[image]; c < table.captions[image + 1]; ++c) {
      text += c == table.captions[image] ? "[" : ", [";
      for (std::size_t w = table.words[c]; w < table.words[c + 1]; ++w) {
        text += w == table.words[c] ? "[" : ", [";
        text += python_float(table.probabilities[w]);
        text += ", ";
        text += fmt::format_int(table.ranks[w]).str();
        text += ']';
      }
      text += ']';
    }
    text += ']';
  }
  text += "]\n";
  return text;
}

// Binary.

template <class Number>
Number take(std::string_view& bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

template <class Number>
std::vector<Number> take_all(std::string_view& bytes, std::size_t count) {
  std::vector<Number> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), bytes.data(), count * sizeof(Number));
  bytes.remove_prefix(count * sizeof(Number));
  return numbers;
}

// How many parts each whole has -> where the parts of each begin, and the end.
std::vector<std::size_t> begins(const std::vector<std::uint32_t>& counts) {
  std::vector<std::size_t> out = {0};
  out.reserve(counts.size() + 1);
  for (const std::uint32_t count : counts) out.push_back(out.back() + count);
  return out;
}

// What is said of sizes must be true of the file before anything of such a size is made.
void check_sizes(const std::string& path, std::string_view body, std::uint64_t images, std::uint64_t captions,
                 std::uint64_t words) {
  const std::uint64_t most = body.size() / sizeof(std::uint32_t);
  const bool possible = images <= most && captions <= most && words <= most;
  const std::uint64_t expected = 12 * words + 4 * (images + captions);
  if (possible && expected == body.size()) return;
  throw DataError(fmt::format(
      "{}: {} bytes after the header, but {} images, {} captions and {} words need another number; the "
      "file is cut short or damaged, make it again",
      path, body.size(), images, captions, words));
}

void check_counts(const std::string& path, const TokenProbabilities& table, std::size_t captions,
                  std::size_t words) {
  if (table.captions.back() != captions || table.words.back() != words)
    throw DataError(fmt::format(
        "{}: its images have {} captions and its captions {} words, but the header says {} and {}; the file "
        "is damaged, make it again",
        path, table.captions.back(), table.words.back(), captions, words));
}

TokenProbabilities read_binary(const std::string& path, std::string_view bytes) {
  if (bytes.size() < kHeader)
    throw DataError(fmt::format("{}: {} bytes, expected a header of {}; the file is cut short, make it again",
                                path, bytes.size(), kHeader));
  bytes.remove_prefix(kMark.size());
  if (const auto version = take<std::uint32_t>(bytes); version != kVersion)
    throw DataError(fmt::format("{}: token probabilities of version {}, expected {}; make the file again",
                                path, version, kVersion));
  const auto images = take<std::uint64_t>(bytes);
  const auto captions = take<std::uint64_t>(bytes);
  const auto words = take<std::uint64_t>(bytes);
  check_sizes(path, bytes, images, captions, words);
  TokenProbabilities table;
  table.probabilities = take_all<double>(bytes, words);
  table.ranks = take_all<std::uint32_t>(bytes, words);
  table.captions = begins(take_all<std::uint32_t>(bytes, images));
  table.words = begins(take_all<std::uint32_t>(bytes, captions));
  check_counts(path, table, captions, words);
  check_token_probabilities(table, path);
  return table;
}

void append_differences(std::string& out, const std::vector<std::size_t>& starts) {
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const auto count = static_cast<std::uint32_t>(starts[i + 1] - starts[i]);
    out.append(reinterpret_cast<const char*>(&count), sizeof count);
  }
}

std::string binary_of(const TokenProbabilities& table) {
  std::string out(kMark);
  out.append(reinterpret_cast<const char*>(&kVersion), sizeof kVersion);
  for (const std::uint64_t count : {table.image_count(), table.caption_count(), table.probabilities.size()})
    out.append(reinterpret_cast<const char*>(&count), sizeof count);
  out.append(reinterpret_cast<const char*>(table.probabilities.data()),
             table.probabilities.size() * sizeof(double));
  out.append(reinterpret_cast<const char*>(table.ranks.data()), table.ranks.size() * sizeof(std::uint32_t));
  append_differences(out, table.captions);
  append_differences(out, table.words);
  return out;
}

// Whether the numbers say where parts begin, up to `end`.
bool are_begins(const std::vector<std::size_t>& begins, std::size_t end) {
  return !begins.empty() && begins.front() == 0 && begins.back() == end && std::ranges::is_sorted(begins);
}

}  // namespace

std::string TokenPlace::of_image() const {
  return fmt::format("{}: image {}", source, image + 1);
}

std::string TokenPlace::of_caption() const {
  return fmt::format("{}, caption {}", of_image(), caption + 1);
}

std::string TokenPlace::of_word() const {
  return fmt::format("{}, word {}", of_caption(), word + 1);
}

DataError TokenPlace::wrong_rank(std::string_view found) const {
  return DataError(fmt::format(
      "{}: found {} as the rank, expected how many words are more probable: a whole number, 0 or more",
      of_word(), found));
}

void check_token_probabilities(const TokenProbabilities& table, std::string_view source) {
  if (table.words.empty() || table.ranks.size() != table.probabilities.size() ||
      !are_begins(table.captions, table.caption_count()) ||
      !are_begins(table.words, table.probabilities.size()))
    throw DataError(fmt::format(
        "{}: the lists do not fit together; expected where captions and words begin, from 0 to their number, "
        "and as many ranks as probabilities",
        source));
  if (table.image_count() == 0) throw DataError(fmt::format("{}: no images, expected one or more", source));
  TokenPlace at{source};
  for (at.image = 0; at.image < table.image_count(); ++at.image) {
    const std::size_t first = table.captions[at.image];
    const std::size_t count = table.captions[at.image + 1] - first;
    if (count == 0) no_captions(at);
    for (at.caption = 0; at.caption < count; ++at.caption) {
      const std::size_t begin = table.words[first + at.caption];
      const std::size_t length = table.words[first + at.caption + 1] - begin;
      if (length == 0) no_words(at);
      for (at.word = 0; at.word < length; ++at.word)
        check_probability(table.probabilities[begin + at.word], at);
    }
  }
}

TokenProbabilities read_token_probabilities(const std::string& path) {
  std::string content = read_file(path);
  if (content.starts_with(kMark)) return read_binary(path, content);
  return read_json(path, std::move(content));
}

void write_token_probabilities(const std::string& path, const TokenProbabilities& table,
                               ProbabilityLayout layout) {
  write_file_atomically(path, layout == ProbabilityLayout::json ? json_of(table) : binary_of(table));
}

}  // namespace capella::io
