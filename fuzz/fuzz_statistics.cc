// Stored statistics: any bytes give a result or a DataError, never a crash.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "aggregate/row_block.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string bytes[] = {capella::aggregate::seal(input)};  // or nothing would pass the checksum
  const std::string names[] = {"input"};
  try {
    const capella::aggregate::RowBlock block = capella::aggregate::from_bytes(bytes[0], names[0]);
    if (capella::aggregate::from_bytes(capella::aggregate::to_bytes(block), "again").ids != block.ids)
      __builtin_trap();
    capella::merge_statistics(bytes, names);
  } catch (const capella::Error&) {
  }
  return 0;
}
