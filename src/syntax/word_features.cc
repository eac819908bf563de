#include "syntax/word_features.h"

#include "base/ascii.h"

namespace capella::syntax {
namespace {

constexpr std::size_t kEndings = 4;     // lengths 1 to this
constexpr std::size_t kBeginnings = 3;  // lengths 1 to this
constexpr std::uint8_t kBeginning = 16;
static_assert(kEndings + kBeginnings == WordFeatures::kMostAffixes);

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// FNV-1a of the kind and the bytes.
std::uint32_t affix_hash(std::uint8_t kind, std::string_view bytes) {
  constexpr std::uint32_t kPrime = 16777619;
  std::uint32_t hash = (2166136261u ^ kind) * kPrime;
  for (const char c : bytes) hash = (hash ^ static_cast<std::uint8_t>(c)) * kPrime;
  return hash;
}

std::uint32_t shape_of(std::string_view word) {
  std::uint32_t shape = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (is_upper(c)) {
      shape |= i == 0 ? 1u : 2u;
    } else if (is_lower(c)) {
      shape |= 4u;
    } else if (is_digit(c)) {
      shape |= 8u;
    } else {
      shape |= c == '-' ? 16u : 32u;
    }
  }
  return shape;
}

}  // namespace

FeatureReader::FeatureReader(std::string_view vocabulary, std::size_t affix_rows) : affix_rows_(affix_rows) {
  for (std::size_t begin = 0; begin < vocabulary.size(); ++lines_) {
    const std::size_t end = std::min(vocabulary.find('\n', begin), vocabulary.size());
    ids_.emplace(vocabulary.substr(begin, end - begin), static_cast<std::uint32_t>(lines_ + 1));
    begin = end + 1;
  }
}

WordFeatures FeatureReader::read(std::string_view word) const {
  WordFeatures features{.shape = shape_of(word)};
  const std::string lower = lowered_ascii(word);
  if (const auto found = ids_.find(lower); found != ids_.end()) features.word = found->second;
  const auto add = [&](std::size_t kind, std::string_view bytes) {
    const std::uint32_t hash = affix_hash(static_cast<std::uint8_t>(kind), bytes);
    features.affixes[features.affix_count++] = static_cast<std::uint32_t>(hash % affix_rows_);
  };
  const std::string_view text = lower;
  for (std::size_t n = 1; n <= kEndings && n <= text.size(); ++n) add(n, text.substr(text.size() - n));
  for (std::size_t n = 1; n <= kBeginnings && n <= text.size(); ++n) add(kBeginning + n, text.substr(0, n));
  return features;
}

}  // namespace capella::syntax
