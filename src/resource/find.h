// Where Capella's own data files are. One lookup order: $CAPELLA_HOME, then folders relative to the program
// or Python extension itself, never to the current directory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capella::resource {

/// Where data packages are installed: $CAPELLA_HOME, else ~/.cache/capella. Throws FileError if neither is
/// known.
std::string home();

/// The folder of the program or Python extension that runs this; empty if it is not known.
std::string own_folder();

/// The folders that are searched, first to last, whether they exist or not.
std::vector<std::string> search_path();

/// The file's path in the first folder that has it, e.g. find("models/coco-val.df").
std::optional<std::string> find(std::string_view relative);

/// As find(), but throws FileError naming the folders searched.
std::string need(std::string_view relative);

}  // namespace capella::resource
