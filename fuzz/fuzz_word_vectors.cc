// Word vectors: any bytes, as a converted file or as one to convert, give answers or a DataError, never a
// crash.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/memory_file.h"
#include "resource/section_file.h"
#include "resource/word_vectors.h"
#include "resource/word_vectors_layout.h"
#include "resource/word_vectors_source.h"

namespace {

using capella::fuzz::put;
namespace layout = capella::resource::vectors_layout;
using capella::resource::Section;
using capella::resource::WordVectors;

template <class T>
std::string bytes_of(const std::vector<T>& items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)};
}

// Words of one letter whose records lie anywhere, mostly inside; the tags are right, so that they are looked
// at.
std::vector<layout::Slot> slots_from(FuzzedDataProvider& input) {
  std::vector<layout::Slot> slots(std::size_t{16} << input.ConsumeIntegralInRange(0, 1), {0, layout::kFree});
  for (layout::Slot& slot : slots) {
    const std::string word(1, static_cast<char>('a' + input.ConsumeIntegralInRange(0, 3)));
    slot.tag = layout::tag_of(layout::word_hash(word));
    slot.offset = input.ConsumeBool() ? input.ConsumeIntegralInRange<std::uint32_t>(0, 40)
                                      : input.ConsumeIntegral<std::uint32_t>();
  }
  return slots;
}

// A file whose checksums are right, and whose sizes fit together, mostly; otherwise hardly any would be
// looked into.
std::string sealed_file(FuzzedDataProvider& input) {
  const auto words = input.ConsumeIntegralInRange<std::uint64_t>(0, 4);
  const auto dimensions = input.ConsumeIntegralInRange<std::uint64_t>(0, 3);
  const bool eight_bit = input.ConsumeBool();
  const auto sized = [&](std::size_t size) {
    if (input.ConsumeIntegralInRange(0, 31) == 31) size += 4;
    std::string bytes = input.ConsumeBytesAsString(size);
    bytes.resize(size);
    return bytes;
  };
  const std::vector<std::uint64_t> shape = {words, dimensions, eight_bit ? 8u : 32u, 0};
  const std::vector<Section> sections = {
      {std::string(layout::kShape), bytes_of(shape)},
      {std::string(layout::kSlots), bytes_of(slots_from(input))},
      {std::string(layout::kOffsets), sized(words * 4)},
      {std::string(layout::kNumbers), sized(words * dimensions * (eight_bit ? 1 : 4))},
      {std::string(layout::kScales), sized(words * 4)},
      {std::string(layout::kRecords), input.ConsumeRandomLengthString(64)}};
  return capella::resource::section_file_bytes(layout::kKind, layout::kVersion, sections, {});
}

// Looks words up and reads all vectors.
float use(const WordVectors& vectors) {
  float sum = 0;
  std::vector<float> numbers(vectors.dimensions());
  for (const char* word : {"a", "b", "c", "d", "", "longer"}) {
    const std::uint32_t number = vectors.find(word);
    if (number == WordVectors::kNone) continue;
    if (number >= vectors.size()) __builtin_trap();
    vectors.read(number, numbers);
    for (const float value : numbers) {
      if (!std::isfinite(value)) __builtin_trap();
      sum += value;
    }
  }
  for (std::uint32_t number = 0; number < vectors.size(); ++number) {
    sum += static_cast<float>(vectors.word(number).size());
  }
  return sum + static_cast<float>(vectors.description().size());
}

// Reads a file as word2vec or GloVe write it.
void read_source(const std::string& path) {
  const auto source = capella::resource::open_vector_source(path);
  std::vector<float> numbers(source->dimensions());
  std::string word;
  while (source->next(word, numbers)) {
    for (const float number : numbers) {
      if (!std::isfinite(number)) __builtin_trap();
    }
    if (word.size() > layout::kLongestWord) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const int kind = input.ConsumeIntegralInRange(0, 2);
  const std::string path = put(kind == 0 ? sealed_file(input) : input.ConsumeRemainingBytesAsString());
  try {
    if (kind == 2) {
      read_source(path);
    } else {
      const WordVectors vectors(path, "fuzz");
      [[maybe_unused]] const volatile float read = use(vectors);
    }
  } catch (const capella::DataError&) {
  }
  return 0;
}
