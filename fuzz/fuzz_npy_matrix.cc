// .npy files: any bytes, and any damage to a good file, give a FileError or a matrix that hangs together.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "io/array_file.h"
#include "io/npy.h"

namespace {

void read(const std::string& bytes) {
  try {
    const capella::io::Matrix matrix = capella::io::npy_matrix(bytes, "fuzz.npy");
    if (matrix.rows == 0 || matrix.columns == 0) __builtin_trap();
    if (matrix.values.size() != matrix.rows * matrix.columns) __builtin_trap();
    if (matrix.values.size() > bytes.size()) __builtin_trap();
  } catch (const capella::FileError&) {
  }
}

// A good file with some bytes exchanged for others.
std::string damaged(FuzzedDataProvider& input) {
  std::string text = capella::io::npy_bytes(std::vector<float>(6, 1.5f), 2, 3);
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
