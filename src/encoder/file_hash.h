// A file's content as one number.
#pragma once

#include <cstdint>
#include <string>

#include "base/hash.h"
#include "resource/mapped_file.h"

namespace capella::encoder {

/// Throws FileError if it cannot be read.
inline std::uint64_t hash_file(const std::string& path) {
  const resource::MappedFile file(path);
  return hash_bytes({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
}

}  // namespace capella::encoder
