// The names under which rows, in JSON as in CSV, hold their id and their captions. Where a row has several,
// the one that the user names counts, then the first of the list: a COCO annotation has `id`, its own number,
// besides `image_id`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace capella::io {

inline constexpr std::array<std::string_view, 4> kIdNames{"image_id", "id", "image", "file_name"};
inline constexpr std::array<std::string_view, 4> kCaptionNames{"caption", "captions", "text", "references"};

/// The place of `name` in the list; the list's size if it is not there.
template <std::size_t N>
std::size_t rank_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// The columns of one run: those the user names, which come first, and the known ones. Empty: none is named.
struct ColumnNames {
  static constexpr std::size_t kNoRank = 1 + kIdNames.size();

  std::string_view id;
  std::string_view caption;

  /// 0 for the column that the user names, kNoRank for one of another meaning.
  std::size_t id_rank(std::string_view name) const { return rank(name, id, kIdNames); }
  std::size_t caption_rank(std::string_view name) const { return rank(name, caption, kCaptionNames); }

 private:
  static std::size_t rank(std::string_view name, std::string_view named,
                          const std::array<std::string_view, 4>& known) {
    return !named.empty() && name == named ? 0 : 1 + rank_of(name, known);
  }
};

/// How messages end that say which columns, `found`, a row or a header has. A name that the user gave counts
/// in every file.
inline std::string lacks_id(std::string_view found, std::string_view named) {
  constexpr const char* kKnown = "image_id, id, image or file_name";
  if (named.empty())
    return fmt::format("no id: found {}, expected {}; name the column with --id-column NAME", found, kKnown);
  return fmt::format(
      "no id: found {}, expected '{}' as --id-column says, or {}; rename the column if files call it "
      "differently",
      found, named, kKnown);
}
inline std::string lacks_caption(std::string_view found, std::string_view named) {
  constexpr const char* kKnown = "caption, captions, text or references";
  if (named.empty())
    return fmt::format("no caption: found {}, expected {}; name the column with --caption-column NAME", found,
                       kKnown);
  return fmt::format(
      "no caption: found {}, expected '{}' as --caption-column says, or {}; rename the column if files call "
      "it differently",
      found, named, kKnown);
}

}  // namespace capella::io
