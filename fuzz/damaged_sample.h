// Files that are nearly good: readers of rows see more of their code than random bytes show them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fuzzer/FuzzedDataProvider.h>

namespace capella::fuzz {

/// A good file with some bytes exchanged for what is left of the input.
inline std::string damaged(std::string_view sample, FuzzedDataProvider& input) {
  std::string text(sample);
  const auto place = input.ConsumeIntegralInRange<std::size_t>(0, text.size());
  const auto length = input.ConsumeIntegralInRange<std::size_t>(0, 64);
  return text.replace(place, length, input.ConsumeRemainingBytesAsString());
}

/// A good file with single bytes changed in place, now and then cut short: for formats where all has its
/// place.
inline std::string with_changed_bytes(std::string bytes, FuzzedDataProvider& input) {
  for (std::size_t changes = input.ConsumeIntegralInRange<std::size_t>(0, 20); changes > 0; --changes) {
    const auto place = input.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1);
    bytes[place] = input.ConsumeIntegral<char>();
  }
  if (input.ConsumeIntegralInRange(0, 15) == 15)
    bytes.resize(input.ConsumeIntegralInRange<std::size_t>(0, bytes.size()));
  return bytes;
}

}  // namespace capella::fuzz
