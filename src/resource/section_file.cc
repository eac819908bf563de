#include "resource/section_file.h"

#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"
#include "resource/section_layout.h"

namespace capella::resource {
namespace {

using section_layout::content_offset;
using section_layout::Entry;
using section_layout::Header;

std::string_view text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <std::size_t kSize>
std::string_view name_in(const char (&field)[kSize]) {
  return {field, ::strnlen(field, kSize)};
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

// What is wrong with the header; empty if nothing.
std::string header_problem(std::span<const std::byte> bytes, std::string_view kind, std::uint32_t version) {
  if (bytes.size() < sizeof(Header) ||
      std::memcmp(bytes.data(), section_layout::kMagic, sizeof section_layout::kMagic) != 0) {
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
  return section_layout::header_sum(header, entries) == header.header_sum
             ? ""
             : "damaged: the header's checksum is wrong";
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
    if (!inside || entry.offset % section_layout::kAlignment != 0 || entry.size % item_size != 0) {
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
  std::vector<Entry> entries;
  std::string file(start, '\0');
  for (const Section& section : sections) {
    file.resize(section_layout::aligned(file.size()));
    entries.push_back(section_layout::make_entry(section.name, file.size()));
    entries.back().size = section.bytes.size();
    file += section.bytes;
  }
  const std::uint64_t content_sum = hash_bytes(std::string_view(file).substr(start));
  section_layout::header_bytes({kind, version, file.size(), modified, content_sum}, entries)
      .copy(file.data(), start);
  return file;
}

void write_section_file(const std::string& path, std::string_view kind, std::uint32_t version,
                        std::span<const Section> sections) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  write_file_atomically(path, section_file_bytes(kind, version, sections, now), now);
}

}  // namespace capella::resource
