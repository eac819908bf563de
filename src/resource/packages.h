// The data packages: what they are, where they come from, and where they lie once installed.
//
// A package is a row of the table in packages.cc and a converter in install.cc.
#pragma once

#include <cstddef>
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

/// The path of the installed file, or where it would lie.
std::string place_of(const Package& package);

/// Whether place_of() has a file, whatever its state.
bool is_there(const Package& package);

}  // namespace capella::resource
