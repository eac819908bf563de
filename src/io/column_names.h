// The names under which rows, in JSON as in CSV, hold their id and their captions. Where a row has several,
// the first of the list counts: a COCO annotation has `id`, its own number, besides `image_id`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace capella::io {

inline constexpr std::array<std::string_view, 4> kIdNames{"image_id", "id", "image", "file_name"};
inline constexpr std::array<std::string_view, 4> kCaptionNames{"caption", "captions", "text", "references"};

/// How messages name the two lists.
inline constexpr std::string_view kIdNamesText = "image_id, id, image or file_name";
inline constexpr std::string_view kCaptionNamesText = "caption, captions, text or references";

/// The place of `name` in the list; the list's size if it is not there.
inline std::size_t rank_of(std::string_view name, const std::array<std::string_view, 4>& names) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace capella::io
