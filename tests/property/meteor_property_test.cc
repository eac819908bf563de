// METEOR agrees with its slow twin: words, matches, statistics and scores to the last bit.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "aggregate/row_block.h"
#include "property/meteor_generator.h"
#include "property/meteor_twins.h"
#include "reference/meteor_reference_normalizer.h"
#include "support/meteor_rows.h"
#include "text/meteor_normalizer.h"

namespace capella::test {
namespace {

void expect_same_rows(const Corpus& items, const MeteorLexicon& lexicon, bool paraphrases) {
  const auto meteor = make_meteor(paraphrases);
  const std::vector<double> rows = meteor_rows(*meteor, items, lexicon.data());
  const std::size_t width = meteor->info().row_width;
  reference::MeteorNumbers sums{};
  for (std::size_t i = 0; i < items.size(); ++i) {
    RC_LOG() << "item " << i << '\n';
    const reference::Item item{reference::clean_meteor_caption(items[i].caption), items[i].references};
    const auto segments = reference::compare_by_meteor(item, lexicon.words(), paraphrases);
    const reference::MeteorNumbers& numbers = segments[reference::best_meteor_segment(segments)].numbers;
    reference::add_meteor_numbers(numbers, sums);
    const auto row = std::span(rows).subspan(i * width, width);
    RC_ASSERT(holds_statistics(row, numbers));
    RC_ASSERT(finish_meteor(*meteor, row) == reference::meteor_score(numbers).score);
  }
  const std::vector<double> found = aggregate::sum_rows(rows, width);
  RC_ASSERT(holds_statistics(found, sums));
  RC_ASSERT(finish_meteor(*meteor, found) == reference::meteor_score(sums).score);
}

TEST(MeteorProperty, NormaliserAgreesWithTheSlowTwin) {
  const MeteorLexicon lexicon("");
  EXPECT_TRUE(rc::check("the same words from both", [&] {
    const std::u32string text = reference::meteor_trim(reference::to_meteor_word(*raw_caption()));
    RC_ASSERT(text::meteor_normalize(reference::to_utf8(text), lexicon.data()) ==
              reference::to_utf8(reference::meteor_normalize(text, lexicon.words())));
  }));
}

TEST(MeteorProperty, ComparisonsAgreeWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("words, matches and statistics", [] {
    const auto pool = *word_pool();
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    const bool paraphrases = *rc::gen::weightedElement<bool>({{3, true}, {1, false}});
    for (const reference::Item& item : *meteor_items(pool, 6))
      expect_same_comparisons(item, lexicon, paraphrases);
  }));
}

TEST(MeteorProperty, RowsAgreeWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("rows, their sums and scores", [] {
    const auto pool = *word_pool();
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    expect_same_rows(*meteor_items(pool, 8), lexicon, *rc::gen::arbitrary<bool>());
  }));
}

TEST(MeteorProperty, RawTextAgreesWithTheSlowTwin) {
  const MeteorLexicon lexicon("0.5\na dog\nthe dogs\n0.5\n.\n, a\n0.5\nus\ndog\n");
  EXPECT_TRUE(rc::check("any text", [&] {
    const reference::Item item{*raw_caption(), {*raw_caption(), *raw_caption()}};
    expect_same_comparisons(item, lexicon, true);
    expect_same_rows({item}, lexicon, true);
  }));
}

// Long sentences of few words have more ways to be matched than the search keeps.
TEST(MeteorProperty, CrowdedSearchesAgreeWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("long sentences of few words", [] {
    const auto pool = *rc::gen::container<std::vector<std::string>>(
        *rc::gen::inRange<std::size_t>(2, 6), rc::gen::elementOf(reference::small_meteor_vocabulary()));
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    const reference::Item item{*phrase_of(pool, 12, 32), {*phrase_of(pool, 12, 32)}};
    expect_same_comparisons(item, lexicon, *rc::gen::arbitrary<bool>());
  }));
}

// Sentences of about as many words as a machine word has bits, and beyond.
TEST(MeteorProperty, LongSentencesAgreeWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("sentences of 60 to 70 words", [] {
    const auto pool = *rc::gen::container<std::vector<std::string>>(
        20, rc::gen::elementOf(reference::small_meteor_vocabulary()));
    const MeteorLexicon lexicon(*paraphrase_table(pool));
    const std::string shorter = *phrase_of(pool, 1, 20), longer = *phrase_of(pool, 60, 70);
    expect_same_comparisons({longer, {*phrase_of(pool, 60, 70), shorter}}, lexicon, true);
    expect_same_comparisons({shorter, {longer}}, lexicon, true);
  }));
}

// Every word matches every word, so that nothing but the beam keeps the search small.
TEST(MeteorProperty, OneWordRepeatedAgreesWithTheSlowTwin) {
  const MeteorLexicon lexicon("0.5\ndog\ndog dog\n0.5\ndog dog dog\ndog dog\n0.5\nhound\ndog dog\n");
  const auto repeated = [](const std::string& word, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += word + " ";
    return text;
  };
  EXPECT_TRUE(rc::check("repeated words", [&] {
    const auto words = *rc::gen::container<std::vector<std::string>>(
        2, rc::gen::element<std::string>("dog", "dogs", "hound", "puppy", "zzz"));
    const auto caption_words = *rc::gen::inRange<std::size_t>(1, 25);
    const auto reference_words = *rc::gen::inRange<std::size_t>(1, 25);
    const reference::Item item{
        repeated(words[0], caption_words) + repeated(words[1], caption_words / 3),
        {repeated(words[1], reference_words) + repeated(words[0], reference_words / 4)}};
    expect_same_comparisons(item, lexicon, *rc::gen::arbitrary<bool>());
  }));
}

}  // namespace
}  // namespace capella::test
