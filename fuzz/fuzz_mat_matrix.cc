// MATLAB files: any bytes behind a good header, and any damage to a good file, packed or not, give a
// FileError or a matrix that hangs together.
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "io/array_file.h"
#include "support/mat_file.h"

namespace {

using namespace capella::test;

void read(const std::string& bytes) {
  try {
    const capella::io::Matrix matrix = capella::io::mat_matrix(bytes, "fuzz.mat");
    if (matrix.rows == 0 || matrix.columns == 0) __builtin_trap();
    if (matrix.values.size() != matrix.rows * matrix.columns) __builtin_trap();
  } catch (const capella::FileError&) {
  }
}

// A good variable with some bytes changed, and perhaps packed afterwards, so that damage reaches what is
// unpacked.
std::string damaged(FuzzedDataProvider& input) {
  std::string variable = mat_variable({});
  if (input.ConsumeBool())
    variable =
        mat_variable({.name = "f", .sizes = {2, 1}, .flags = 6, .type = 2, .numbers = "ab", .small = true});
  for (std::size_t changes = input.ConsumeIntegralInRange<std::size_t>(0, 8); changes > 0; --changes) {
    const auto place = input.ConsumeIntegralInRange<std::size_t>(0, variable.size() - 1);
    variable[place] = input.ConsumeIntegral<char>();
  }
  if (input.ConsumeBool()) variable = mat_packed(variable);
  std::string bytes = mat_header() + variable;
  if (input.ConsumeBool()) bytes.resize(input.ConsumeIntegralInRange<std::size_t>(0, bytes.size()));
  return bytes + input.ConsumeRemainingBytesAsString();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  read(mat_header() + bytes);
  FuzzedDataProvider input(data, size);
  read(damaged(input));
  return 0;
}
