// Nouns of captions exchanged for wrong ones of their kind: what FOIL-style sets and challenge sets share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

#include "base/random.h"
#include "base/thread_pool.h"
#include "syntax/tree.h"
#include "world/foil_nouns.h"

namespace capella::pipeline {

/// A noun of a caption that may be exchanged.
struct NounPlace {
  std::size_t caption;  ///< of the image
  world::FoilMention mention;
};

/// What an image's captions name.
struct NamedThings {
  std::vector<bool> mentioned;    ///< per category, by any of the captions
  std::vector<NounPlace> places;  ///< nouns whose category their caption mentions once; in their order
};

/// Which nouns may take another's place, drawn by how often they stand in all captions. Immutable.
class NounExchange {
 public:
  /// Both must outlive it.
  NounExchange(const Dataset& references, const world::FoilNouns& nouns, ThreadPool& pool);

  const world::FoilNouns& nouns() const { return nouns_; }
  const world::FoilNoun& noun_of(const NounPlace& place) const { return nouns_.nouns()[*place.mention.noun]; }

  NamedThings look_at(std::size_t image) const;

  /// Of the same super-category, number and length; of categories that are not mentioned.
  std::vector<std::uint32_t> replacements(const std::vector<bool>& mentioned,
                                          const world::FoilNoun& noun) const;

  /// One of the nouns, of which there must be one, by frequency; where no caption has any, each is as likely.
  std::uint32_t draw(std::span<const std::uint32_t> fitting, Random& random) const;

 private:
  const Dataset& references_;
  const world::FoilNouns& nouns_;
  std::vector<double> counts_;  // per noun, in all captions
};

/// Whether the mention is a noun to the parser, too, of the right number and no part of a longer name ("dog
/// food"). `trees` are the caption's.
bool is_noun_there(std::span<const syntax::Tree> trees, std::string_view caption,
                   const world::FoilMention& mention, const world::FoilNoun& noun);

/// Images in the order in which a set takes them if it does not take all; by the seed and their ids alone.
std::vector<std::size_t> drawn_order(const Dataset& references, std::uint64_t seed);

}  // namespace capella::pipeline
