// What models for natural-language inference say: any bytes, and any damage to a good file, give an error or
// rows that come back from their own text as they were.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/damaged_sample.h"
#include "fuzz/memory_file.h"
#include "io/entailments.h"

namespace {

using capella::fuzz::put;
using capella::io::EntailmentRow;

const std::string kSample =
    "{\"system\": \"a\", \"image_id\": 7, \"atom\": [\"man\", \"ride\", \"bike\"], \"p\": [0.1, 0.2, 0.7], "
    "\"hypothesis\": \"a man is riding a bike\", \"judge\": \"m(0f)\"}\n"
    "{\"image_id\": \"b\", \"atom\": [\"t\\u00e9\", \"sit on\", \"x,y\"], \"p\": [0, 1, 0]}\n";

bool same(const EntailmentRow& a, const EntailmentRow& b) {
  return a.system == b.system && a.image == b.image && a.atom == b.atom && a.p == b.p &&
         a.hypothesis == b.hypothesis && a.judge == b.judge;
}

void read(const std::string& bytes) {
  std::vector<EntailmentRow> rows;
  try {
    rows = capella::io::read_entailments(put(bytes));
  } catch (const capella::DataError&) {  // FileError, too: what looks like gzip and is not
    return;
  }
  if (rows.empty()) return;
  const auto again = capella::io::read_entailments(put(capella::io::write_entailments(rows)));
  if (again.size() != rows.size()) __builtin_trap();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double sum = rows[i].p[0] + rows[i].p[1] + rows[i].p[2];
    if (!(std::abs(sum - 1) <= 1.001e-3) || !same(rows[i], again[i])) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  read(capella::fuzz::damaged(kSample, input));
  return 0;
}
