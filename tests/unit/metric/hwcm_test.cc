#include "metric/hwcm.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "metric/hwcm_chains.h"
#include "metric/hwcm_explanation.h"
#include "metric/hwcm_texts.h"
#include "support/known_facts.h"
#include "support/metric_texts.h"
#include "unit/scene/tree_text.h"

namespace capella::metric {
namespace {

using reference::Item;
using test::MetricTexts;
using test::tree_of;
using Trees = std::vector<syntax::Tree>;
using Rows = std::vector<std::vector<std::string>>;

// ride > man > {a, young}, ride > horse > a
const Trees kRides = {
    tree_of("a/DT/3/det young/JJ/3/amod man/NN/4/nsubj rides=ride/VBZ/0/root a/DT/6/det horse/NN/4/dobj")};
// ride > man > a, ride > bike > {a, red}
const Trees kRode = {
    tree_of("A=A/DT/2/det man/NN/3/nsubj rode=ride/VBD/0/root a/DT/6/det red/JJ/6/amod bike/NN/3/dobj")};
// see > dog, see > dog > {a, big}: two dogs, of which one is described
const Trees kDogs = {tree_of("dog/NN/2/nsubj sees=see/VBZ/0/root a/DT/5/det big/JJ/5/amod dog/NN/2/dobj")};
// side > street > town
const Trees kNested = {tree_of("side/NN/0/root street/NN/1/nmod town/NN/2/nmod")};

ByLength counts(const Trees& trees, ChainOf of, ChainJoin join = ChainJoin::nodes) {
  return Chains(trees, of, join).counts();
}

ByLength common(const Trees& a, const Trees& b, ChainOf of, ChainJoin join = ChainJoin::nodes) {
  return Chains::in_common(Chains(a, of, join), Chains(b, of, join));
}

TEST(HwcmChains, EveryWordEndsOneChainOfEachLength) {
  // ride is the root; man and horse lie one below; a, young and a two below.
  for (const ChainOf of : {ChainOf::lemmas, ChainOf::labels})
    EXPECT_EQ(counts(kRides, of), (ByLength{6, 5, 3, 0}));
  EXPECT_EQ(counts({tree_of("d/NN/3/x c/NN/3/x b/NN/4/x a/NN/0/root e/NN/1/x f/NN/5/x")}, ChainOf::lemmas),
            (ByLength{6, 5, 4, 2}));  // of four: a > b > d > e and b > d > e > f
}

TEST(HwcmChains, CountsWhatTwoTreesShare) {
  // Words: a, a, man, ride; links: ride > man, man > a; of three: ride > man > a. Lemmas are lowered.
  EXPECT_EQ(common(kRides, kRode, ChainOf::lemmas), (ByLength{4, 2, 1, 0}));
  // Words: det, det, amod, nsubj, root, dobj; links: all but > amod, whose head is another; of three:
  // root > nsubj > det, root > dobj > det.
  EXPECT_EQ(common(kRides, kRode, ChainOf::labels), (ByLength{6, 4, 2, 0}));
}

TEST(HwcmChains, AChainCountsAsOftenAsBothHaveIt) {
  const Trees twice = {kRode[0], kRode[0]};
  const Trees thrice = {kRode[0], kRode[0], kRode[0]};
  const ByLength once = counts(kRode, ChainOf::lemmas);
  for (std::size_t n = 0; n < kLongestChain; ++n) {
    EXPECT_EQ(common(twice, thrice, ChainOf::lemmas)[n], 2 * once[n]);
    EXPECT_EQ(common(thrice, twice, ChainOf::lemmas)[n], 2 * once[n]);
  }
}

TEST(HwcmChains, WordsOutsideTheTreeAreInNoChain) {
  Trees marked = kRides;
  marked[0].tokens.push_back({".", ".", ".", syntax::kNoHead, ""});
  for (const ChainJoin join : {ChainJoin::nodes, ChainJoin::values}) {
    EXPECT_EQ(counts(marked, ChainOf::lemmas, join), counts(kRides, ChainOf::lemmas, join));
    EXPECT_EQ(counts(marked, ChainOf::labels, join), counts(kRides, ChainOf::labels, join));
  }
}

TEST(HwcmChains, TextsWithoutWordsHaveNone) {
  for (const ChainJoin join : {ChainJoin::nodes, ChainJoin::values}) {
    EXPECT_EQ(counts({}, ChainOf::lemmas, join), ByLength{});
    EXPECT_EQ(common({}, kRides, ChainOf::lemmas, join), ByLength{});
    EXPECT_EQ(chain_overlaps(Chains(kRides, ChainOf::lemmas, join), Chains({}, ChainOf::lemmas, join)),
              ByLength{});
  }
  EXPECT_EQ(counts({tree_of("dog/NN/0/root")}, ChainOf::lemmas), (ByLength{1, 0, 0, 0}));
}

TEST(HwcmChains, MayBeJoinedByValue) {
  // Either see > dog goes on to a and to big, though only the second dog has them.
  EXPECT_EQ(counts(kDogs, ChainOf::lemmas), (ByLength{5, 4, 2, 0}));
  EXPECT_EQ(counts(kDogs, ChainOf::lemmas, ChainJoin::values), (ByLength{5, 4, 4, 0}));
  // root > nmod and nmod > nmod; the latter goes on to itself, without end.
  EXPECT_EQ(counts(kNested, ChainOf::labels), (ByLength{3, 2, 1, 0}));
  EXPECT_EQ(counts(kNested, ChainOf::labels, ChainJoin::values), (ByLength{3, 2, 2, 2}));
}

TEST(HwcmChains, JoinedByValueTheyAreClippedToo) {
  // Shared links: see > dog (2 and 1), dog > big (1 and 1). Of three: see > dog > big, 2 and 1.
  const Trees one = {tree_of("see/VBZ/0/root big/JJ/3/amod dog/NN/1/dobj")};
  EXPECT_EQ(common(kDogs, one, ChainOf::lemmas, ChainJoin::values), (ByLength{3, 2, 1, 0}));
  EXPECT_EQ(common(one, kDogs, ChainOf::lemmas, ChainJoin::values), (ByLength{3, 2, 1, 0}));
  EXPECT_EQ(common(kDogs, kDogs, ChainOf::lemmas, ChainJoin::values), (ByLength{5, 4, 4, 0}));
}

/// A caption that says one thing a thousand times has 10^9 chains of four, which must not be listed.
TEST(HwcmChains, ManyAlikeAreCountedNotListed) {
  std::string text = "dog/NN/0/root";
  for (int i = 1; i <= 1000; ++i) text += " dog/NN/" + std::to_string(i) + "/nmod";
  const Trees trees = {tree_of(text)};
  const ByLength expected = {1001, 1e3, 1e6, 1e9};
  EXPECT_EQ(counts(trees, ChainOf::lemmas, ChainJoin::values), expected);
  EXPECT_EQ(common(trees, trees, ChainOf::lemmas, ChainJoin::values), expected);
}

TEST(HwcmScores, AreMeansOfOverlaps) {
  // The reference has 6 words, 5 links, 3 chains of three and none of four; shared are 4, 2, 1 and 0.
  const ByLength o = chain_overlaps(Chains(kRides, ChainOf::lemmas, ChainJoin::nodes),
                                    Chains(kRode, ChainOf::lemmas, ChainJoin::nodes));
  EXPECT_EQ(o, (ByLength{4 / (6 + 1e-9), 2 / (5 + 1e-9), 1 / (3 + 1e-9), 0.0}));
  const ByLength scores = hwcm_scores(o);
  EXPECT_NEAR(scores[0], 4.0 / 6, 1e-8);
  EXPECT_NEAR(scores[1], 0.5 * (4.0 / 6 + 2.0 / 5), 1e-8);
  EXPECT_NEAR(scores[2], 0.33 * (4.0 / 6 + 2.0 / 5 + 1.0 / 3), 1e-8);
  EXPECT_NEAR(scores[3], 0.25 * (4.0 / 6 + 2.0 / 5 + 1.0 / 3), 1e-8);
}

TEST(HwcmExplanation, ListsChainsThatMatchedAndThatAreMissing) {
  const std::vector<ParsedReference> references = {{"dogs", kDogs}, {"rode", kRode}};
  const Explanation why = explain_hwcm(kRides, references, ChainJoin::nodes);
  EXPECT_EQ(why.metric, "hwcm");
  ASSERT_EQ(why.tables.size(), 3u);
  // Against kDogs one word of five, a, is shared: HWCM-1 is .2, HWCM-2 .1, HWCM-3 .066, HWCM-4 .05. By label:
  // 5 of 5 words, 3 of 4 links (dobj > amod is missing), 1 of 2 of three.
  EXPECT_EQ(why.tables[0].rows, (Rows{{"dogs", "0.2000", "0.1000", "0.0660", "0.0500", "0.5625"},
                                      {"rode", "0.6667", "0.5333", "0.4620", "0.3500", "0.6167"}}));
  EXPECT_EQ(why.tables[1].rows, (Rows{{"1", "a (x2)"},
                                      {"1", "man"},
                                      {"1", "ride"},
                                      {"2", "man > a"},
                                      {"2", "ride > man"},
                                      {"3", "ride > man > a"}}));
  EXPECT_EQ(why.tables[2].rows, (Rows{{"1", "bike"},
                                      {"1", "red"},
                                      {"2", "bike > a"},
                                      {"2", "bike > red"},
                                      {"2", "ride > bike"},
                                      {"3", "ride > bike > a"},
                                      {"3", "ride > bike > red"}}));
}

TEST(HwcmExplanation, JoinsAsTheMetricDoes) {
  const std::vector<ParsedReference> references = {{"dogs", kDogs}};
  const Explanation why = explain_hwcm({}, references, ChainJoin::values);
  const Rows missing = why.tables.at(2).rows;
  EXPECT_EQ(missing.at(missing.size() - 2), (std::vector<std::string>{"3", "see > dog > a (x2)"}));
  EXPECT_EQ(missing.back(), (std::vector<std::string>{"3", "see > dog > big (x2)"}));
  EXPECT_EQ(explain_hwcm(kRides, {}, ChainJoin::nodes).tables.size(), 1u);
}

std::unique_ptr<Metric> hwcm_make(std::string_view chains = "nodes") {
  Settings settings("hwcm", kHwcmSettings);
  settings.set("chains", chains);
  return make_hwcm(settings);
}

// With a parser that was never trained: its trees are nonsense, but trees.
class HwcmTest : public ::testing::Test {
 protected:
  Resources resources() const {
    Resources made;
    made.facts = &facts_.get();
    return made;
  }
  std::vector<double> rows(const std::vector<Item>& items, const Metric& metric) const {
    return MetricTexts(items, text::Detail::tokens).rows(metric, resources());
  }
  Trees parse(const std::string& text) const {
    const std::string_view texts[] = {text};
    return facts_.get().parser().parse(texts)[0];
  }
  ByLength scores(const std::string& caption, const std::string& reference, ChainOf of,
                  ChainJoin join) const {
    return hwcm_scores(chain_overlaps(Chains(parse(caption), of, join), Chains(parse(reference), of, join)));
  }

  test::KnownFacts facts_{{}};
};

const std::vector<Item> kItems = {
    {"a man riding a horse", {"the man is riding a red horse", "a horse on the beach", ""}},
    {"a dog is on the beach . the dog is red .", {"a red dog on the beach .", "men riding the horse"}},
    {"", {"a dog"}},
    {"dog", {"", "dog"}},
    {". . ,", {"a dog is riding"}},
};

TEST_F(HwcmTest, EachScoreIsTheBestThatAReferenceGives) {
  for (const ChainJoin join : {ChainJoin::nodes, ChainJoin::values}) {
    const auto found = rows(kItems, *hwcm_make(join == ChainJoin::nodes ? "nodes" : "values"));
    ASSERT_EQ(found.size(), 9 * kItems.size());
    for (std::size_t k = 0; k < kItems.size(); ++k) {
      std::vector<double> expected(8);
      for (const std::string& reference : kItems[k].references) {
        for (std::size_t i = 0; i < 8; ++i) {
          const ChainOf of = i < 4 ? ChainOf::lemmas : ChainOf::labels;
          expected[i] = std::max(expected[i], scores(kItems[k].caption, reference, of, join)[i % 4]);
        }
      }
      expected.push_back(1.0);
      const auto begin = found.begin() + static_cast<std::ptrdiff_t>(9 * k);
      EXPECT_EQ(std::vector<double>(begin, begin + 9), expected) << kItems[k].caption;
    }
  }
}

TEST_F(HwcmTest, TextsWithoutWordsScoreZero) {
  const auto found = rows({{"", {"a dog"}}, {"a dog", {""}}, {"", {""}}, {"dog", {"dog"}}}, *hwcm_make());
  EXPECT_EQ(std::vector<double>(found.begin(), found.begin() + 8), std::vector<double>(8));
  EXPECT_EQ(std::vector<double>(found.begin() + 9, found.begin() + 17), std::vector<double>(8));
  EXPECT_EQ(std::vector<double>(found.begin() + 18, found.begin() + 26), std::vector<double>(8));
  EXPECT_EQ(found[27], 1 / (1 + 1e-9));  // one word, and no longer chain
  EXPECT_EQ(found[28], 0.5 / (1 + 1e-9));
}

TEST_F(HwcmTest, TheCorpusIsTheMeanOfItsCaptions) {
  const auto metric = hwcm_make();
  const auto found = rows({{"dog", {"dog"}}, {"dog", {"horse"}}}, *metric);
  std::vector<double> sum(9), values(8);
  for (std::size_t i = 0; i < 9; ++i) sum[i] = found[i] + found[9 + i];
  metric->finish(sum, values);
  EXPECT_EQ(values[0], 0.5 / (1 + 1e-9));
}

TEST_F(HwcmTest, ManyReferencesAreParsedAsFewAre) {
  std::vector<Item> items;
  for (int i = 0; i < 300; ++i) items.push_back(kItems[static_cast<std::size_t>(i) % 2]);
  const auto metric = hwcm_make();
  const auto all = rows(items, *metric);
  const auto few = rows({items[0], items[1]}, *metric);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], few[i % 18]) << i;
}

TEST_F(HwcmTest, OnlySomeItemsMayBePrepared) {
  const auto metric = hwcm_make();
  const MetricTexts texts(kItems, text::Detail::tokens);
  ThreadPool pool(1);
  Resources some = resources();
  some.pool = &pool;
  some.items = {1, 2};
  const auto state = metric->prepare(texts.references(), some);
  metric::Batch batch = texts.batch();
  const std::uint32_t item[] = {1};
  std::vector<double> out(9);
  text::StringColumn tokens;
  tokens.push_back(kItems[1].caption);
  const text::TextSet caption(std::move(tokens), &texts.references().tokens);
  metric->rows({batch.references, item, {}, caption}, state.get(), out.data());
  const auto all = texts.rows(*metric, resources());
  EXPECT_EQ(out, std::vector<double>(all.begin() + 9, all.begin() + 18));
  some.items = {9, 12};
  EXPECT_NE(metric->prepare(texts.references(), some), nullptr);
}

TEST_F(HwcmTest, ACallMayBringItsOwnReferences) {
  const auto metric = hwcm_make();
  const std::vector<Item> others = {{"", {"glass"}}};
  const MetricTexts prepared(others, text::Detail::tokens);
  ThreadPool pool(1);
  Resources given = resources();
  given.pool = &pool;
  const auto state = metric->prepare(prepared.references(), given);
  EXPECT_EQ(MetricTexts(kItems, text::Detail::tokens).rows(*metric, state.get()), rows(kItems, *metric));
}

TEST_F(HwcmTest, ForgettingChangesNothing) {
  const std::vector<std::string_view> texts = {"a man", "a man riding", "a horse", "the beach", "a man"};
  const HwcmTexts large(facts_.get().parser(), ChainJoin::nodes);
  const HwcmTexts small(facts_.get().parser(), ChainJoin::nodes, 2);
  for (int round = 0; round < 2; ++round) {
    const auto kept = large.find(texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto forgotten = small.find({&texts[i], 1});
      EXPECT_EQ(forgotten[0]->lemmas.counts(), kept[i]->lemmas.counts());
      EXPECT_EQ(Chains::in_common(forgotten[0]->labels, kept[i]->labels), kept[i]->labels.counts());
    }
  }
  EXPECT_EQ(large.find(texts)[0], large.find(texts)[4]);  // known texts are not made again
}

TEST_F(HwcmTest, NamesParserAndChains) {
  const MetricTexts texts(kItems, text::Detail::tokens);
  ThreadPool pool(1);
  Resources given = resources();
  given.pool = &pool;
  for (const std::string chains : {"nodes", "values"}) {
    const auto metric = hwcm_make(chains);
    const auto state = metric->prepare(texts.references(), given);
    const std::string choices = metric->choices(state.get());
    EXPECT_TRUE(choices.starts_with("parser:#")) << choices;
    EXPECT_TRUE(choices.ends_with("|chains:" + chains)) << choices;
    EXPECT_EQ(choices.size(), std::string("parser:#12345678|chains:").size() + chains.size());
  }
  EXPECT_THROW(hwcm_make("words"), UsageError);
}

TEST_F(HwcmTest, OnlyOneOfItsScoresIsAlwaysShown) {
  const auto metric = hwcm_make();
  EXPECT_EQ(metric->info().scores.size(), 8u);
  EXPECT_EQ(metric->info().scores[main_score(metric->info())].name, "HWCM-4");
  EXPECT_EQ(metric->info().scores[5].name, "HWCM-2-dep");
  std::size_t always = 0;
  for (const ScoreInfo& score : metric->info().scores) always += score.shown == Shown::always;
  EXPECT_EQ(always, 1u);
}

TEST_F(HwcmTest, ExplainsACaption) {
  const auto metric = hwcm_make();
  const std::vector<Item> items = {{"a man riding a horse", {"a dog", "a man riding a horse"}}};
  const MetricTexts texts(items, text::Detail::tokens);
  ThreadPool pool(1);
  Resources given = resources();
  given.pool = &pool;
  const auto state = metric->prepare(texts.references(), given);
  const Explanation why = metric->explain(texts.batch(), state.get());
  ASSERT_EQ(why.tables.size(), 3u);
  EXPECT_EQ(why.tables[0].rows.size(), 2u);
  EXPECT_EQ(why.summary.at(1), "the best reference for HWCM-4 is: a man riding a horse");
  EXPECT_EQ(why.tables[2].rows, Rows());
}

}  // namespace
}  // namespace capella::metric
