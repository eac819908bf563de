// Whole files in, whole files out.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella {

/// The content of a file, unpacked if it is gzip (recognised by content). "-" is standard input.
/// Throws FileError with the path and the system's reason.
std::string read_file(const std::string& path);

/// The content of a file as it is.
std::string read_file_as_is(const std::string& path);

/// Unpacks gzip data; `path` is for errors.
std::string gunzip(std::string_view packed, const std::string& path);

/// Writes the file so that it appears whole or not at all: to a temporary name beside it, then renamed.
/// What is no regular file (a pipe, a device) is written straight, and "-" is standard output. The file
/// appears with the modification time `modified` if one is given. Throws FileError.
void write_file_atomically(const std::string& path, std::string_view content,
                           std::optional<std::chrono::sys_seconds> modified = std::nullopt);

/// A file that is to be written into some folder.
struct NamedContent {
  std::string name;
  std::string content;
};

/// Makes the folder if it is not there and writes each file into it, whole or not at all. Returns their
/// paths.
std::vector<std::string> write_into_folder(const std::string& folder, std::span<const NamedContent> files);

}  // namespace capella
