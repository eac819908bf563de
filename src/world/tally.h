// What came out in a world: counts beside the stated probabilities, and how many wrong captions claim
// something that is true nowhere, so that they can be told from the text alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "world/errors.h"
#include "world/rules.h"
#include "world/story.h"

namespace capella::world {

/// How often something could be so, and was.
struct Share {
  std::size_t all = 0;
  std::size_t hits = 0;

  void count(bool hit) {
    ++all;
    hits += hit ? 1 : 0;
  }
};

/// Counts that can be summed over images.
struct Counts {
  std::array<std::size_t, kSettings> settings{};
  std::array<std::size_t, 3> agents{};    ///< events with 1, 2, 3
  std::array<std::size_t, 3> extras{};    ///< scenes with 0, 1, 2
  std::array<std::size_t, 3> sizes{};     ///< groups of classes that may be medium, small, large
  std::array<std::size_t, 3> patterns{};  ///< groups of classes that may be plain, striped, spotted
  Share second_event, hat_of_riders, hat_of_others, close;
  std::array<std::array<std::size_t, kErrorRates.size()>, kErrorNames.size()> errors{};
  RuleCounts rules{};

  void add(const Counts& more);
};

/// Kinds of captions that hold a wrong claim.
inline constexpr std::array<std::string_view, 4> kWrongNames = {"wrong-attribute", "wrong-relation",
                                                                "hallucinated-object", "foil"};

/// What one image adds. Claims are numbers of triplets and of colours of classes.
struct Noted {
  using Claims = std::vector<std::uint32_t>;
  Counts counts;
  Claims true_claims;
  std::array<Claims, kWrongNames.size()> wrong_claims;  ///< of the image's caption of each kind
};
Noted note(const Story& story);

class Tally {
 public:
  Tally();

  void add(const Noted& noted);
  const Counts& counts() const { return counts_; }

  /// The captions of a kind, and those with a claim that is true in none of the images that were added.
  Share told_by_text(std::size_t kind) const;

 private:
  Counts counts_;
  std::vector<bool> true_;
  std::map<std::pair<std::size_t, Noted::Claims>, std::size_t> wrong_;  // by kind and claims
};

}  // namespace capella::world
