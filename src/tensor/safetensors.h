// Files of named tensors in the safetensors format, mapped rather than read, and a small writer.
//
// The format (https://github.com/huggingface/safetensors): eight bytes with the length of the header,
// little-endian; the header, a JSON object that gives each tensor's type, shape and place, and texts under
// "__metadata__"; the data. Opening a file checks the whole header, so that a tensor, once found, can be read
// without further checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resource/mapped_file.h"

namespace capella::tensor {

/// All that the format has, but for types of less than a byte: a file may hold what nobody asks for.
enum class Type {
  kF32,
  kF16,
  kBF16,
  kI8,
  kU8,
  kI32,
  kI64,
  kF64,
  kBool,
  kI16,
  kU16,
  kU32,
  kU64,
  kF8E4M3,
  kF8E5M2
};

/// "F32", "I8" ...: as files write it.
std::string_view type_name(Type type);
/// Bytes per number.
std::size_t type_size(Type type);

/// The type of the numbers that C++ reads as T. F16 and BF16 are read as their bits.
template <class T>
constexpr Type type_of();
template <>
constexpr Type type_of<float>() {
  return Type::kF32;
}
template <>
constexpr Type type_of<std::int8_t>() {
  return Type::kI8;
}
template <>
constexpr Type type_of<std::uint8_t>() {
  return Type::kU8;
}
template <>
constexpr Type type_of<std::int32_t>() {
  return Type::kI32;
}
template <>
constexpr Type type_of<std::int64_t>() {
  return Type::kI64;
}

using Shape = std::vector<std::size_t>;
using Metadata = std::map<std::string, std::string, std::less<>>;

struct Tensor {
  Type type = Type::kF32;
  Shape shape;
  std::span<const std::byte> bytes;  ///< aligned for the type
};

class Safetensors {
 public:
  /// Throws FileError that names the file, the tensor and what is wrong.
  explicit Safetensors(const std::string& path);

  const std::string& path() const { return path_; }
  const Metadata& metadata() const { return metadata_; }
  const std::map<std::string, Tensor, std::less<>>& tensors() const { return tensors_; }

  /// The text under "__metadata__"; throws FileError if there is none of that name.
  const std::string& text(std::string_view key) const;
  /// The text as a whole number in [least, most]; throws FileError if it is none.
  std::size_t number(std::string_view key, std::size_t least, std::size_t most) const;

  /// Throws FileError if there is none of that name.
  const Tensor& tensor(std::string_view name) const;

  /// The tensor's numbers. Throws FileError if there is none of that name, type and shape.
  template <class T>
  std::span<const T> values(std::string_view name, const Shape& shape) const {
    const std::span<const std::byte> bytes = checked_bytes(name, type_of<T>(), shape);
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  /// Throws FileError: the file, then `what`.
  [[noreturn]] void reject(std::string_view what) const;

 private:
  std::span<const std::byte> checked_bytes(std::string_view name, Type type, const Shape& shape) const;
  void read_header();
  void align(Tensor& tensor);

  std::string path_;
  resource::MappedFile file_;
  Metadata metadata_;
  std::map<std::string, Tensor, std::less<>> tensors_;
  std::vector<std::unique_ptr<std::int64_t[]>> copies_;  // of tensors that lie askew in the file
};

/// What is to be written; `bytes` is the little-endian data.
struct NamedTensor {
  std::string name;
  Type type = Type::kF32;
  Shape shape;
  std::string bytes;
};

template <class T>
NamedTensor named_tensor(std::string name, Shape shape, std::span<const T> values) {
  return {std::move(name),
          type_of<T>(),
          std::move(shape),
          {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

/// A tensor to be written whose numbers are kept elsewhere: large ones are not copied.
struct TensorView {
  std::string_view name;
  Type type = Type::kF32;
  std::span<const std::size_t> shape;
  std::string_view bytes;
};

/// The whole file as bytes. Wide types come first, so that every tensor is aligned. Throws UsageError if a
/// tensor's bytes do not fit its shape or two have one name.
std::string safetensors_bytes(std::span<const NamedTensor> tensors, const Metadata& metadata);
std::string safetensors_bytes(std::span<const TensorView> tensors, const Metadata& metadata);

/// Writes the file, whole or not at all.
void write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                       const Metadata& metadata);
/// ... piece by piece; only a regular file can be written so.
void write_safetensors(const std::string& path, std::span<const TensorView> tensors,
                       const Metadata& metadata);

}  // namespace capella::tensor
