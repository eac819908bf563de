// A file in memory without reading it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace capella::resource {

/// A read-only memory map. Throws FileError if the file cannot be opened.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }
  /// When the file was last written, in nanoseconds since 1970.
  std::int64_t modified() const { return modified_; }
  /// Takes the pages that were looked at out of the process's memory; they come back when looked at again.
  void forget() const;

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::int64_t modified_ = 0;
};

}  // namespace capella::resource
