// MATLAB 5 files, piece by piece, for tests that need what other programs rarely write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace capella::test {

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string mat_header() {
  std::string header = "MATLAB 5.0 MAT-file, written by a test";
  header.resize(124, ' ');
  return header + std::string("\x00\x01IM", 4);
}

/// Padded to eight bytes, but for packed elements; data of up to four bytes inside the tag if `small`.
inline std::string mat_element(std::uint32_t type, const std::string& data, bool small = false) {
  const auto size = static_cast<std::uint32_t>(data.size());
  if (small) {
    std::string out = raw<std::uint32_t>({type | size << 16}) + data;
    out.resize(8);
    return out;
  }
  std::string out = raw<std::uint32_t>({type, size}) + data;
  if (type != 15) out.resize((out.size() + 7) / 8 * 8);
  return out;
}

struct MatVariable {
  std::string name = "feats";
  std::vector<std::int32_t> sizes = {2, 3};
  std::uint32_t flags = 7;  ///< class single
  std::uint32_t type = 7;   ///< numbers are single
  std::string numbers = raw<float>({1, 2, 3, 4, 5, 6});
  bool small = false;  ///< name and numbers inside their tags
};

inline std::string mat_variable(const MatVariable& variable) {
  return mat_element(14, mat_element(6, raw<std::uint32_t>({variable.flags, 0})) +
                             mat_element(5, raw(variable.sizes)) +
                             mat_element(1, variable.name, variable.small) +
                             mat_element(variable.type, variable.numbers, variable.small));
}

inline std::string mat_packed(const std::string& element) {
  uLongf size = compressBound(element.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(element.data()),
           element.size());
  packed.resize(size);
  return mat_element(15, packed);
}

}  // namespace capella::test
