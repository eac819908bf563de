// Writes a SectionFile piece by piece: word vectors can be too many to be held in memory. The bytes are those
// that section_file_bytes() gives for the same sections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/unfinished_file.h"
#include "resource/section_layout.h"

namespace capella::resource {

class SectionStream {
 public:
  /// The file at `path` will have exactly `sections` sections.
  SectionStream(const std::string& path, std::string_view kind, std::uint32_t version, std::size_t sections);

  /// What is appended from now on belongs to this section.
  void begin(std::string_view name);
  void append(std::string_view bytes);
  /// Writes the header, after which the file appears. Without this call nothing is left behind.
  void finish();

 private:
  void put(std::string_view bytes);
  void flush();

  UnfinishedFile file_;
  std::string kind_;
  std::uint32_t version_;
  std::size_t sections_;
  std::uint64_t offset_;  // where the buffer will be written
  std::string buffer_;
  std::vector<section_layout::Entry> entries_;
  XXH3_state_t sum_;
};

}  // namespace capella::resource
