// Triplets: any bytes, and any damage to a good file, give an error or rows that come back from their own
// text as they were.
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/damaged_sample.h"
#include "fuzz/memory_file.h"
#include "io/triplets.h"

namespace {

using capella::fuzz::put;
using capella::io::TripletRow;

const std::string kSample =
    "{\"image_id\": 7, \"split\": \"val\", \"caption_id\": 12, \"triplets\": [[\"man\", \"ride\", "
    "\"bike\"]]}\n"
    "{\"image_id\": \"a\", \"triplets\": []}\n"
    "{\"triplets\": [[\"t\\u00e9\\n\", \"sit on\", \"a:b,c\"], [\"x\", \"y\", \"x\"]], \"image_id\": "
    "\"7\"}\n";

bool same(const TripletRow& a, const TripletRow& b) {
  return a.image == b.image && a.split == b.split && a.caption == b.caption && a.triplets == b.triplets;
}

void read(const std::string& bytes) {
  std::vector<TripletRow> rows;
  try {
    rows = capella::io::read_triplets(put(bytes));
  } catch (const capella::DataError&) {  // FileError, too: what looks like gzip and is not
    return;
  }
  const auto again = capella::io::read_triplets(put(capella::io::write_triplets(rows)));
  if (again.size() != rows.size()) __builtin_trap();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].image.empty() || rows[i].split.empty() || !same(rows[i], again[i])) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  read(capella::fuzz::damaged(kSample, input));
  return 0;
}
