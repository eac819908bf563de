// Objects that a detector found in images: objects.jsonl, with features in .npy files beside it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "io/array_file.h"

namespace capella::io {

struct DetectedObject {
  std::string label;
  std::vector<std::string> aliases;  ///< other words for it
  std::array<double, 4> box{};       ///< x1, y1, x2, y2 in pixels
  double score = 1;

  /// Whether the word is its label or an alias.
  bool is_called(std::string_view word) const;
};

struct ImageObjects {
  std::string image;
  double width = 0, height = 0;
  std::vector<DetectedObject> objects;
  std::string features;  ///< a path, made absolute or relative to the working folder; empty: none
};

/// JSON lines, or a JSON list of the same rows; .gz and "-" as everywhere. Throws DataError "FILE:LINE: ..."
/// for malformed rows and for an image that comes twice. Boxes and sizes may be missing where nothing needs
/// them (then 0). The features are not opened.
std::vector<ImageObjects> read_objects(const std::string& path);

/// A row per object. Throws DataError or FileError that names the file if there is none, if it has another
/// number of rows or numbers that are not finite. Of an image without objects nothing is read.
Matrix read_object_features(const ImageObjects& image);

}  // namespace capella::io
