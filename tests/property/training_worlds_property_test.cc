// Rows that are made without grounding against those of grounded worlds, with networks that were learned from
// other triplets than the worlds'.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/thread_pool.h"
#include "method/mln/rules/structure.h"
#include "method/mln/rules/training_rows.h"
#include "method/mln/rules/training_worlds.h"

namespace capella::test {
namespace {

using logic::PseudoRows;
using method::mln::ConjunctionNetwork;

std::vector<io::TripletRow> random_rows(std::size_t images, std::size_t most, const std::string& prefix) {
  const std::vector<std::string> predicates = {"on", "ride", "in"};
  const std::vector<std::string> nouns = {"man", "bike", "dog"};
  std::vector<io::TripletRow> rows;
  for (std::size_t image = 0; image < images; ++image) {
    io::TripletRow row;
    row.image = prefix + std::to_string(image);
    const auto count = *rc::gen::inRange<std::size_t>(image == 0 ? 1 : 0, most);
    for (std::size_t k = 0; k < count; ++k)
      row.triplets.push_back(
          {*rc::gen::elementOf(nouns), *rc::gen::elementOf(predicates), *rc::gen::elementOf(nouns)});
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Row -> how many atoms of the world have it.
using RowCounts = std::map<std::vector<std::pair<std::uint32_t, double>>, std::size_t>;

RowCounts counts_of(const PseudoRows& rows, std::size_t world) {
  RowCounts counts;
  for (const PseudoRows::Use& use : rows.world(world)) {
    std::vector<std::pair<std::uint32_t, double>> row;
    for (std::size_t k = rows.starts()[use.row]; k < rows.starts()[use.row + 1]; ++k)
      row.emplace_back(rows.columns()[k], rows.values()[k]);
    counts[row] += use.count;
  }
  return counts;
}

TEST(TrainingWorldsProperty, FastRowsAreThoseOfGroundedWorlds) {
  EXPECT_TRUE(rc::check("the same rows from both", [] {
    std::vector<io::TripletRow> rows = random_rows(*rc::gen::inRange<std::size_t>(1, 6), 9, "a");
    method::mln::StructureOptions structure;
    structure.longest = *rc::gen::inRange<std::size_t>(1, 5);
    structure.ground = *rc::gen::arbitrary<bool>();
    structure.tree = *rc::gen::arbitrary<bool>();
    structure.min_images = *rc::gen::inRange<std::size_t>(1, 3);
    const logic::Network network = method::mln::learn_structure(rows, structure).network;
    if (network.formulas.empty()) return;
    RC_ASSERT(ConjunctionNetwork::make(network).has_value());
    for (io::TripletRow& row : random_rows(*rc::gen::inRange<std::size_t>(0, 4), 7, "b"))
      rows.push_back(std::move(row));

    method::mln::WorldOptions options;
    options.merged = *rc::gen::arbitrary<bool>();
    options.threads = *rc::gen::inRange<std::size_t>(1, 3);
    const PseudoRows fast = method::mln::training_rows(network, rows, options);
    const method::mln::GroundWorlds worlds = method::mln::training_worlds(network, rows, options);
    ThreadPool pool(1);
    const PseudoRows slow = logic::collect_rows(worlds.worlds, false, pool);
    RC_ASSERT(fast.worlds() == slow.worlds());
    for (std::size_t world = 0; world < fast.worlds(); ++world)
      RC_ASSERT(counts_of(fast, world) == counts_of(slow, world));
    RC_ASSERT(fast.atoms() == slow.atoms());
    RC_ASSERT(fast.empty_atoms() == slow.empty_atoms());
  }));
}

}  // namespace
}  // namespace capella::test
