// A cache of vectors whose file was damaged: what is found is what was kept, bit for bit, or nothing; and
// what is added then is found.
#include <cstddef>
#include <cstdint>
#include <memory>
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

// Of the first text one vector, of the second two ...
std::vector<float> vectors_of(std::size_t k) {
  std::vector<float> numbers;
  for (std::size_t i = 0; i < (k + 1) * kWidth; ++i) numbers.push_back(static_cast<float>(10 * k + i) / 8);
  return numbers;
}

std::string name_of(std::size_t k) {
  return "text " + std::to_string(k);
}

void add(EmbeddingCache& cache, std::size_t k) {
  const auto numbers = std::make_shared<std::vector<float>>(vectors_of(k));
  const Embedding one{embedding_key("text", name_of(k)), k + 1, numbers->size(), {numbers, numbers->data()}};
  cache.add({&one, 1});
}

// Whether it is there; traps if it is there and another.
bool find(const EmbeddingCache& cache, std::size_t k) {
  const auto found = cache.find(embedding_key("text", name_of(k)));
  if (!found) return false;
  const std::vector<float> numbers(found->numbers.get(), found->numbers.get() + found->size);
  if (found->mark != k + 1 || numbers != vectors_of(k)) __builtin_trap();
  return true;
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
