// The data packages: what they are, where they come from, and where they lie once installed.
//
// A package is a row of the table in packages.cc and a converter in install.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace capella::resource {

/// A file of a Python package that must have exactly this content.
struct PinnedFile {
  std::string_view path;  ///< inside the Python package
  std::size_t size;
  std::string_view sha256;
};

struct Package {
  std::string_view name;
  std::string_view summary;       ///< what it is and what needs it
  std::string_view source;        ///< where it comes from, with version and licence
  std::string_view distribution;  ///< the Python package that has the files
  std::string_view version;
  std::span<const PinnedFile> files;
  std::string_view file_name;  ///< of the converted file
  /// Opens the converted file, and reads all of it if `whole`; throws FileError if it is not as it should be.
  void (*check)(const std::string& path, bool whole);
};

std::span<const Package> packages();

/// Throws UsageError, with the nearest name, if there is none.
const Package& package_by_name(std::string_view name);

/// The path of the installed file, whatever its state; nothing if there is none.
std::optional<std::string> find_installed(const Package& package);

/// Why the package cannot be used, and what to do: it is not there or damaged. Empty if it can. Reads the
/// whole file only if asked.
std::string problem_with(const Package& package, bool whole);

}  // namespace capella::resource
