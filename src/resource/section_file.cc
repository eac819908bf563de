#include "resource/section_file.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"

namespace capella::resource {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is mapped as it is");

// The file: this header, one entry per section, then the sections.
struct Header {
  char magic[8];
  char kind[16];  // filled up with zeros, as the entries' names
  std::uint32_t version;
  std::uint32_t sections;
  std::uint64_t size;         // of the whole file
  std::int64_t modified;      // the file's modification time, in nanoseconds
  std::uint64_t content_sum;  // of all behind the entries
  std::uint64_t header_sum;   // of header and entries, this number taken as 0
};
struct Entry {
  char name[24];
  std::uint64_t offset;  // in the file, a multiple of kAlignment
  std::uint64_t size;
};
static_assert(sizeof(Header) == 64 && sizeof(Entry) == 40);
constexpr char kMagic[8] = {'C', 'A', 'P', 'D', 'A', 'T', 'A', '\n'};
constexpr std::size_t kAlignment = 64;  // a cache line

std::string_view text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <std::size_t kSize>
std::string_view name_in(const char (&field)[kSize]) {
  return {field, ::strnlen(field, kSize)};
}

template <std::size_t kSize>
void put_name(char (&field)[kSize], std::string_view name) {
  assert(name.size() < kSize);
  std::memcpy(field, name.data(), std::min(name.size(), kSize - 1));
}

std::uint64_t header_sum(Header header, std::string_view entries) {
  header.header_sum = 0;
  return hash_combine(hash_bytes({reinterpret_cast<const char*>(&header), sizeof header}),
                      hash_bytes(entries));
}

// Only for files whose header was checked.
Header header_of(std::span<const std::byte> bytes) {
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

std::span<const Entry> entries_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const Entry*>(bytes.data() + sizeof(Header)), header_of(bytes).sections};
}

std::size_t aligned(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t content_offset(std::size_t sections) {
  return sizeof(Header) + sections * sizeof(Entry);
}

// What is wrong with the header; empty if nothing.
std::string header_problem(std::span<const std::byte> bytes, std::string_view kind, std::uint32_t version) {
  if (bytes.size() < sizeof(Header) || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) {
    return "not a data file of Capella";
  }
  const Header header = header_of(bytes);
  if (name_in(header.kind) != kind) return fmt::format("not a data file of the kind {}", kind);
  if (header.version != version) {
    return fmt::format("data of version {}, expected {}", header.version, version);
  }
  if (header.size != bytes.size() || content_offset(header.sections) > bytes.size()) {
    return fmt::format("damaged: {} bytes, expected {}", bytes.size(), header.size);
  }
  const std::string_view entries = text(bytes.subspan(sizeof header, header.sections * sizeof(Entry)));
  return header_sum(header, entries) == header.header_sum ? "" : "damaged: the header's checksum is wrong";
}

MappedFile map_file(const std::string& path, const std::string& remedy) {
  try {
    return MappedFile(path);
  } catch (const FileError& problem) {
    throw FileError(fmt::format("{}; {}", problem.what(), remedy));
  }
}

}  // namespace

SectionFile::SectionFile(const std::string& path, std::string_view kind, std::uint32_t version,
                         std::string remedy)
    : path_(path), remedy_(std::move(remedy)), file_(map_file(path_, remedy_)) {
  const std::string problem = header_problem(file_.bytes(), kind, version);
  if (!problem.empty()) throw FileError(fmt::format("{}: {}; {}", path_, problem, remedy_));
  if (header_of(file_.bytes()).modified != file_.modified()) check_content();
}

std::span<const std::byte> SectionFile::raw_section(std::string_view name, std::size_t item_size) const {
  const auto bytes = file_.bytes();
  for (const Entry& entry : entries_of(bytes)) {
    if (name_in(entry.name) != name) continue;
    const bool inside = entry.offset <= bytes.size() && entry.size <= bytes.size() - entry.offset;
    if (!inside || entry.offset % kAlignment != 0 || entry.size % item_size != 0) {
      reject(fmt::format("the section {} does not fit", name));
    }
    return bytes.subspan(entry.offset, entry.size);
  }
  reject(fmt::format("the section {} is missing", name));
}

void SectionFile::check_content() const {
  const auto bytes = file_.bytes();
  const Header header = header_of(bytes);
  const std::uint64_t sum = hash_bytes(text(bytes.subspan(content_offset(header.sections))));
  file_.forget();
  if (sum != header.content_sum) reject("the content's checksum is wrong");
}

void SectionFile::reject(std::string_view what) const {
  throw FileError(fmt::format("{}: damaged: {}; {}", path_, what, remedy_));
}

std::string section_file_bytes(std::string_view kind, std::uint32_t version,
                               std::span<const Section> sections, std::chrono::sys_seconds modified) {
  const std::size_t start = content_offset(sections.size());
  std::vector<Entry> entries(sections.size());
  std::string file(start, '\0');
  for (std::size_t i = 0; i < sections.size(); ++i) {
    file.resize(aligned(file.size()));
    put_name(entries[i].name, sections[i].name);
    entries[i].offset = file.size();
    entries[i].size = sections[i].bytes.size();
    file += sections[i].bytes;
  }
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  put_name(header.kind, kind);
  header.version = version;
  header.sections = static_cast<std::uint32_t>(sections.size());
  header.size = file.size();
  header.modified = std::chrono::nanoseconds(modified.time_since_epoch()).count();
  header.content_sum = hash_bytes(std::string_view(file).substr(start));
  const std::string_view table(reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(Entry));
  header.header_sum = header_sum(header, table);
  std::memcpy(file.data(), &header, sizeof header);
  table.copy(file.data() + sizeof header, table.size());
  return file;
}

void write_section_file(const std::string& path, std::string_view kind, std::uint32_t version,
                        std::span<const Section> sections) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  write_file_atomically(path, section_file_bytes(kind, version, sections, now), now);
}

}  // namespace capella::resource
