// METEOR's converted data: any bytes give answers or a FileError, never a crash.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/memory_file.h"
#include "resource/meteor_data.h"
#include "resource/section_file.h"

namespace {

using capella::fuzz::put;
using capella::resource::MeteorData;
using capella::resource::Section;

// One of the file's tables; its parts have sizes that fit together, mostly.
void add_table(std::vector<Section>& sections, const std::string& name, std::size_t value_size,
               FuzzedDataProvider& input) {
  const auto part = [&](const char* suffix, std::size_t count, std::size_t size) {
    if (input.ConsumeIntegralInRange(0, 31) == 31) ++count;
    std::string bytes = input.ConsumeBytesAsString(count * size);
    bytes.resize(count * size);
    sections.push_back({name + suffix, bytes});
  };
  const std::size_t slots = std::size_t{16} << input.ConsumeIntegralInRange(0, 1);
  part(".keys", slots, sizeof(std::uint64_t));
  part(".ends", slots, sizeof(std::uint32_t));
  part(".values", input.ConsumeIntegralInRange<std::size_t>(0, 4), value_size);
}

// A file whose checksums are right; otherwise hardly any would be looked into.
std::string sealed_file(FuzzedDataProvider& input) {
  std::vector<Section> sections;
  add_table(sections, "synsets", sizeof(std::uint32_t), input);
  add_table(sections, "bases", sizeof(std::uint64_t), input);
  add_table(sections, "function_words", sizeof(std::uint8_t), input);
  add_table(sections, "abbreviations", sizeof(std::uint8_t), input);
  add_table(sections, "paraphrases", sizeof(std::uint64_t), input);
  sections.push_back({"longest_phrase", std::string(sizeof(std::uint64_t), '\1')});
  const std::uint64_t sample = capella::resource::phrase_key("key sample");
  sections.push_back({"key_sample", {reinterpret_cast<const char*>(&sample), sizeof sample}});
  return capella::resource::section_file_bytes(MeteorData::kKind, MeteorData::kVersion, sections, {});
}

// Looks all keys up that stand anywhere in the file, and reads what is found.
std::uint64_t use(const MeteorData& data, const std::string& bytes) {
  std::uint64_t sum = 0;
  for (std::size_t place = 0; place + sizeof sum <= bytes.size(); place += sizeof sum) {
    std::uint64_t key = 0;
    std::memcpy(&key, bytes.data() + place, sizeof key);
    for (const std::uint32_t synset : data.synsets(key)) sum += synset;
    for (const std::uint64_t base : data.bases(key)) sum += base;
    if (const auto phrases = data.paraphrases(key)) {
      for (const std::uint64_t phrase : *phrases) sum += phrase;
    }
    sum += data.is_function_word(key) + static_cast<std::uint64_t>(data.abbreviation(key));
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const bool sealed = input.ConsumeBool();
  const std::string bytes = sealed ? sealed_file(input) : input.ConsumeRemainingBytesAsString();
  try {
    const MeteorData table(put(bytes));
    [[maybe_unused]] const volatile std::uint64_t read = use(table, bytes);
  } catch (const capella::FileError&) {
  }
  return 0;
}
