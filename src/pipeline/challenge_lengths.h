// Captions of other images that are much longer or shorter and name some of the same things: what a metric
// that goes by length, or by a word or two, takes for better ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

#include "base/random.h"
#include "base/thread_pool.h"
#include "world/foil_nouns.h"

namespace capella::pipeline {

class CaptionLengths {
 public:
  /// Both must outlive it.
  CaptionLengths(const Dataset& references, const world::FoilNouns& nouns, ThreadPool& pool);

  /// The shortest (or longest) of the image's captions that name a thing, if it is among the shortest third
  /// (longest fifth) of all captions; a place among the image's captions.
  std::optional<std::size_t> own(std::size_t image, bool shortest) const;

  /// Captions of other images, in an order drawn at random, at most a few: long ones if `caption` is short,
  /// and the other way round. Each names a thing that `caption` names and one of a category that is not
  /// mentioned.
  std::vector<std::string_view> opposites(std::size_t image, std::size_t caption, bool shortest,
                                          const std::vector<bool>& mentioned, Random& random) const;

 private:
  struct Entry {
    std::uint32_t image;
    std::uint32_t words;
    std::string_view text;
    std::vector<std::uint32_t> categories;  // of nouns that mean nothing else
  };
  Entry entry_of(std::size_t image, std::string_view caption) const;
  bool is_short(const Entry& entry) const { return entry.words <= short_; }
  bool is_long(const Entry& entry) const { return entry.words >= long_; }

  const Dataset& references_;
  const world::FoilNouns& nouns_;
  std::vector<Entry> entries_;                      // of all captions, in their order
  std::vector<std::size_t> first_;                  // per image, in entries_
  std::vector<std::vector<std::uint32_t>> shorts_;  // per category, in entries_
  std::vector<std::vector<std::uint32_t>> longs_;
  std::uint32_t short_ = 0;
  std::uint32_t long_ = 0;
};

}  // namespace capella::pipeline
