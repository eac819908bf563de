// Rows of worlds without grounding everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "logic/language/language.h"
#include "logic/learn/pseudo_likelihood_rows.h"
#include "method/mln/rules/training_images.h"

namespace capella::method::mln {

/// A network whose formulas are conjunctions of atoms of two arguments, each of which a formula of one atom
/// covers: P(x,y) all of P, P(x,x) those with equal arguments, P(A,B) itself.
///
/// In such a network the row of an atom has, for each formula, the number of groundings that hold the atom
/// and whose other atoms are all true. Few atoms of a world are true, so most rows hold only what every atom
/// of the predicate has; these are counted, not listed.
class ConjunctionNetwork {
 public:
  struct Parts;

  /// Nothing if the network is not of that kind.
  static std::optional<ConjunctionNetwork> make(const logic::Network& network);
  ConjunctionNetwork(ConjunctionNetwork&&) noexcept;
  ~ConjunctionNetwork();

  /// Adds the rows of an image's world; `groups`: one group per predicate. May be called from many threads,
  /// for different `rows`.
  void add_world(const TrainingImage& image, bool groups, logic::PseudoRows& rows) const;

 private:
  explicit ConjunctionNetwork(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace capella::method::mln
