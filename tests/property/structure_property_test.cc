// Rules from triplets against their slow twin, on small images of few words.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "method/mln/rules/structure.h"
#include "reference/structure_reference.h"

namespace capella::test {
namespace {

using reference::ReferenceTriplet;
using reference::StructureFormula;

std::vector<StructureFormula> formulas_of(const method::mln::StructureResult& result) {
  std::vector<StructureFormula> out;
  for (const logic::Formula& formula : result.network.formulas) {
    const logic::FormulaStatistics& statistics = formula.statistics.value();
    RC_ASSERT(formula.weight.value() == statistics.support / statistics.groundings);
    RC_ASSERT(formula.weight.value() <= 1);
    out.push_back({logic::format_formula(formula, result.network),
                   static_cast<std::size_t>(statistics.images), static_cast<std::size_t>(statistics.support),
                   statistics.groundings});
  }
  return out;
}

TEST(StructureProperty, AgreesWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("the same formulas and numbers from both", [] {
    const std::vector<std::string> predicates = {"On", "Ride", "In", "Onto"};
    const std::vector<std::string> nouns = {"Man", "Bike", "Man2", "Dog", "Hat"};
    const auto literals = *rc::gen::inRange<std::size_t>(1, 7);
    const auto images = *rc::gen::inRange<std::size_t>(1, 8);
    std::vector<io::TripletRow> rows;
    std::vector<std::vector<ReferenceTriplet>> plain(images);
    for (std::size_t image = 0; image < images; ++image) {
      io::TripletRow row;
      row.image = std::to_string(image);
      const auto count = *rc::gen::inRange<std::size_t>(image == 0 ? 1 : 0, literals + 1);
      for (std::size_t k = 0; k < count; ++k) {
        const std::string subject = *rc::gen::elementOf(nouns);
        const std::string predicate = *rc::gen::elementOf(predicates);
        const std::string object = *rc::gen::elementOf(nouns);
        row.triplets.push_back({subject, predicate, object});
        plain[image].push_back({subject, predicate, object});
      }
      rows.push_back(row);
    }
    reference::StructureSettings settings;
    method::mln::StructureOptions options;
    options.top_predicates = settings.top_predicates = *rc::gen::inRange<std::size_t>(1, 5);
    options.longest = settings.longest = *rc::gen::inRange<std::size_t>(1, 5);
    options.ground = settings.ground = *rc::gen::arbitrary<bool>();
    options.tree = settings.tree = *rc::gen::arbitrary<bool>();
    options.min_images = settings.min_images = *rc::gen::inRange<std::size_t>(1, 4);
    options.min_confidence = settings.min_confidence = *rc::gen::element(0., .1, .5, 1.);
    options.threads = *rc::gen::inRange<std::size_t>(1, 3);
    RC_ASSERT(formulas_of(method::mln::learn_structure(rows, options)) ==
              reference::learn_structure(plain, settings));
  }));
}

}  // namespace
}  // namespace capella::test
