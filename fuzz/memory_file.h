// A file in memory with a path of its own, for readers that take a path.
#pragma once

#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace capella::fuzz {

/// Puts the bytes there, in place of those of the call before; the path is always the same.
inline std::string put(const std::string& bytes) {
  static const int file = ::memfd_create("fuzz", 0);
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, bytes.data(), bytes.size(), 0) < 0) __builtin_trap();
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace capella::fuzz
