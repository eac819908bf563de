// The bytes of a file one after the other, unpacked if it is gzip (recognised by content), for files too
// large to be held in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <zlib.h>

namespace capella::resource {

class ByteStream {
 public:
  /// Throws FileError if the file cannot be opened; so do the functions below if it cannot be read.
  explicit ByteStream(const std::string& path);

  const std::string& path() const { return path_; }

  /// The next bytes without taking them: `count`, or fewer if the file ends before. Valid until the next
  /// call.
  std::string_view peek(std::size_t count);
  /// Takes bytes that were seen with peek().
  void skip(std::size_t count) { begin_ += count; }

  /// Takes the next line, without its "\n"; says whether there is one. Throws DataError if it is longer than
  /// `longest`.
  bool next_line(std::string_view& line, std::size_t longest);
  /// How many lines were taken.
  std::size_t line() const { return line_; }

  /// How many hundredths of the file were read.
  std::size_t hundredths() const;

 private:
  struct Close {
    void operator()(gzFile_s* file) const { ::gzclose(file); }
  };
  bool fill();

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::size_t file_size_ = 0;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is not taken yet
  std::size_t line_ = 0;
  unsigned step_;  // bytes to read at once the next time
  bool ended_ = false;
};

}  // namespace capella::resource
