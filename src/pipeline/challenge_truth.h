// What is true of the images of a generated world, as the makers of challenge sets ask for it.
//
// Scenes are made anew from the world's seed. That the folder's captions were written for these scenes is
// checked: a world of another version of the program is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

#include "world/scene.h"

namespace capella::pipeline {

class WorldTruth {
 public:
  /// Throws FileError or DataError if the folder is no world's.
  explicit WorldTruth(const std::string& folder, std::size_t threads);

  const Dataset& references() const { return references_; }

  /// Marks the classes that something in the scene can be called.
  void add_present(std::size_t image, std::vector<bool>& classes) const;

  bool is_true(std::size_t image, std::string_view caption) const;
  /// Whether it claims something that is wrong beyond doubt, however it is meant.
  bool is_wrong(std::size_t image, std::string_view caption) const;

 private:
  void check_captions() const;

  std::string folder_;
  std::uint64_t seed_ = 0;
  Dataset references_;
  std::vector<std::uint64_t> numbers_;  // of the images in the world, from 0
};

}  // namespace capella::pipeline
