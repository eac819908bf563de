// A cache of vectors whose file was damaged: what is found is what was kept, bit for bit, or nothing; and
// what is added then is found.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "base/file.h"
#include "encoder/embedding_cache.h"
#include "support/temp_dir.h"

namespace {

using capella::encoder::Embedding;
using capella::encoder::embedding_key;
using capella::encoder::EmbeddingCache;

constexpr std::size_t kWidth = 3, kVectors = 4;
constexpr std::uint64_t kMostBytes = 4096;

std::vector<float> vector_of(std::size_t k) {
  const auto first = static_cast<float>(k);
  return {first, first + .25f, -first};
}

std::string name_of(std::size_t k) {
  return "text " + std::to_string(k);
}

void add(EmbeddingCache& cache, std::size_t k) {
  const std::vector<float> vector = vector_of(k);
  const Embedding one{embedding_key("text", name_of(k)), k + 1, vector.data()};
  cache.add({&one, 1});
}

// Whether it is there; traps if it is there and another.
bool find(const EmbeddingCache& cache, std::size_t k) {
  std::vector<float> found(kWidth);
  const auto mark = cache.find(embedding_key("text", name_of(k)), found.data());
  if (mark && (*mark != k + 1 || found != vector_of(k))) __builtin_trap();
  return mark.has_value();
}

std::string damaged(std::string bytes, FuzzedDataProvider& input) {
  for (std::size_t changes = input.ConsumeIntegralInRange<std::size_t>(0, 6); changes > 0; --changes)
    bytes[input.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1)] = input.ConsumeIntegral<char>();
  if (input.ConsumeBool()) bytes.resize(input.ConsumeIntegralInRange<std::size_t>(0, bytes.size()));
  return bytes + input.ConsumeRandomLengthString(200);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const capella::test::TempDir folder;
  static const std::string path = EmbeddingCache(folder.path().string(), "model", kWidth, kMostBytes).path();
  static const std::string whole = [] {
    EmbeddingCache cache(folder.path().string(), "model", kWidth, kMostBytes);
    for (std::size_t k = 0; k < kVectors; ++k) add(cache, k);
    return capella::read_file_as_is(path);
  }();
  FuzzedDataProvider input(data, size);
  const bool any = input.ConsumeIntegralInRange(0, 7) == 0;
  folder.write(path.substr(folder.path().string().size() + 1),
               any ? input.ConsumeRemainingBytesAsString() : damaged(whole, input));
  EmbeddingCache cache(folder.path().string(), "model", kWidth, kMostBytes);
  for (std::size_t k = 0; k < kVectors; ++k) find(cache, k);
  for (std::size_t k = 0; k <= kVectors; ++k) add(cache, k);
  const EmbeddingCache again(folder.path().string(), "model", kWidth, kMostBytes);
  for (std::size_t k = 0; k <= kVectors; ++k) {
    if (!find(again, k)) __builtin_trap();
  }
  return 0;
}
