// The network of one image: the learned rules over the things that were detected in it, and what their boxes
// say about each relation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "capella/claim.h"

#include "io/objects.h"
#include "logic/ground/ground.h"
#include "logic/ground/ground_network.h"
#include "method/mln/attention/attention.h"

namespace capella::method::mln {

struct ImageNetwork {
  std::string image;
  std::vector<std::string> things;  ///< labels of what was detected, ascending, each once
  std::vector<Claim> atoms;         ///< one per atom of the network
  logic::GroundNetwork network;
  /// Atoms that an attention network knows, but whose two things are not two boxes: nothing was asked. Not
  /// kept in files.
  std::size_t empty_bags = 0;
};

struct ImageGroundOptions {
  bool aliases = false;  ///< other words for a thing are constants, too
  double tau = 1;        ///< multiplies the attention networks' log odds; 0: they are not asked
};

/// Grounds one image after the other; many threads may do so at once.
class ImageGrounder {
 public:
  /// `models` may be null, and must outlive this. Throws DataError for predicates that do not have two
  /// arguments.
  ImageGrounder(const logic::Network& network, const AttentionModels* models,
                const ImageGroundOptions& options);

  /// Throws DataError if there are `models` and the objects have no features.
  ImageNetwork ground(const io::ImageObjects& image) const;

  /// Atoms of an image whose predicate no attention network knows.
  std::size_t without_model(const ImageNetwork& image) const;

 private:
  Claim claim_of(std::span<const std::uint32_t> parts) const;
  void ask_objects(const io::ImageObjects& image, ImageNetwork& made) const;

  const AttentionModels* models_;
  ImageGroundOptions options_;
  logic::Grounder grounder_;
  std::map<std::string, logic::ConstantId, std::less<>> constants_;  // by label
  std::vector<std::string> predicate_labels_, constant_labels_;      // by number
};

/// Where to find the atom of a claim.
class AtomIndex {
 public:
  explicit AtomIndex(const ImageNetwork& image);
  /// The number of the atom, or the number of atoms if there is none.
  std::size_t find(const Claim& claim) const;

 private:
  std::vector<std::size_t> order_;  // by claim
  const std::vector<Claim>& atoms_;
};

}  // namespace capella::method::mln
