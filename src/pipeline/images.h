// Pictures that are not there, and pictures of items whose ids are not the pictures' names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

namespace capella::pipeline {

/// Pictures that are not there, for messages.
class MissingPictures {
 public:
  /// `path`: the file that ImagePaths has found for the id; empty if it has none. Returns whether the picture
  /// is missing.
  bool add_unless_there(std::string_view id, const std::string& path);

  bool empty() const { return names_.empty(); }
  std::size_t size() const { return names_.size(); }
  /// "3, 7 (pictures/7.png) and 4 more": a file that is not there stands behind its id.
  std::string list() const;
  /// What to do; `naming` is how files in a folder are named.
  std::string remedy(std::string_view naming) const;

 private:
  std::vector<std::string> names_;
  bool has_paths_ = false;
};

/// The same data set with pictures; item k's is the one that with_images would find for the id names[k].
/// Throws DataError that lists the names without a picture.
Dataset with_named_images(const Dataset& dataset, const std::string& images,
                          std::span<const std::string_view> names);

}  // namespace capella::pipeline
