#include "resource/word_vectors_file.h"

#include <cassert>
#include <chrono>

#include "capella/error.h"

namespace capella::resource {
namespace {

constexpr std::size_t kBuffer = 1 << 20;

// Not every file can be written at any place, and replaced by another in the end.
const std::string& checked(const std::string& path) {
  if (path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/")) {
    throw FileError(path + ": is not a regular file; give the path of a file that can be written");
  }
  return path;
}

}  // namespace

SectionStream::SectionStream(const std::string& path, std::string_view kind, std::uint32_t version,
                             std::size_t sections)
    : file_(checked(path)),
      kind_(kind),
      version_(version),
      sections_(sections),
      offset_(section_layout::content_offset(sections)) {
  XXH3_64bits_reset(&sum_);
}

void SectionStream::begin(std::string_view name) {
  assert(entries_.size() < sections_);
  const std::uint64_t end = offset_ + buffer_.size();
  const std::uint64_t start = section_layout::aligned(end);
  put(std::string(start - end, '\0'));
  entries_.push_back(section_layout::make_entry(name, start));
}

void SectionStream::append(std::string_view bytes) {
  entries_.back().size += bytes.size();
  put(bytes);
}

void SectionStream::put(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBuffer) flush();
}

void SectionStream::flush() {
  XXH3_64bits_update(&sum_, buffer_.data(), buffer_.size());
  file_.write(buffer_, offset_);
  offset_ += buffer_.size();
  buffer_.clear();
}

void SectionStream::finish() {
  assert(entries_.size() == sections_);
  flush();
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  file_.write(
      section_layout::header_bytes({kind_, version_, offset_, now, XXH3_64bits_digest(&sum_)}, entries_), 0);
  file_.publish(now);
}

}  // namespace capella::resource
