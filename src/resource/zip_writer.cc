#include "resource/zip_writer.h"

#include <cerrno>
#include <ctime>
#include <exception>
#include <optional>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "capella/error.h"

#include "base/unfinished_file.h"

namespace capella::resource {

struct ZipWriter::State {
  explicit State(const std::string& named) : path(named), file(named), opened(::archive_write_new()) {}
  ~State() { ::archive_write_free(opened); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void check(la_ssize_t status) const {
    if (status >= ARCHIVE_OK) return;
    const char* reason = ::archive_error_string(opened);
    throw FileError(fmt::format("{}: cannot be written: {}", path, reason ? reason : "no reason given"));
  }

  // Called by libarchive, through which no exception may pass.
  static la_ssize_t write(archive* opened, void* state, const void* bytes, std::size_t size) {
    auto& self = *static_cast<State*>(state);
    try {
      self.file.write({static_cast<const char*>(bytes), size}, self.written);
    } catch (const std::exception& problem) {
      ::archive_set_error(opened, EIO, "%s", problem.what());
      return -1;
    }
    self.written += size;
    return static_cast<la_ssize_t>(size);
  }

  std::string path;
  UnfinishedFile file;
  archive* opened;
  std::uint64_t written = 0;
};

ZipWriter::ZipWriter(const std::string& path) : state_(std::make_unique<State>(path)) {
  archive* const opened = state_->opened;
  state_->check(::archive_write_set_format_zip(opened));
  state_->check(::archive_write_set_format_option(opened, "zip", "compression", "store"));
  state_->check(::archive_write_set_bytes_in_last_block(opened, 1));
  state_->check(::archive_write_open(opened, state_.get(), nullptr, State::write, nullptr));
}

ZipWriter::~ZipWriter() = default;

void ZipWriter::add(const std::string& name, std::string_view content) {
  constexpr std::time_t kFirstDay = 315532800;  // of zip: 1980-01-01
  constexpr mode_t kReadable = 0644;
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(::archive_entry_new(),
                                                                       ::archive_entry_free);
  ::archive_entry_set_pathname_utf8(entry.get(), name.c_str());
  ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
  ::archive_entry_set_filetype(entry.get(), AE_IFREG);
  ::archive_entry_set_perm(entry.get(), kReadable);
  ::archive_entry_set_mtime(entry.get(), kFirstDay, 0);
  state_->check(::archive_write_header(state_->opened, entry.get()));
  state_->check(::archive_write_data(state_->opened, content.data(), content.size()));
}

void ZipWriter::finish() {
  state_->check(::archive_write_close(state_->opened));
  const SignalHold hold;
  state_->file.publish(std::nullopt);
}

}  // namespace capella::resource
