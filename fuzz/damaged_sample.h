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

}  // namespace capella::fuzz
