// Any bytes give a table or a DataError. The table's lines can be found and its text can be read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "capella/error.h"

#include "io/assemble.h"
#include "io/format.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace capella;
  if (size == 0) return 0;
  const io::ReadOptions options{(data[0] & 2) != 0 ? "test" : "", (data[0] & 1) != 0};
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const io::CaptionTable table = io::read_table("fuzz", text, options);
    const std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const io::CaptionRow& row : table.rows) {
      if (row.id.empty() || table.line(row) == 0 || table.line(row) > lines) __builtin_trap();
      if (table.rows.size() > 100) break;
    }
    const io::NamedTable system{"system", table.tests ? table.tests.get() : &table};
    const Dataset joined = io::assemble(table, {&system, 1}, {io::Missing::skip});
    if (joined.size() == 0 || joined.all_references().size() > table.rows.size()) __builtin_trap();
  } catch (const DataError&) {
  }
  return 0;
}
