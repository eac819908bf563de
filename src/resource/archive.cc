#include "resource/archive.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <unistd.h>

#include "capella/error.h"

namespace capella::resource {
namespace {

struct FreeArchive {
  void operator()(archive* opened) const { ::archive_read_free(opened); }
};
using Archive = std::unique_ptr<archive, FreeArchive>;

Archive new_archive() {
  Archive made(::archive_read_new());
  ::archive_read_support_format_zip(made.get());
  ::archive_read_support_format_tar(made.get());
  ::archive_read_support_filter_gzip(made.get());
  return made;
}

[[noreturn]] void fail(archive* opened, const std::string& called) {
  const char* reason = ::archive_error_string(opened);
  throw FileError(fmt::format("{}: cannot be read as a zip or tar.gz archive: {}; fetch it again", called,
                              reason != nullptr ? reason : "no reason given"));
}

bool ends_as_path(std::string_view path, std::string_view name) {
  return path.ends_with(name) && (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

std::string read_entry(archive* opened, const std::string& called, std::size_t most) {
  std::string content;
  char buffer[1 << 16];
  la_ssize_t got = 0;
  while (content.size() <= most && (got = ::archive_read_data(opened, buffer, sizeof buffer)) > 0) {
    content.append(buffer, static_cast<std::size_t>(got));
  }
  if (got < 0) fail(opened, called);
  return content;
}

Archive open_archive(const std::string& path) {
  constexpr std::size_t kBlock = 1 << 18;
  if (::access(path.c_str(), R_OK) != 0) {
    throw FileError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  }
  Archive opened = new_archive();
  if (::archive_read_open_filename(opened.get(), path.c_str(), kBlock) != ARCHIVE_OK)
    fail(opened.get(), path);
  return opened;
}

// Goes through the archive until all names are found.
Members read_from(archive* opened, const std::string& called, std::span<const std::string_view> names,
                  std::size_t most) {
  Members members;
  archive_entry* entry = nullptr;
  while (members.size() < names.size()) {
    const int status = ::archive_read_next_header(opened, &entry);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN) fail(opened, called);
    const char* path = ::archive_entry_pathname(entry);
    for (const std::string_view name : names) {
      if (path == nullptr || !ends_as_path(path, name) || members.contains(name)) continue;
      members.emplace(name, read_entry(opened, called, most));
      break;
    }
  }
  return members;
}

}  // namespace

Members read_members(const std::string& path, std::span<const std::string_view> names, std::size_t most) {
  const Archive opened = open_archive(path);
  return read_from(opened.get(), path, names, most);
}

Members read_members_of(std::string_view bytes, const std::string& called,
                        std::span<const std::string_view> names) {
  const Archive opened = new_archive();
  if (::archive_read_open_memory(opened.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
    fail(opened.get(), called);
  }
  return read_from(opened.get(), called, names, kNoLimit);
}

void visit_members(const std::string& path,
                   const std::function<void(std::string_view, const std::string&)>& visit) {
  const Archive opened = open_archive(path);
  archive_entry* entry = nullptr;
  for (;;) {
    const int status = ::archive_read_next_header(opened.get(), &entry);
    if (status == ARCHIVE_EOF) return;
    if (status < ARCHIVE_WARN) fail(opened.get(), path);
    if (::archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* name = ::archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = ::archive_entry_pathname(entry);
    if (name == nullptr) fail(opened.get(), path);
    visit(name, read_entry(opened.get(), path, kNoLimit));
  }
}

}  // namespace capella::resource
