// The data packages: what they are, where they come from, and where they lie once installed.
//
// A package is a row of the table in packages.cc and, unless its files stay as they are, a converter in
// install.cc.
#pragma once

#include <cstddef>
#include <cstdint>
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
  std::string_view use;           ///< how it is used
  std::string_view source;        ///< where it comes from, with version and licence
  std::string_view distribution;  ///< the Python package that has the files
  std::string_view version;
  std::span<const PinnedFile> files;
  std::string_view file_name;  ///< of the converted file, or of the folder
  /// Opens the converted file, and reads all of it if `whole`; throws FileError if it is not as it should be.
  void (*check)(const std::string& path, bool whole) = nullptr;
  /// Where it is not empty nothing is converted: the files below this path of the Python package become a
  /// folder.
  std::string_view folder_of = {};
  /// Of a model: what others call it.
  std::string_view model_name = {};

  bool is_folder() const { return !folder_of.empty(); }
  /// Where one of the files lies in the folder.
  std::string_view place_of(const PinnedFile& file) const { return file.path.substr(folder_of.size()); }
};

std::span<const Package> packages();

/// Throws UsageError, with the nearest name, if there is none.
const Package& package_by_name(std::string_view name);

/// The package of a model that is called so, by us or by others, with or without who made it
/// ("all-MiniLM-L6-v2"); null if there is none.
const Package* package_of_model(std::string_view name);

/// The path of the installed file or folder, whatever its state; nothing if there is none.
std::optional<std::string> find_installed(const Package& package);

/// Looks at what is installed at `path`, at all of it if `whole`; throws FileError if it is not as it should
/// be.
void check_installed(const Package& package, const std::string& path, bool whole);

/// Bytes of the installed file or files.
std::uintmax_t installed_size(const Package& package, const std::string& path);

/// Why the package cannot be used, and what to do: it is not there or damaged. Empty if it can. Reads the
/// whole file only if asked.
std::string problem_with(const Package& package, bool whole);

}  // namespace capella::resource
