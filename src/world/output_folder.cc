#include "world/output_folder.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "capella/error.h"

namespace capella::world {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, std::string_view what, const std::string& why) {
  throw FileError(fmt::format("{}: {}: {}", path, what, why));
}

// "world/" is "world"; "." has no name and nothing beside it.
fs::path folder_path(const std::string& folder) {
  fs::path path = fs::path(folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

void OutputFolder::check(const std::string& folder) {
  std::error_code unknown;
  if (folder.empty()) throw UsageError("name the folder to make with -o DIR");
  const fs::path path = folder_path(folder);
  if (path.empty() || path == "." || path == ".." || path == path.root_path())
    throw UsageError(fmt::format("{}: cannot be made; name a folder that is not there yet", folder));
  if (fs::is_symlink(fs::symlink_status(path, unknown)))
    throw UsageError(fmt::format("{}: is a link; name the folder that it stands for", folder));
  if (!fs::exists(path, unknown)) return;
  if (!fs::is_directory(path, unknown))
    throw UsageError(fmt::format("{}: is a file, expected a folder that is not there yet", folder));
  if (!fs::is_empty(path, unknown)) {
    throw UsageError(
        fmt::format("{}: the folder holds something already; remove it or name another", folder));
  }
}

OutputFolder::OutputFolder(const std::string& folder) : folder_(folder_path(folder)) {
  check(folder);
  partial_ = folder_.string() + fmt::format(".partial-{}", ::getpid());
  std::error_code problem;
  if (folder_.has_parent_path()) fs::create_directories(folder_.parent_path(), problem);
  if (!problem) fs::remove_all(partial_, problem);
  if (!problem) fs::create_directory(partial_, problem);
  if (problem) fail(folder, "cannot be made", problem.message());
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!done_) fs::remove_all(partial_, ignored);
}

void OutputFolder::make_folder(const std::string& name) const {
  std::error_code problem;
  fs::create_directories(partial_ / name, problem);
  if (problem) fail(path(name), "cannot be made", problem.message());
}

void OutputFolder::write(const std::string& name, std::string_view content) const {
  std::ofstream file(path(name), std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) fail(path(name), "cannot be written", std::strerror(errno));
}

void OutputFolder::finish() {
  std::error_code problem;
  fs::rename(partial_, folder_, problem);
  if (problem) fail(folder_.string(), "cannot be renamed into place", problem.message());
  done_ = true;
}

RowFile::RowFile(const OutputFolder& folder, const std::string& name, std::string_view opening,
                 std::string_view separator, std::string_view closing)
    : name_(folder.path(name)), file_(name_, std::ios::binary), separator_(separator), closing_(closing) {
  file_ << opening;
  check();
}

void RowFile::add(std::string_view row) {
  if (!first_) file_ << separator_;
  first_ = false;
  file_ << row;
  check();
}

void RowFile::add_bytes(std::string_view bytes) {
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check();
}

void RowFile::close() {
  file_ << closing_;
  file_.close();
  check();
}

void RowFile::check() const {
  if (!file_) fail(name_, "cannot be written", std::strerror(errno));
}

}  // namespace capella::world
