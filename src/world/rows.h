// What one image adds to the world's files, as rows of text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capella/world.h"

#include "world/judges.h"
#include "world/story.h"
#include "world/tally.h"

namespace capella::world {

/// The files that have rows; the systems' stand apart, and each split has judgements of its own.
enum class Table : std::uint8_t {
  dataset,
  references,
  objects,
  graphs,
  triplets,
  gold_triplets,
  concepts,
  atom_ranks,
  foil,
  raw_ratings,
  judgements,
  logic
};
inline constexpr std::size_t kTables = 12;
inline constexpr std::array<std::string_view, 3> kSplitNames = {"train", "val", "test"};

struct ImageRows {
  std::array<std::vector<std::string>, kTables> tables;
  std::vector<std::string> systems;  ///< one row each, kinds outermost
  std::vector<float> features;       ///< of the image
  std::size_t split = 0;
  std::size_t objects = 0;
  Noted noted;

  std::vector<std::string>& of(Table table) { return tables[static_cast<std::size_t>(table)]; }
};

/// An image's place in the world: everything that its rows depend on.
struct Place {
  const WorldOptions& options;
  const std::vector<Worker>& workers;
  std::uint64_t image;  ///< from 0
  std::size_t split;

  std::uint64_t id() const { return image + 1; }
};

ImageRows make_rows(const Place& place, const Story& story);

/// "000001.png"
std::string picture_name(std::uint64_t id);

}  // namespace capella::world
