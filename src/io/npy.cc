#include "io/npy.h"

#include <bit>
#include <cassert>

#include <fmt/format.h>

namespace capella::io {
namespace {

// numpy leaves room for the first axis to grow to so many digits, so that files can be appended to.
constexpr std::size_t kGrowthDigits = 21;
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPrefix = 10;  // magic, version, length of the header

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

// `shape` as Python writes it; `first` is the length of the first axis.
std::string header_of(const std::string& shape, std::size_t first) {
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': {}, }}", shape);
  header.append(kGrowthDigits - fmt::formatted_size("{}", first), ' ');
  const std::size_t used = kPrefix + header.size() + 1;
  header.append(kAlignment - used % kAlignment, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  return out + header;
}

}  // namespace

std::string npy_header(std::size_t rows, std::size_t columns) {
  return header_of(fmt::format("({}, {})", rows, columns), rows);
}

std::string npy_header(std::size_t length) {
  return header_of(fmt::format("({},)", length), length);
}

std::string npy_bytes(std::span<const float> values, std::size_t rows, std::size_t columns) {
  assert(values.size() == rows * columns);
  std::string out = npy_header(rows, columns);
  return out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace capella::io
