// Files of tensors: any bytes give tensors that can be read, or a FileError, never a crash.
#include <cstddef>
#include <cstdint>
#include <string>

#include "capella/error.h"

#include "fuzz/memory_file.h"
#include "tensor/safetensors.h"

namespace {

using capella::fuzz::put;

void read_all(const std::string& path) {
  try {
    const capella::tensor::Safetensors file(path);
    unsigned sum = 0;
    for (const auto& [name, tensor] : file.tensors()) {
      for (const std::byte byte : tensor.bytes) sum += static_cast<unsigned>(byte);
    }
    [[maybe_unused]] const volatile unsigned read = sum;
  } catch (const capella::FileError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read_all(put(bytes));
  // Most bytes do not begin with the length of a header, so they are also taken as header and data.
  const std::uint64_t header = bytes.find('\n') == std::string::npos ? size : bytes.find('\n');
  read_all(put(std::string(reinterpret_cast<const char*>(&header), sizeof header) + bytes));
  return 0;
}
