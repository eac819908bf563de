// What an adapter learns from: the captions of each image, as tokens, captions that people have rated, and
// which of them a step takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "encoder/token_batch.h"
#include "method/adapter_training/trainer.h"

namespace capella::method::adapter_training {

/// Captions by image. Captions with the same tokens are one.
class CaptionGroups {
 public:
  enum class Added : std::uint8_t { yes, too_few, again };

  /// An image with its captions, if at least `least` of them are different and no image has the very same:
  /// that is one image in two files.
  Added add(const encoder::TokenBatch& captions, std::size_t least);

  /// A rated caption, the first of these texts, with its references, the others.
  void add_rated(const encoder::TokenBatch& texts, double rating);

  std::size_t images() const { return ends_.size(); }
  /// Places in captions().
  const RatedRows& rated() const { return rated_; }
  /// All texts, each once.
  const encoder::TokenBatch& captions() const { return captions_; }
  /// Places in captions(), all different.
  std::span<const std::uint32_t> of(std::size_t image) const {
    const std::size_t begin = image == 0 ? 0 : ends_[image - 1];
    return std::span(members_).subspan(begin, ends_[image] - begin);
  }
  /// Changes with every token and with who belongs to whom.
  std::uint64_t fingerprint() const;

 private:
  std::uint32_t place_of(std::string_view bytes);

  encoder::TokenBatch captions_;
  std::vector<std::uint32_t> members_;
  std::vector<std::size_t> ends_;
  tsl::robin_map<std::string, std::uint32_t> places_;  // by the bytes of the tokens
  RatedRows rated_;
  tsl::robin_set<std::string> images_;  // by the bytes of all tokens, sorted
};

/// Changes with everything in it.
std::uint64_t hash_of(const RatedRows& rows);

/// What step `step`, from 1 on, takes: images in shuffles that are gone through one after the other, and of
/// each 1 + recipe.references captions in an order that is drawn; rated captions in shuffles of their own,
/// each with one to all of its references. Depends on nothing but what is given.
Drawn draw_step(const CaptionGroups& groups, const Recipe& recipe, std::uint64_t seed, std::size_t step);

}  // namespace capella::method::adapter_training
