#include "resource/word_vectors_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "capella/error.h"

namespace capella::resource {
namespace {

constexpr unsigned kFirstStep = 1 << 14;  // bytes read at once, at first
constexpr unsigned kLargestStep = 1 << 20;
constexpr unsigned kUnpackingBuffer = 1 << 17;

}  // namespace

ByteStream::ByteStream(const std::string& path) : path_(path), step_(kFirstStep) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;  // if not, gzopen says why
  if (exists && S_ISDIR(status.st_mode)) throw FileError(path + ": is a folder, expected a file");
  if (exists && !S_ISREG(status.st_mode)) {
    throw FileError(path +
                    ": is a pipe or a device, expected a file; write what comes from it to a file first");
  }
  file_.reset(::gzopen(path.c_str(), "rbe"));
  if (!file_) throw FileError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  ::gzbuffer(file_.get(), kUnpackingBuffer);
  file_size_ = static_cast<std::size_t>(status.st_size);
}

// Appends more bytes to the buffer; says whether there were any.
bool ByteStream::fill() {
  if (ended_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t used = buffer_.size();
  const unsigned step = std::exchange(step_, std::min(step_ * 2, kLargestStep));
  buffer_.resize(used + step);
  const int got = ::gzread(file_.get(), buffer_.data() + used, step);
  buffer_.resize(used + static_cast<std::size_t>(std::max(got, 0)));
  if (got == static_cast<int>(step)) return true;
  ended_ = true;
  int problem = Z_OK;
  const char* reason = ::gzerror(file_.get(), &problem);
  if (problem == Z_ERRNO) throw FileError(fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
  if (problem == Z_BUF_ERROR) {
    throw FileError(path_ + ": the gzip data ends too early; fetch or pack the file again");
  }
  if (problem != Z_OK && problem != Z_STREAM_END) {
    throw FileError(fmt::format("{}: damaged gzip data ({}); fetch or pack the file again", path_, reason));
  }
  return got > 0;
}

std::string_view ByteStream::peek(std::size_t count) {
  while (buffer_.size() - begin_ < count && fill()) {
  }
  return std::string_view(buffer_).substr(begin_, count);
}

bool ByteStream::next_line(std::string_view& line, std::size_t longest) {
  std::size_t searched = 0;
  std::size_t end = std::string::npos;
  while ((end = buffer_.find('\n', begin_ + searched)) == std::string::npos) {
    searched = buffer_.size() - begin_;
    if (searched > longest) {
      throw DataError(
          fmt::format("{}:{}: found a line of more than {} bytes; is this a file of word vectors?", path_,
                      line_ + 1, longest));
    }
    if (!fill()) break;
  }
  if (begin_ == buffer_.size()) return false;
  end = std::min(end, buffer_.size());
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = std::min(end + 1, buffer_.size());
  ++line_;
  return true;
}

std::size_t ByteStream::hundredths() const {
  const auto read = static_cast<std::size_t>(std::max<z_off_t>(::gzoffset(file_.get()), 0));
  return file_size_ == 0 ? 100 : std::min<std::size_t>(read * 100 / file_size_, 100);
}

}  // namespace capella::resource
