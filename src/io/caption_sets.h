// Karpathy's dataset.json with all that training a caption generator needs: every image with its split, and
// every caption word by word. Words are held once and captions as lists of their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella::io {

struct CaptionSets {
  std::string source;               ///< how messages name it
  std::vector<std::string> images;  ///< their names: `cocoid`, else `filename`
  std::vector<bool> numbered;       ///< whether the name of each image is a number in the file
  std::vector<std::string> splits;  ///< the names of splits, in order of appearance
  std::vector<std::size_t> split;   ///< of each image, a place in `splits`
  std::vector<std::string> words;   ///< every word once, in order of appearance

  // Flat lists: image i has the captions captions[i] ... of which caption c has the words ids[tokens[c]] ...
  std::vector<std::size_t> captions = {0};  ///< where each image's captions begin, and the end
  std::vector<std::size_t> tokens = {0};    ///< where each caption's words begin, and the end
  std::vector<std::uint32_t> ids;           ///< places in `words`

  std::span<const std::uint32_t> caption(std::size_t k) const {
    return std::span(ids).subspan(tokens[k], tokens[k + 1] - tokens[k]);
  }
};

/// Cuts a text into words, joined by single spaces.
using CutWords = void (*)(std::string_view text, std::string& out);

/// Throws FileError, or DataError that lists what is wrong in the form FILE:LINE: no JSON, no `images`, an
/// image without name, split or captions, a caption without words, an image that is there twice. The words of
/// a caption are its `tokens`; where there are none, its `raw` text as `cut` cuts it. A caption may be empty.
CaptionSets read_caption_sets(const std::string& path, CutWords cut);

}  // namespace capella::io
