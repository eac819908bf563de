// Headword chains agree with their slow twin, on random trees and on what a parser makes of random captions.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "metric/hwcm.h"
#include "metric/hwcm_chains.h"
#include "property/corpus_generator.h"
#include "reference/hwcm_reference.h"
#include "support/known_facts.h"
#include "support/metric_texts.h"

namespace capella::test {
namespace {

using metric::ByLength;
using metric::ChainJoin;
using metric::ChainOf;
using metric::Chains;
using metric::hwcm_scores;
using reference::ParsedText;

// Few lemmas and labels, so that chains repeat.
rc::Gen<syntax::Token> token() {
  static const std::vector<std::string> kLemmas = {"dog", "Dog", "man", "ride", "a"};
  static const std::vector<std::string> kRelations = {"det", "nmod", "dobj"};
  return rc::gen::map(
      rc::gen::tuple(rc::gen::elementOf(kLemmas), rc::gen::elementOf(kRelations), rc::gen::inRange(0, 1000)),
      [](const std::tuple<std::string, std::string, int>& parts) {
        const auto& [lemma, relation, head] = parts;
        return syntax::Token{lemma, lemma, "NN", head, relation};
      });
}

// Words are hung one after the other below one that hangs already; some are left out, and some trees are
// turned round, so that heads stand before and behind.
syntax::Tree hang(std::vector<syntax::Token> tokens, bool turned) {
  std::vector<int> hung;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    syntax::Token& token = tokens[i];
    if (token.head % 10 == 9) {
      token.head = syntax::kNoHead;
      token.relation.clear();
      continue;
    }
    if (hung.empty()) token.relation = "root";
    token.head = hung.empty() ? 0 : hung[static_cast<std::size_t>(token.head) % hung.size()];
    hung.push_back(static_cast<int>(i) + 1);
  }
  if (turned) {
    std::reverse(tokens.begin(), tokens.end());
    for (syntax::Token& token : tokens) {
      if (token.head > 0) token.head = static_cast<int>(tokens.size()) + 1 - token.head;
    }
  }
  return {std::move(tokens)};
}

rc::Gen<ParsedText> parsed_text() {
  const auto words = rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 14), [](std::size_t size) {
    return rc::gen::container<std::vector<syntax::Token>>(size, token());
  });
  const auto tree = rc::gen::map(rc::gen::pair(words, rc::gen::arbitrary<bool>()),
                                 [](const std::pair<std::vector<syntax::Token>, bool>& parts) {
                                   return hang(parts.first, parts.second);
                                 });
  return rc::gen::mapcat(rc::gen::weightedElement<std::size_t>({{1, 0}, {6, 1}, {2, 2}}),
                         [=](std::size_t size) { return rc::gen::container<ParsedText>(size, tree); });
}

std::string text_of(const ParsedText& text) {
  std::string all;
  for (const syntax::Tree& tree : text) {
    for (const syntax::Token& token : tree.tokens)
      all += token.lemma + '(' + std::to_string(token.head) + ',' + token.relation + ") ";
    all += "| ";
  }
  return all;
}

TEST(HwcmProperty, ScoresAreEqualToTheLastBit) {
  EXPECT_TRUE(rc::check("HWCM-1 to HWCM-4 of one reference", [] {
    const ParsedText caption = *parsed_text();
    ParsedText reference = *parsed_text();
    const bool has_all = *rc::gen::arbitrary<bool>();  // long chains match by chance too seldom
    if (has_all) reference.insert(reference.end(), caption.begin(), caption.end());
    RC_LOG() << text_of(caption) << '\n' << text_of(reference) << '\n';
    for (const ChainOf of : {ChainOf::lemmas, ChainOf::labels}) {
      for (const ChainJoin join : {ChainJoin::nodes, ChainJoin::values}) {
        const ByLength found =
            hwcm_scores(chain_overlaps(Chains(caption, of, join), Chains(reference, of, join)));
        RC_ASSERT(found ==
                  reference::hwcm(caption, {reference}, {of == ChainOf::labels, join == ChainJoin::values}));
      }
    }
  }));
}

TEST(HwcmProperty, CountsAreThoseOfTheTwin) {
  EXPECT_TRUE(rc::check("number of chains", [] {
    const ParsedText text = *parsed_text();
    for (const bool by_value : {false, true}) {
      const Chains chains(text, ChainOf::labels, by_value ? ChainJoin::values : ChainJoin::nodes);
      const auto slow = reference::headword_chains(text, {true, by_value});
      for (std::size_t n = 0; n < 4; ++n)
        RC_ASSERT(chains.counts()[n] == static_cast<double>(slow[n].size()));
    }
  }));
}

/// Chains that follow words are among those that follow values, and no text has more in common with another
/// than with itself.
TEST(HwcmProperty, Laws) {
  EXPECT_TRUE(rc::check("order of counts", [] {
    const ParsedText a = *parsed_text();
    const ParsedText b = *parsed_text();
    const Chains nodes(a, ChainOf::lemmas, ChainJoin::nodes);
    const Chains values(a, ChainOf::lemmas, ChainJoin::values);
    const Chains other(b, ChainOf::lemmas, ChainJoin::nodes);
    const ByLength both = Chains::in_common(nodes, other);
    RC_ASSERT(both == Chains::in_common(other, nodes));
    RC_ASSERT(Chains::in_common(nodes, nodes) == nodes.counts());
    RC_ASSERT(Chains::in_common(values, values) == values.counts());
    for (std::size_t n = 0; n < 4; ++n) {
      RC_ASSERT(both[n] <= std::min(nodes.counts()[n], other.counts()[n]));
      RC_ASSERT(nodes.counts()[n] <= values.counts()[n]);
      RC_ASSERT(n == 0 || nodes.counts()[n] <= nodes.counts()[n - 1]);
    }
  }));
}

TEST(HwcmProperty, RowsAgreeWithTheSlowTwin) {
  const KnownFacts facts{{}};  // a parser that was never trained
  EXPECT_TRUE(rc::check("rows of a corpus", [&] {
    const Corpus corpus = *plain_corpus();
    const bool by_value = *rc::gen::arbitrary<bool>();
    metric::Settings settings("hwcm", metric::kHwcmSettings);
    settings.set("chains", by_value ? "values" : "nodes");
    const auto hwcm = metric::make_hwcm(settings);
    metric::Resources resources;
    resources.facts = &facts.get();
    const auto rows = MetricTexts(corpus, text::Detail::tokens).rows(*hwcm, resources);
    const auto parse = [&](const std::string& text) {
      const std::string_view texts[] = {text};
      return facts.get().parser().parse(texts)[0];
    };
    for (std::size_t item = 0; item < corpus.size(); ++item) {
      std::vector<ParsedText> references;
      for (const std::string& reference : corpus[item].references) references.push_back(parse(reference));
      for (const bool labels : {false, true}) {
        const auto expected = reference::hwcm(parse(corpus[item].caption), references, {labels, by_value});
        for (std::size_t n = 0; n < 4; ++n) RC_ASSERT(rows[9 * item + (labels ? 4 : 0) + n] == expected[n]);
      }
      RC_ASSERT(rows[9 * item + 8] == 1.0);
    }
  }));
}

}  // namespace
}  // namespace capella::test
