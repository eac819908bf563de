// The CSV parser agrees with its slow twin on any bytes, and the reader on top of it never breaks.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capella/error.h"

#include "io/csv.h"
#include "io/format.h"
#include "reference/csv_reference.h"

namespace {

void compare(std::string_view text, char delimiter) {
  const auto expected = capella::reference::parse_csv(text, delimiter);
  capella::io::TextStore store;
  capella::io::CsvParser parser(text, delimiter, store);
  capella::io::CsvRecord record;
  std::size_t count = 0;
  for (; parser.next(record); ++count) {
    if (count >= expected.size()) __builtin_trap();
    const auto& row = expected[count];
    if (row.bad != !record.problem.empty() || row.line != record.line) __builtin_trap();
    if (!row.bad &&
        !std::equal(row.cells.begin(), row.cells.end(), record.cells.begin(), record.cells.end())) {
      __builtin_trap();
    }
  }
  if (count != expected.size()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  compare(text, ',');
  compare(text, '\t');
  compare(text, ';');
  for (const std::string_view header : {"", "id,captions\n", "image_id\tcaption\n", "id;ref_1;ref_2\n"}) {
    for (const bool skip_bad : {false, true}) {
      try {
        capella::io::read_table("fuzz.csv", std::string(header) + text, {"", skip_bad});
      } catch (const capella::DataError&) {
      }
    }
  }
  return 0;
}
