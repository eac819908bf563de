// What a caption generator thinks of captions that people wrote: for every word (and the end) the probability
// it gives to that word after the words before it, and how many words it finds more probable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace capella {

/// Flat lists: image i has the captions captions[i] ... captions[i + 1] - 1, and caption c the words words[c]
/// ... words[c + 1] - 1.
struct TokenProbabilities {
  std::vector<std::size_t> captions = {0};  ///< where each image's captions begin, and the end
  std::vector<std::size_t> words = {0};     ///< where each caption's words begin, and the end
  std::vector<double> probabilities;        ///< of each word, the end of the caption included
  std::vector<std::uint32_t> ranks;         ///< how many words are more probable; 0: none

  std::size_t image_count() const { return captions.size() - 1; }
  std::size_t caption_count() const { return words.size() - 1; }
};

}  // namespace capella
