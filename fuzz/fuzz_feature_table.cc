// Files of features: any bytes, and any damage to a good file, give an error or a table that hangs together
// and comes back from its file as it was.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/memory_file.h"
#include "io/feature_table.h"

namespace {

using capella::fuzz::put;
using capella::io::FeatureTable;
using capella::io::Targets;

constexpr const char* kSamples[] = {
    R"({"capella_features":1,"source":"some","tokenizer":"ptb","targets":"human","columns":[{"score":"A","metric":"a","settings":{},"choices":""},{"score":"B","metric":"b","settings":{"df":"refs"},"choices":"n:4"}]}
{"id":"1","image":"x","system":"human","words":3,"target":1,"scores":[0.5,1]}
{"id":2,"image":"x","system":"gat","words":0,"target":0,"scores":[-1e-3,0]}
)",
    R"({"capella_features":1,"source":"","tokenizer":"none","targets":"ratings","columns":[{"score":"A","metric":"a","settings":{},"choices":""}]}
{"id":"1","image":"x","system":"\u00e9","words":3,"target":2.75,"scores":[0.125]})",
    R"({"capella_features":1,"source":"","tokenizer":"13a","targets":"none","columns":[{"score":"A","metric":"a","settings":{},"choices":""}]}
{"id":"1","image":"x","system":"y","words":3,"scores":[7]})",
};

void check(const FeatureTable& table) {
  const std::size_t rows = table.rows();
  if (rows == 0 || table.columns.empty()) __builtin_trap();
  if (table.images.size() != rows || table.systems.size() != rows || table.lengths.size() != rows)
    __builtin_trap();
  if (table.targets.size() != (table.targets_are == Targets::none ? 0 : rows)) __builtin_trap();
  if (table.values.size() != rows * table.columns.size()) __builtin_trap();
  for (const double value : table.values) {
    if (!std::isfinite(value)) __builtin_trap();
  }
  for (const double target : table.targets) {
    if (!std::isfinite(target)) __builtin_trap();
    if (table.targets_are == Targets::human && target != 0 && target != 1) __builtin_trap();
  }
}

void check_same(const FeatureTable& a, const FeatureTable& b) {
  if (a.source != b.source || a.tokenizer != b.tokenizer || a.targets_are != b.targets_are) __builtin_trap();
  if (a.columns != b.columns || a.ids != b.ids || a.images != b.images) __builtin_trap();
  if (a.systems != b.systems || a.lengths != b.lengths) __builtin_trap();
  if (a.targets != b.targets || a.values != b.values) __builtin_trap();
}

void read(const std::string& bytes) {
  FeatureTable table;
  try {
    table = capella::io::read_features(put(bytes));
  } catch (const capella::DataError&) {
    return;
  } catch (const capella::FileError&) {  // what looks like gzip and is not
    return;
  }
  check(table);
  const std::string path = put("");
  capella::io::write_features(path, table);
  check_same(capella::io::read_features(path), table);
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
