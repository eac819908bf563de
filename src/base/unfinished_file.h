// A file that appears whole or not at all: it is written without a name, so that a killed process leaves
// nothing, and gets its own when it is finished. Where the file system knows no files without names it is
// written under a temporary one, NAME.PID.N.part.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capella {

/// Holds back signals that end the process, so that no temporary file is left behind.
class SignalHold {
 public:
  SignalHold();
  ~SignalHold();
  SignalHold(const SignalHold&) = delete;
  SignalHold& operator=(const SignalHold&) = delete;

 private:
  sigset_t before_{};
};

class UnfinishedFile {
 public:
  /// A link is followed, so that what it points to is replaced. Throws FileError if `path` is no regular
  /// file, or nothing can be written beside it.
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  void write(std::string_view bytes, std::uint64_t offset);
  /// The file appears under its path, with this modification time if one is given, and takes the place and
  /// the permissions of one that was there.
  void publish(std::optional<std::chrono::sys_seconds> modified);

 private:
  [[noreturn]] void fail(std::string_view what) const;
  bool open_nameless();
  void open_named();
  void give_name();

  std::string path_;
  std::string part_;  // the temporary name; empty while the file has none
  int descriptor_ = -1;
};

}  // namespace capella
