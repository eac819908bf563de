// Scene graphs against the official SPICE: from its own parser's trees to its tuples, counts and F on 1,600
// items.
//
// The official program walks through nodes and attributes in the order of Java's identity hashes. Where a
// word is equally similar to two of them it decides by chance, and another run of it may differ; in these
// files ours, the earliest, gives what it gave in every item.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "golden/meteor_golden.h"
#include "scene/facts.h"
#include "scene/match.h"
#include "scene/scene_graph.h"
#include "syntax/conll.h"

namespace capella::test {
namespace {

using Json = nlohmann::json;
using FactsOfCaption = std::map<std::string, std::vector<scene::Fact>, std::less<>>;
using Texts = std::vector<std::vector<std::string>>;

FactsOfCaption read_facts(const std::filesystem::path& path) {
  FactsOfCaption facts;
  for (const syntax::ParsedCaption& caption : syntax::read_trees(path.string())) {
    facts[caption.text] = scene::extract_facts(caption.sentences);
  }
  return facts;
}

/// As SPICE lists them: those that matched first.
Texts listed(const scene::SceneGraph& graph, const scene::Match::Side& side) {
  Texts texts;
  for (const bool matched : {true, false}) {
    for (std::size_t i = 0; i < side.tuples.size(); ++i) {
      if (side.matched[i] == matched) texts.push_back(graph.texts(side.tuples[i]));
    }
  }
  return texts;
}

/// What differs, or "".
std::string difference(const Json& item, const FactsOfCaption& facts, scene::Lexicon& lexicon) {
  scene::SceneGraph candidate(lexicon);
  candidate.add(facts.at(item.at("test").get<std::string>()));
  scene::SceneGraph references(lexicon);
  for (const Json& reference : item.at("refs")) references.add(facts.at(reference.get<std::string>()));
  const scene::Match match = scene::match_tuples(candidate, references);
  if (listed(candidate, match.candidate) != item.at("test_tuples").get<Texts>())
    return "the candidate's tuples";
  if (listed(references, match.references) != item.at("ref_tuples").get<Texts>())
    return "the references' tuples";
  const scene::CountsByCategory counts = scene::count_matches(candidate, references);
  for (std::size_t i = 0; i < scene::kCategories; ++i) {
    const auto expected = item.at("counts").find(scene::kCategoryNames[i]);  // Flickr8k's items have only All
    const Json found = {counts[i].true_positives, counts[i].false_positives, counts[i].false_negatives};
    if (expected == item.at("counts").end() ? i == 0 : found != *expected) return "counts";
  }
  const double f = scene::score(counts[0], scene::Category::all).f;
  return std::abs(f - item.at("f").get<double>()) <= 1e-12 ? "" : "F";
}

/// Compares every item of a file and lists those that differ.
std::size_t count_differences(const std::filesystem::path& path, const FactsOfCaption& facts,
                              scene::Lexicon& lexicon, std::size_t expected_items) {
  std::size_t items = 0;
  std::size_t different = 0;
  for_each_line(path, [&](const std::string& line) {
    const Json item = Json::parse(line);
    ++items;
    const std::string what = difference(item, facts, lexicon);
    if (what.empty()) return;
    ++different;
    std::cout << "differs in " << what << ": " << item.at("set") << ' ' << item.at("test") << '\n';
  });
  EXPECT_EQ(items, expected_items);
  return different;
}

TEST(SpiceTreesGolden, TuplesAndCountsOfOfficialTrees) {
  CAPELLA_NEED_SHARED(trees, "golden/golden_spice_trees.conll.gz");
  CAPELLA_NEED_SHARED(coco, "golden/golden_spice_coco.jsonl.gz");
  CAPELLA_NEED_SHARED(flickr, "golden/golden_spice_flickr8k.jsonl.gz");
  CAPELLA_NEED_SHARED(resources, "data/meteor-1.5/resources");
  const FactsOfCaption facts = read_facts(trees);
  scene::Lexicon lexicon(&meteor_table(resources, ""));
  EXPECT_EQ(count_differences(coco, facts, lexicon, 1000), 0u);
  EXPECT_EQ(count_differences(flickr, facts, lexicon, 600), 0u);
}

}  // namespace
}  // namespace capella::test
