// The parser with a damaged model: a FileError, or trees that are trees, whatever the weights are.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/memory_file.h"
#include "support/small_parser_model.h"
#include "syntax/parser.h"
#include "syntax/projective_tree.h"

namespace {

using capella::fuzz::put;
using capella::syntax::Sentence;

// A small model with some bytes changed: of the header, or of the numbers.
std::string damaged_model(FuzzedDataProvider& input) {
  static const std::string whole = capella::test::SmallParserModel({.layers = 1}, 1).bytes();
  std::string bytes = whole;
  for (std::size_t changes = input.ConsumeIntegralInRange<std::size_t>(0, 20); changes > 0; --changes) {
    bytes[input.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1)] = input.ConsumeIntegral<char>();
  }
  if (input.ConsumeIntegralInRange(0, 31) == 31)
    bytes.resize(input.ConsumeIntegralInRange<std::size_t>(0, bytes.size()));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const std::string model = damaged_model(input);
  std::vector<Sentence> sentences(2);
  while (input.remaining_bytes() > 0 && sentences[1].words.size() < 40) {
    sentences[input.ConsumeBool()].words.push_back(input.ConsumeRandomLengthString(12));
  }
  try {
    const capella::syntax::Parser parser(put(model));
    for (const capella::syntax::Tree& tree : parser.parse(sentences)) {
      std::vector<int> heads = {0};
      for (const auto& token : tree.tokens) heads.push_back(token.head);
      if (heads.size() > 1 && !capella::syntax::is_projective_tree(heads)) __builtin_trap();
    }
  } catch (const capella::FileError&) {
  }
  return 0;
}
