// How a SectionFile lies on disk: a header, one entry per section, then the sections. Internal to those who
// read and write such files.
#pragma once

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace capella::resource::section_layout {

static_assert(std::endian::native == std::endian::little, "the file is mapped as it is");

inline constexpr char kMagic[8] = {'C', 'A', 'P', 'D', 'A', 'T', 'A', '\n'};
inline constexpr std::size_t kAlignment = 64;  // a cache line

struct Header {
  char magic[8];
  char kind[16];  ///< filled up with zeros, as the entries' names
  std::uint32_t version;
  std::uint32_t sections;
  std::uint64_t size;         ///< of the whole file
  std::int64_t modified;      ///< the file's modification time, in nanoseconds
  std::uint64_t content_sum;  ///< of all behind the entries
  std::uint64_t header_sum;   ///< of header and entries, this number taken as 0
};
struct Entry {
  char name[24];
  std::uint64_t offset;  ///< in the file, a multiple of kAlignment
  std::uint64_t size;
};
static_assert(sizeof(Header) == 64 && sizeof(Entry) == 40);

/// Where the content begins.
constexpr std::size_t content_offset(std::size_t sections) {
  return sizeof(Header) + sections * sizeof(Entry);
}

/// Where a section may begin if all before it ends at `size`.
constexpr std::size_t aligned(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

Entry make_entry(std::string_view name, std::uint64_t offset);

std::uint64_t header_sum(Header header, std::string_view entries);

/// What a header says of its file.
struct Description {
  std::string_view kind;
  std::uint32_t version;
  std::uint64_t size;
  std::chrono::sys_seconds modified;
  std::uint64_t content_sum;
};

/// The header and the entries as they stand at the beginning of the file.
std::string header_bytes(const Description& file, std::span<const Entry> entries);

}  // namespace capella::resource::section_layout
