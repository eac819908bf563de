// A set in the manner of FOIL: captions of people, each beside the same caption with one noun exchanged for a
// wrong one. Made from any reference captions, since only their words are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capella/dataset.h"
#include "capella/progress.h"

namespace capella {

struct FoilPair {
  std::string image;
  std::string caption;
  std::string foil;
  std::vector<std::string> references;  ///< the image's other captions
  std::string target_word;              ///< the noun that was exchanged, in lower case
  std::string foil_word;
};

struct FoilSetOptions {
  std::size_t pairs = 0;  ///< how many, each of another image; 0: one of every image where it can be done
  std::uint64_t seed = 12345;
  std::size_t threads = 0;  ///< 0: one per core; changes nothing in the set
  Progress progress;
};

/// One pair of each of some images, in the images' order. The exchanged noun names a thing of COCO's
/// categories; the wrong one is of the same super-category, of the same number, and none of the image's
/// captions mentions what it names. Wrong nouns are drawn by how often they stand in all captions. Fewer than
/// `pairs` come back if not more can be made. Throws DataError if none can, FileError if the parser's model
/// is not there.
std::vector<FoilPair> make_foil_set(const Dataset& references, const FoilSetOptions& options);

/// JSON lines {"image_id", "caption", "foil", "references", "target_word", "foil_word"}, which the benchmark
/// "foil" reads.
std::string foil_set_lines(std::span<const FoilPair> pairs);

}  // namespace capella
