// Small kernels against their slow twins: sums, common subsequences, cutting into words, numbering of
// n-grams.
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/pairwise_sum.h"
#include "base/utf8.h"
#include "metric/lcs.h"
#include "property/corpus_generator.h"
#include "reference/pairwise_sum_reference.h"
#include "reference/rouge_l_reference.h"
#include "reference/words_reference.h"
#include "text/text_set.h"
#include "text/word_characters.h"

namespace capella::test {
namespace {

using text::TextSet;
using text::WordId;

rc::Gen<std::vector<double>> numbers(int most) {
  return rc::gen::mapcat(rc::gen::inRange(0, most), [](int count) {
    const auto number = rc::gen::map(rc::gen::inRange(-1'000'000'000, 1'000'000'000),
                                     [](int i) { return i / 7.0 * (i % 3 ? 1.0 : 1e-9); });
    return rc::gen::container<std::vector<double>>(static_cast<std::size_t>(count), number);
  });
}

TEST(Kernels, PairwiseSumAddsAsNumpyDoes) {
  EXPECT_TRUE(rc::check("pairwise sum", [] {
    const std::vector<double> values = *numbers(600);
    RC_ASSERT(pairwise_sum(values.data(), values.size()) == reference::pairwise_sum(values));
  }));
}

TEST(Kernels, PairwiseSumSkipsByStride) {
  EXPECT_TRUE(rc::check("pairwise sum of a column", [] {
    const std::vector<double> values = *numbers(300);
    const std::size_t stride = *rc::gen::inRange<std::size_t>(2, 5);
    std::vector<double> spread(values.size() * stride + 1, 1e300);
    for (std::size_t i = 0; i < values.size(); ++i) spread[i * stride] = values[i];
    RC_ASSERT(pairwise_sum(spread.data(), values.size(), stride) == reference::pairwise_sum(values));
  }));
}

rc::Gen<std::vector<WordId>> sequence() {
  return rc::gen::mapcat(
      rc::gen::oneOf(rc::gen::inRange(0, 12), rc::gen::inRange(60, 70), rc::gen::inRange(120, 260)),
      [](int length) {
        return rc::gen::container<std::vector<WordId>>(static_cast<std::size_t>(length),
                                                       rc::gen::inRange<WordId>(0, 6));
      });
}

TEST(Kernels, LongestCommonSubsequence) {
  EXPECT_TRUE(rc::check("LCS", [] {
    const auto a = *sequence();
    const auto b = *sequence();
    RC_ASSERT(metric::lcs_length(a, b) == reference::lcs_length(a, b));
  }));
}

std::vector<std::string> listed(auto cut, const std::string& text) {
  std::vector<std::string> words;
  cut(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

TEST(Kernels, WordsAsPythonCutsThem) {
  EXPECT_TRUE(rc::check("str.split() and \\w+", [] {
    const std::string text = *ragged_caption();
    const auto split = [](const std::string& s, auto emit) { for_each_python_word(s, emit); };
    const auto find_runs = [](const std::string& s, auto emit) { text::for_each_word_run(s, emit); };
    RC_ASSERT(listed(split, text) == reference::python_words(text));
    RC_ASSERT(listed(find_runs, text) == reference::word_runs(text));
  }));
}

text::StringColumn column(const std::vector<std::string>& texts) {
  text::StringColumn strings;
  for (const std::string& text : texts) strings.push_back(text);
  return strings;
}

std::vector<std::string> spelled(const TextSet& set, std::span<const WordId> ids) {
  std::vector<std::string> words;
  for (const WordId id : ids) words.emplace_back(set.vocabulary().word(id));
  return words;
}

// The n-grams in order of first occurrence, each once, with how often it stands.
std::vector<std::pair<std::string, unsigned>> count_in_order(const std::vector<std::string>& ngrams) {
  std::vector<std::pair<std::string, unsigned>> counts;
  for (const std::string& ngram : ngrams) {
    const auto same =
        std::find_if(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first == ngram; });
    if (same == counts.end()) {
      counts.emplace_back(ngram, 1);
    } else {
      ++same->second;
    }
  }
  return counts;
}

void expect_same_profile(const TextSet& set, std::size_t i, const std::string& text) {
  RC_ASSERT(spelled(set, set.words(i)) == reference::python_words(text));
  RC_ASSERT(spelled(set, set.pieces(i)) == reference::space_pieces(text));
  for (std::size_t n = 1; n <= text::kMaxOrder; ++n) {
    std::vector<std::pair<std::string, unsigned>> found;
    for (const auto& [id, count] : set.ngrams(i).order(n)) {
      std::string ngram;
      for (const WordId word : set.ngram_index().words(id))
        ngram += (ngram.empty() ? "" : "\n") + std::string(set.vocabulary().word(word));
      found.emplace_back(ngram, count);
    }
    RC_ASSERT(found == count_in_order(reference::ngrams(reference::python_words(text), n)));
  }
}

TEST(Kernels, TextSetsCountNgramsAlsoOnTopOfAnother) {
  EXPECT_TRUE(rc::check("TextSet", [] {
    const auto caption = ragged_caption();
    const auto base_texts = *rc::gen::container<std::vector<std::string>>(3, caption);
    const auto middle_texts = *rc::gen::container<std::vector<std::string>>(2, caption);
    const auto top_texts = *rc::gen::container<std::vector<std::string>>(3, caption);
    const TextSet base(column(base_texts));
    const TextSet middle(column(middle_texts), &base);
    const TextSet top(column(top_texts), &middle);
    for (std::size_t i = 0; i < base_texts.size(); ++i) expect_same_profile(base, i, base_texts[i]);
    for (std::size_t i = 0; i < top_texts.size(); ++i) expect_same_profile(top, i, top_texts[i]);
  }));
}

TEST(Kernels, EqualNgramsHaveEqualNumbersAcrossTheChain) {
  EXPECT_TRUE(rc::check("a chain of three sets numbers as one flat set", [] {
    const auto texts = *rc::gen::container<std::vector<std::string>>(6, ragged_caption());
    const TextSet flat(column(texts));
    const TextSet base(column({texts[0], texts[1]}));
    const TextSet middle(column({texts[2], texts[3]}), &base);
    const TextSet top(column({texts[4], texts[5]}), &middle);
    const TextSet* const sets[] = {&base, &middle, &top};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto words = sets[i / 2]->words(i % 2);
      RC_ASSERT(std::vector<WordId>(words.begin(), words.end()) ==
                std::vector<WordId>(flat.words(i).begin(), flat.words(i).end()));
      const auto ngrams = sets[i / 2]->ngrams(i % 2).all();
      RC_ASSERT(ngrams.size() == flat.ngrams(i).all().size());
      for (std::size_t k = 0; k < ngrams.size(); ++k) {
        RC_ASSERT(ngrams[k].id == flat.ngrams(i).all()[k].id);
        RC_ASSERT(sets[i / 2]->ngram_hash(ngrams[k].id) == flat.ngram_hash(ngrams[k].id));
      }
    }
    RC_ASSERT(top.vocabulary().size() == flat.vocabulary().size());
    RC_ASSERT(top.ngram_index().size() == flat.ngram_index().size());
  }));
}

}  // namespace
}  // namespace capella::test
