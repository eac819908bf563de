// Token probabilities: any bytes, and any damage to a good file of either layout, give an error or a table
// that hangs together and comes back from both layouts as it was.
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "base/file.h"
#include "fuzz/memory_file.h"
#include "io/token_probabilities.h"

namespace {

using capella::fuzz::put;
using capella::io::ProbabilityLayout;
using capella::io::TokenProbabilities;

void check(const TokenProbabilities& table) {
  const auto rises = [](const std::vector<std::size_t>& begins, std::size_t end) {
    if (begins.size() < 2 || begins.front() != 0 || begins.back() != end) __builtin_trap();
    for (std::size_t i = 1; i < begins.size(); ++i) {
      if (begins[i] <= begins[i - 1]) __builtin_trap();
    }
  };
  rises(table.captions, table.caption_count());
  rises(table.words, table.probabilities.size());
  if (table.ranks.size() != table.probabilities.size()) __builtin_trap();
  for (const double probability : table.probabilities) {
    if (!(probability >= 0 && probability <= 1)) __builtin_trap();
  }
}

void read(const std::string& bytes) {
  TokenProbabilities table;
  try {
    table = capella::io::read_token_probabilities(put(bytes));
  } catch (const capella::DataError&) {
    return;
  } catch (const capella::FileError&) {  // what looks like gzip and is not
    return;
  }
  check(table);
  for (const auto layout : {ProbabilityLayout::json, ProbabilityLayout::binary}) {
    const std::string path = put("");
    capella::io::write_token_probabilities(path, table, layout);
    const TokenProbabilities again = capella::io::read_token_probabilities(path);
    if (again.captions != table.captions || again.words != table.words) __builtin_trap();
    if (again.probabilities != table.probabilities || again.ranks != table.ranks) __builtin_trap();
  }
}

const std::string& sample(bool binary) {
  static const std::string json =
      "[[[[0.5, 0], [1, 3]], [[1e-05, 70000]]], [[[0.0, 4000000000], [0.25, 1]]]]";
  static const std::string packed = [] {
    const TokenProbabilities table = capella::io::read_token_probabilities(put(json));
    const std::string path = put("");
    capella::io::write_token_probabilities(path, table, ProbabilityLayout::binary);
    return capella::read_file_as_is(path);
  }();
  return binary ? packed : json;
}

// A good file with some bytes exchanged for others.
std::string damaged(FuzzedDataProvider& input) {
  std::string text = sample(input.ConsumeBool());
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
