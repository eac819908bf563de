// Lemmas of words of any bytes and any length, with any tag: no crash, and no lemma that is longer than its
// word allows.
//
// The first byte chooses the tag, the second (one in eight times) how many bytes are repeated before the
// rest, so that short inputs make words that are longer than the stack is deep.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "syntax/lemma.h"

namespace {

constexpr const char* kTags[] = {"VBD", "VBG", "VBZ", "NNS", "NN", "NNP", "PRP", "MD", "RB", ""};
constexpr std::size_t kLongWord = 60'000;
constexpr std::size_t kMostAdded = 8;  // "_VBD", "um" and such

void check(std::string_view word, std::string_view tag) {
  // In lower case a byte that is not UTF-8 becomes three.
  if (capella::syntax::lemma(word, tag).size() > 3 * word.size() + kMostAdded) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const char* const tag = kTags[data[0] % std::size(kTags)];
  const std::string_view word(reinterpret_cast<const char*>(data) + 2, size - 2);
  check(word, tag);
  const std::string_view piece = word.substr(0, data[1] % 8);
  if (piece.empty() || data[1] >= 32) return 0;
  std::string long_word;
  while (long_word.size() < kLongWord) long_word += piece;
  check(long_word.append(word.substr(piece.size())), tag);
  return 0;
}
