// The names of systems, from the words of the command line.
//
// A word is a path, "-" for standard input, or NAME=FILE where no file of that whole name exists. Without
// NAME, a system is called after its file, without `.gz` and one extension; systems of one name get their
// folders in front, and a number if they have no folders that differ.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace capella::io {

struct SystemFile {
  std::string name;
  std::string path;
};

/// One for each word, in order; no two names are equal. Throws UsageError if two words give the same NAME.
std::vector<SystemFile> name_systems(std::span<const std::string> words);

}  // namespace capella::io
