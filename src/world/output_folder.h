// A folder that appears whole or not at all: everything is written to one beside it, which is renamed at the
// end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace capella::world {

class OutputFolder {
 public:
  /// Throws UsageError if the folder holds something already, FileError if it cannot be made.
  explicit OutputFolder(const std::string& folder);
  ~OutputFolder();  ///< removes what was written if finish() was not called
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Where a file of this name is written for now.
  std::string path(const std::string& name) const { return (partial_ / name).string(); }

  void make_folder(const std::string& name) const;

  /// Writes a whole file. Throws FileError.
  void write(const std::string& name, std::string_view content) const;

  /// The folder takes its name.
  void finish();

  /// Throws UsageError if the folder holds something already, or is a link, which could not be replaced.
  static void check(const std::string& folder);

 private:
  std::filesystem::path folder_;
  std::filesystem::path partial_;
  bool done_ = false;
};

/// A file that rows are added to: JSON lines, a JSON list, CSV. Throws FileError when it cannot be written.
class RowFile {
 public:
  RowFile(const OutputFolder& folder, const std::string& name, std::string_view opening,
          std::string_view separator, std::string_view closing);

  void add(std::string_view row);
  void add_bytes(std::string_view bytes);  ///< as they are
  void close();

 private:
  void check() const;

  std::string name_;
  std::ofstream file_;
  std::string separator_;
  std::string closing_;
  bool first_ = true;
};

}  // namespace capella::world
