#include "resource/section_layout.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/hash.h"

namespace capella::resource::section_layout {
namespace {

template <std::size_t kSize>
void put_name(char (&field)[kSize], std::string_view name) {
  assert(name.size() < kSize);
  std::memcpy(field, name.data(), std::min(name.size(), kSize - 1));
}

std::string_view bytes_of(const Header& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

}  // namespace

Entry make_entry(std::string_view name, std::uint64_t offset) {
  Entry entry{};
  put_name(entry.name, name);
  entry.offset = offset;
  return entry;
}

std::uint64_t header_sum(Header header, std::string_view entries) {
  header.header_sum = 0;
  return hash_combine(hash_bytes(bytes_of(header)), hash_bytes(entries));
}

std::string header_bytes(const Description& file, std::span<const Entry> entries) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  put_name(header.kind, file.kind);
  header.version = file.version;
  header.sections = static_cast<std::uint32_t>(entries.size());
  header.size = file.size;
  header.modified = std::chrono::nanoseconds(file.modified.time_since_epoch()).count();
  header.content_sum = file.content_sum;
  const std::string_view table(reinterpret_cast<const char*>(entries.data()), entries.size_bytes());
  header.header_sum = header_sum(header, table);
  return std::string(bytes_of(header)).append(table);
}

}  // namespace capella::resource::section_layout
