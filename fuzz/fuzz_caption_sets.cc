// Karpathy's data sets: any bytes, and any damage to a good file, give an error or images, captions and words
// that hang together.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/memory_file.h"
#include "io/caption_sets.h"
#include "text/tokenizer_karpathy.h"

namespace {

using capella::io::CaptionSets;

constexpr const char* kSamples[] = {
    R"({"images": [
{"cocoid": 1, "split": "train", "sentences": [{"tokens": ["a", "dog"]}, {"raw": "A dog, running."}]},
{"filename": "b.jpg", "split": "val", "sentences": [{"tokens": [], "raw": "no"}]}], "dataset": "coco"})",
    R"({"images": [{"filename": "\u00e9", "cocoid": -7, "split": "", "sentences": [{"raw": "\ud83d\udc36 x-y"}]}]})",
};

void require(bool condition) {
  if (!condition) __builtin_trap();
}

// Where parts begin: 0 first, the end last, never back.
void check_begins(const std::vector<std::size_t>& begins, std::size_t end) {
  require(!begins.empty() && begins.front() == 0 && begins.back() == end);
  for (std::size_t i = 1; i < begins.size(); ++i) require(begins[i] >= begins[i - 1]);
}

void check(const CaptionSets& sets) {
  const std::size_t images = sets.images.size();
  require(images > 0 && sets.numbered.size() == images && sets.split.size() == images);
  require(sets.captions.size() == images + 1);
  check_begins(sets.captions, sets.tokens.size() - 1);
  check_begins(sets.tokens, sets.ids.size());
  for (const std::uint32_t id : sets.ids) require(id < sets.words.size());
  for (const std::size_t split : sets.split) require(split < sets.splits.size());
  for (std::size_t i = 0; i < images; ++i) require(sets.captions[i] < sets.captions[i + 1]);
  for (const auto* names : {&sets.images, &sets.splits, &sets.words})
    require(std::set<std::string>(names->begin(), names->end()).size() == names->size());
}

void read(const std::string& bytes) {
  try {
    check(capella::io::read_caption_sets(capella::fuzz::put(bytes), capella::text::tokenize_karpathy));
  } catch (const capella::DataError&) {  // also what looks like gzip and is not
  }
}

// A good file with some bytes exchanged for others.
std::string damaged(FuzzedDataProvider& input) {
  std::string text = input.PickValueInArray(kSamples);
  const auto place = input.ConsumeIntegralInRange<std::size_t>(0, text.size());
  const auto length = input.ConsumeIntegralInRange<std::size_t>(0, 64);
  return text.replace(place, length, input.ConsumeRemainingBytesAsString());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  read(damaged(input));
  return 0;
}
