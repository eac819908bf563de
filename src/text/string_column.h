// Many strings in one block of memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella::text {

class StringColumn {
 public:
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }

  void push_back(std::string_view text) {
    bytes_.append(text);
    finish_string();
  }

  /// For writers that build the last string in place: append to bytes(), then call finish_string().
  std::string& bytes() { return bytes_; }
  void finish_string() { ends_.push_back(bytes_.size()); }

  void append(const StringColumn& other) {
    const std::size_t offset = bytes_.size();
    bytes_.append(other.bytes_);
    for (const std::size_t end : other.ends_) ends_.push_back(offset + end);
  }

  void reserve(std::size_t strings, std::size_t bytes) {
    ends_.reserve(strings);
    bytes_.reserve(bytes);
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace capella::text
