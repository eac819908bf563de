// The parser's network against its slow twin, on random weights and words.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "reference/network_reference.h"
#include "support/small_parser_model.h"
#include "support/temp_dir.h"
#include "syntax/network.h"

namespace capella::test {
namespace {

using syntax::ArcScores;
using syntax::Sentence;
using syntax::Workspace;

ParserSizes random_sizes() {
  ParserSizes sizes;
  sizes.width = 16 * *rc::gen::inRange<std::size_t>(1, 7);
  sizes.layers = *rc::gen::inRange<std::size_t>(1, 4);
  sizes.hidden = 16 * *rc::gen::inRange<std::size_t>(1, 6);
  sizes.affixes = *rc::gen::inRange<std::size_t>(1, 90);
  sizes.arc = 16 * *rc::gen::inRange<std::size_t>(1, 5);
  sizes.label = 16 * *rc::gen::inRange<std::size_t>(1, 5);
  return sizes;
}

Sentence random_sentence() {
  const auto letter = rc::gen::element('a', 'e', 'm', 'n', 's', 'D', '3', '-', '.', '\xC3', '\xA9');
  const auto word = rc::gen::oneOf(rc::gen::element<std::string>("a", "Man", "riding", "beach", "DOG", "."),
                                   rc::gen::resize(8, rc::gen::container<std::string>(letter)));
  return {*rc::gen::resize(20, rc::gen::container<std::vector<std::string>>(word))};
}

// Rounding may differ by one step where float and double sums differ in the last bits; so answers are near,
// and a choice is as good as the twin's best.
constexpr float kNear = 0.05f;

bool is_best(const reference::Row& scores, std::size_t chosen) {
  return scores[chosen] >= *std::max_element(scores.begin(), scores.end()) - kNear;
}

TEST(Network, AgreesWithItsTwin) {
  EXPECT_TRUE(rc::check("network", [] {
    const TempDir folder;
    const SmallParserModel model(random_sizes(), *rc::gen::arbitrary<std::uint64_t>());
    const std::string path = folder.write("model", model.bytes());
    const syntax::Network network(path);
    const reference::NetworkReference twin(path);
    std::vector<Sentence> sentences = {random_sentence(), random_sentence()};
    if (sentences[0].words.size() < sentences[1].words.size()) std::swap(sentences[0], sentences[1]);
    Workspace workspace;
    network.run(std::vector<std::size_t>{0, 1}, sentences, workspace);
    std::vector<int> heads(workspace.rows, 0);
    for (const auto& place : workspace.places) {
      for (std::size_t i = 2; i <= place.words; ++i) heads[place.first + i] = 1;
    }
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      const auto& place = workspace.places[s];
      const reference::NetworkScores expected = twin.run(sentences[s].words);
      const ArcScores arcs = network.arc_scores(place, workspace);
      std::vector<std::size_t> tags(place.words);
      network.best_tags(place, workspace, tags);
      for (std::size_t i = 1; i <= place.words; ++i) {
        RC_ASSERT(is_best(expected.tags[i - 1], tags[i - 1]));
        for (std::size_t j = 0; j <= place.words; ++j) {
          RC_ASSERT(std::fabs(arcs.at(i, j) - expected.arcs[i - 1][j]) < kNear);
        }
      }
    }
    std::vector<std::size_t> relations(workspace.rows);
    network.best_relations(heads, workspace, relations);
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      const reference::NetworkScores expected = twin.run(sentences[s].words);
      for (std::size_t i = 2; i <= sentences[s].words.size(); ++i) {
        reference::Row scores = twin.relations(expected, i, 1);
        scores[1] = -1e9f;  // "root" is for the child of ROOT
        RC_ASSERT(is_best(scores, relations[workspace.places[s].first + i]));
      }
    }
  }));
}

}  // namespace
}  // namespace capella::test
