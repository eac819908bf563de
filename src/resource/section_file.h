// A file of named sections, mapped rather than read: the form into which data packages are converted.
//
// A header names kind, version and sections and holds a checksum of all that follows it. Opening a file
// checks the header and the size; the content is checked when asked, and at opening when the file's
// modification time is not the one the header holds, that is, when somebody touched the file after it was
// written. That time is a whole second, so that it survives archives and other file systems. All numbers are
// little-endian, and sections begin at multiples of 64, a cache line.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "resource/mapped_file.h"

namespace capella::resource {

class SectionFile {
 public:
  /// Throws FileError that names the file if it cannot be opened, is of another kind or version, or is
  /// damaged. `remedy` says what to do then, e.g. "get it again with: capella data get meteor".
  SectionFile(const std::string& path, std::string_view kind, std::uint32_t version, std::string remedy);

  const std::string& path() const { return path_; }

  /// The section as numbers. Throws FileError if there is none of that name or its size does not fit.
  template <class T>
  std::span<const T> section(std::string_view name) const {
    const std::span<const std::byte> bytes = raw_section(name, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  /// Reads every byte; throws FileError if the checksum does not fit.
  void check_content() const;

  /// Throws FileError: the file is damaged, with `what` and the remedy.
  [[noreturn]] void reject(std::string_view what) const;

 private:
  std::span<const std::byte> raw_section(std::string_view name, std::size_t item_size) const;

  std::string path_;
  std::string remedy_;
  MappedFile file_;
};

struct Section {
  std::string name;  ///< of at most 23 bytes
  std::string bytes;
};

/// The whole file as bytes. The kind has at most 15 bytes; `modified` is the time the file is to have.
std::string section_file_bytes(std::string_view kind, std::uint32_t version,
                               std::span<const Section> sections, std::chrono::sys_seconds modified);

/// Writes the file, whole or not at all.
void write_section_file(const std::string& path, std::string_view kind, std::uint32_t version,
                        std::span<const Section> sections);

}  // namespace capella::resource
