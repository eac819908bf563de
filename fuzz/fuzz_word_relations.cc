// Tables of word relations: any bytes, and any damage to a good table, give an error or a table whose senses
// and parents are all there.
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/memory_file.h"
#include "resource/word_relations.h"

namespace {

using capella::resource::WordRelations;

const std::string kSample =
    "capella word relations 1\n4\n\n0\n0 1\n\n3\ncat n1,2\nrun n0 v3\nsmall a3\n1\na big small\n";

void read(const std::string& bytes) {
  try {
    const WordRelations table(capella::fuzz::put(bytes));
    for (const char* word : {"cat", "run", "small", "big"}) {
      for (const auto part :
           {WordRelations::Part::noun, WordRelations::Part::verb, WordRelations::Part::adjective}) {
        for (const auto sense : table.senses(word, part)) {
          if (sense >= table.synsets()) __builtin_trap();
          for (const auto parent : table.parents(sense)) {
            if (parent >= sense) __builtin_trap();
          }
        }
        for (const auto other : table.antonyms(word, part)) {
          if (!table.are_antonyms(other, word, part)) __builtin_trap();
        }
      }
    }
  } catch (const capella::FileError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  std::string text = kSample;
  const auto place = input.ConsumeIntegralInRange<std::size_t>(0, text.size());
  const auto length = input.ConsumeIntegralInRange<std::size_t>(0, 64);
  read(text.replace(place, length, input.ConsumeRemainingBytesAsString()));
  return 0;
}
