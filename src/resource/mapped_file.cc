#include "resource/mapped_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capella/error.h"

namespace capella::resource {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw FileError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot be opened");
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (known && S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    throw FileError(path + ": is a folder, expected a file");
  }
  modified_ = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  size_ = known ? static_cast<std::size_t>(status.st_size) : 0;
  if (size_ > 0) data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  ::close(descriptor);
  if (!known || data_ == MAP_FAILED) fail(path, "cannot be mapped");
}

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(data_, size_);
}

void MappedFile::forget() const {
  if (size_ > 0) ::madvise(data_, size_, MADV_DONTNEED);
}

}  // namespace capella::resource
