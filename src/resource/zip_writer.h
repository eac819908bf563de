// Zip archives, member by member, not packed. The same members give the same bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace capella::resource {

class ZipWriter {
 public:
  /// The file appears when finish() is called, whole. Throws FileError if it cannot be written.
  explicit ZipWriter(const std::string& path);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  void add(const std::string& name, std::string_view content);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace capella::resource
