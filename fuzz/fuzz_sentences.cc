// Captions of any bytes to sentences: no crash, no empty word or sentence, the words are those of the slow
// twin.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "reference/ptb_reference.h"
#include "syntax/lemma.h"
#include "syntax/sentences.h"

namespace {

void require(bool condition) {
  if (!condition) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> words;
  for (const capella::syntax::Sentence& sentence : capella::syntax::split_sentences(text)) {
    require(!sentence.words.empty() && sentence.words.size() <= capella::syntax::kLongestSentence);
    for (const std::string& word : sentence.words) {
      require(!word.empty());
      for (const char* tag : {"NNS", "VBD", "PRP", "NNP"}) capella::syntax::lemma(word, tag);
      words.push_back(word);
    }
  }
  // The twin is slower by far, so it sees one short input in sixteen.
  if (size > 64 || capella::hash_bytes(text) % 16 != 0) return 0;
  static const capella::reference::PtbReference twin("2015");
  require(words == twin.words(text));
  return 0;
}
