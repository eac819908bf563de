// What a small CLIP learns from: pictures cut to size, captions as tokens, and the vocabulary that these
// need.
//
// Metrics put words before a caption ("A photo depicts "). A network that never saw them would take them for
// something that is told, so each caption is there in all wordings, and an epoch takes one of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/tokenizer/learn_bpe.h"
#include "encoder/tokenizer/tokenizer.h"
#include "method/clip_training/trainer.h"

namespace capella::method::clip_training {

/// What may stand before a caption: nothing, CLIPScore's words, DENEB's.
inline constexpr std::array<std::string_view, 3> kWordings = {"", "A photo depicts ", "In the image, "};

/// Learnt from all wordings of these captions.
encoder::LearntVocabulary learn_vocabulary(std::span<const std::string_view> captions,
                                           std::size_t most_merges);

/// Tokens of the longest wording of any of the captions, both ends counted; at most `most`.
std::size_t longest_caption(const encoder::Tokenizer& tokenizer, std::span<const std::string_view> captions,
                            std::size_t most);

/// All wordings of all captions: wording w of caption c has the number c * kWordings.size() + w. `images`
/// says which picture each caption belongs to; `rgb` are the pictures.
Pairs make_pairs(const encoder::Tokenizer& tokenizer, std::span<const std::string_view> captions,
                 std::span<const std::uint32_t> images, std::span<const std::uint8_t> rgb,
                 std::size_t most_tokens);

/// Every caption once, shuffled, each in a wording that is drawn.
std::vector<std::uint32_t> draw_order(std::size_t captions, std::uint64_t seed);

/// How often the nearest of the others is the own one: rows of `images` and of `texts` belong together.
struct Retrieval {
  double image_to_text = 0;
  double text_to_image = 0;
};
Retrieval retrieval(std::span<const float> images, std::span<const float> texts, std::size_t width);

/// config.json and preprocessor_config.json of a network of this recipe.
std::string config_text(const Recipe& recipe);
std::string preprocessor_text(const Recipe& recipe);

}  // namespace capella::method::clip_training
