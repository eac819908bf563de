// Captions to learn from: what people and machines wrote about the same images, each with as many references.
//
// As in Sharif et al. 2018: of the five human captions of an image three are candidates, each with the other
// four as references; a machine's caption gets four of the five, drawn for it alone. Both classes then have
// the same number of references, which would otherwise give them away.
//
// Machines of today write captions that share more with the references than people's do: a network that
// learns to tell them apart learns to distrust good scores. So there is a second way to pair: a machine's
// caption is the one it wrote for another image, any or one that is alike, as a machine that sees badly would
// write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

namespace capella::method::composite {

/// For which image a machine wrote its caption.
enum class Machines {
  own,    ///< for the image it is held against, as in the paper
  other,  ///< for another one: the most alike of 1, 10 or 100 drawn at random
};

struct PairingOptions {
  std::size_t captions = 5;  ///< of an image that count; from images with more, so many are drawn
  std::size_t humans = 3;    ///< of these that are candidates
  Machines machines = Machines::own;
  std::uint64_t seed = 12345;
  std::function<bool(std::string_view image)> leaves_out = {};  ///< images that must not be learnt from
};

struct PairedCaptions {
  Dataset dataset;  ///< one item per candidate, one system
  std::vector<std::string> images;
  std::vector<std::string> systems;  ///< "human" or the system's name
  std::vector<double> human;         ///< 1 or 0
  std::size_t image_count = 0;
  std::size_t left_out = 0;  ///< images that must not be learnt from
  std::size_t too_few = 0;   ///< images with fewer captions than PairingOptions::captions
};

/// The references of `humans` are what people wrote, its systems what machines wrote. Throws DataError if no
/// image is left, UsageError for numbers that cannot be.
PairedCaptions pair_captions(const Dataset& humans, const PairingOptions& options);

/// What names an image of COCO in any of its spellings ("val2014/COCO_val2014_000000391895.jpg", "391895"):
/// its number; other names without folder and extension.
std::string image_key(std::string_view name);

}  // namespace capella::method::composite
