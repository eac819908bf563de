// METEOR's two searches, for ordinary sentences and for long ones: each agrees with the slow twin on its side
// of the border, and both find the same where both can be used.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "metric/meteor_alignment.h"
#include "metric/meteor_candidates.h"
#include "property/meteor_generator.h"
#include "property/meteor_twins.h"

namespace capella::test {
namespace {

using metric::MeteorMatch;

// Phrases of one to four words, some entries twice, some words on both sides.
constexpr const char* kParaphrases =
    "0.5\nbig dog\nhound\n0.5\ndog\nlarge dog\n0.5\nhound\ndog runs\n0.5\nruns on the\njog to\n"
    "0.5\nthe man\nperson\n0.5\nperson\na man of\n0.5\nman on the bus\nrider\n0.5\nis on\non\n0.5\nis "
    "on\non\n"
    "0.5\nchildren\nkids of the\n0.5\nkid\na child\n0.5\nof the\n's\n0.5\na\nthe\n0.5\nmouse\nmice\n"
    "0.5\ncar\nbig box\n0.5\nbig box\nbus\n0.5\nthe dog is\ndog\n0.5\nzzz\ndog zzz\n";

/// Words of the paraphrases, with all other words of the small English now and then.
rc::Gen<std::vector<std::string>> wide_pool(std::size_t least, std::size_t most) {
  const auto word = rc::gen::oneOf(
      rc::gen::element<std::string>("a", "the", "of", "is", "on", "'s", "dog", "big", "large", "hound", "man",
                                    "person", "runs", "jog", "rider", "bus", "kid", "car", "zzz"),
      rc::gen::elementOf(reference::small_meteor_vocabulary()));
  return rc::gen::mapcat(rc::gen::inRange(least, most + 1), [=](std::size_t size) {
    return rc::gen::container<std::vector<std::string>>(size, word);
  });
}

std::string repeated(const std::string& word, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += (i == 0 ? "" : " ") + word;
  return text;
}

/// The candidates of a caption and a reference.
class Matched {
 public:
  Matched(const std::string& caption, const std::string& reference, const resource::MeteorData& data,
          bool paraphrases)
      : lexicon_(data), texts_(lexicon_, paraphrases), matcher_(lexicon_, paraphrases) {
    texts_.add(caption);
    texts_.add(reference);
    matcher_.set_caption(texts_.get(0));
    candidates_ = &matcher_.match(texts_.get(1));
  }

  const metric::MeteorCandidates& candidates() const { return *candidates_; }
  std::size_t size() const { return candidates_->matches.size(); }
  bool is_ordinary() const {
    return std::max(candidates_->in_caption.size(), candidates_->in_reference.size()) <=
               metric::OrdinarySentences::kMostWords &&
           size() <= metric::OrdinarySentences::kMostMatches;
  }

 private:
  metric::MeteorLexicon lexicon_;
  metric::MeteorTexts texts_;
  metric::MeteorMatcher matcher_;
  const metric::MeteorCandidates* candidates_;
};

template <class Sentences>
std::vector<MeteorMatch> search(const metric::MeteorCandidates& candidates) {
  std::vector<MeteorMatch> taken;
  metric::MeteorSearch<Sentences>().run(candidates, taken);
  std::ranges::sort(taken, {}, &MeteorMatch::reference_start);
  return taken;
}

bool both_find_the_same(const Matched& matched) {
  return search<metric::OrdinarySentences>(matched.candidates()) ==
         search<metric::LongSentences>(matched.candidates());
}

TEST(MeteorSearches, AgreeWithTheSlowTwinOnLongSentences) {
  const MeteorLexicon lexicon(kParaphrases);
  EXPECT_TRUE(rc::check("sentences of 65 to 130 words", [&] {
    if (*rc::gen::inRange(0, 3) != 0) return;  // the twin takes its time
    const auto pool = *wide_pool(50, 90);
    const reference::Item item{*phrase_of(pool, 65, 130), {*phrase_of(pool, 65, 130)}};
    expect_same_comparisons(item, lexicon, *rc::gen::weightedElement<bool>({{3, true}, {1, false}}));
  }));
}

// One of the two is long, or both are just not.
TEST(MeteorSearches, AgreeWithTheSlowTwinFrom64To65Words) {
  const MeteorLexicon lexicon(kParaphrases);
  EXPECT_TRUE(rc::check("64 or 65 words against 3 to 65", [&] {
    if (*rc::gen::inRange(0, 3) != 0) return;  // the twin takes its time
    const auto pool = *wide_pool(12, 40);
    const auto border = *rc::gen::inRange<std::size_t>(64, 66);
    std::string caption = *phrase_of(pool, border, border);
    std::string reference = *phrase_of(pool, 3, 20);
    if (*rc::gen::arbitrary<bool>()) std::swap(caption, reference);
    expect_same_comparisons({caption, {reference, *phrase_of(pool, border, border)}}, lexicon, true);
  }));
}

// The last word of 64 is the last bit of a machine word, alone and at the end of a phrase.
TEST(MeteorSearches, TheLastWordsAreMatched) {
  const MeteorLexicon lexicon(kParaphrases);
  EXPECT_TRUE(rc::check("sentences whose last words are all that matches", [&] {
    const auto words = *rc::gen::inRange<std::size_t>(58, 66);
    const auto last =
        *rc::gen::element<std::string>("dog", "dog dog", "big dog", "man on the bus", "hound dog");
    const auto other =
        *rc::gen::element<std::string>("hound", "dog", "large dog", "rider", "rider hound dog");
    expect_same_comparisons(
        {repeated("quux", words) + " " + last, {other, repeated("corge", words) + " " + other}}, lexicon,
        true);
  }));
}

// Every word matches every word. 39 * 41 = 1,599 candidates are the most for the ordinary search.
TEST(MeteorSearches, AgreeWithTheSlowTwinAtTheMostCandidates) {
  const MeteorLexicon lexicon("");
  const auto check = [&](std::size_t words, std::size_t reference_words, bool ordinary) {
    for (const char* word : {"quux", "quuxs"}) {
      const std::string caption = repeated(word, words);
      const std::string reference = repeated("quux", reference_words);
      EXPECT_EQ(difference({caption, {reference}}, lexicon, false), "");
      const Matched matched(caption, reference, lexicon.data(), false);
      EXPECT_EQ(matched.size(), words * reference_words);
      EXPECT_EQ(matched.is_ordinary(), ordinary);
      EXPECT_TRUE(!ordinary || both_find_the_same(matched)) << caption;
    }
  };
  check(39, 41, true);
  check(41, 39, true);
  check(40, 40, false);
  check(64, 25, false);
}

// Nearly all candidates begin at the last word of the reference, and of the 40 paths alive the last is the
// only one whose chunk goes on there: its proposals are among the last that the ordinary search can number
// if "corge" has 64 paraphrases, and beyond them if it has 70.
TEST(MeteorSearches, AgreeWithTheSlowTwinOnTheMostProposals) {
  const std::string caption = repeated("quux", 40) + " " + repeated("grault", 24);
  const std::vector<MeteorMatch> expected = {{0, 1, 39, 1, metric::MeteorModule::exact},
                                             {1, 1, 40, 1, metric::MeteorModule::paraphrase}};
  for (const std::size_t entries : {64u, 70u}) {
    std::string table;
    for (std::size_t i = 0; i < entries; ++i) table += "0.5\ncorge\ngrault\n";
    const MeteorLexicon lexicon(table);
    EXPECT_EQ(difference({caption, {"quux corge", "dog quux corge"}}, lexicon, true), "");
    const Matched matched(caption, "quux corge", lexicon.data(), true);
    EXPECT_EQ(matched.size(), 40 + entries * 24);
    EXPECT_EQ(matched.is_ordinary(), entries == 64);
    EXPECT_EQ(search<metric::LongSentences>(matched.candidates()), expected);
    EXPECT_TRUE(!matched.is_ordinary() || both_find_the_same(matched));
  }
}

TEST(MeteorSearches, FindTheSame) {
  const MeteorLexicon lexicon(kParaphrases);
  std::size_t compared = 0;
  EXPECT_TRUE(rc::check("ordinary sentences by both", [&] {
    for (int i = 0; i < 10; ++i) {
      const auto pool = *wide_pool(1, *rc::gen::element<std::size_t>(4, 12, 30));
      const std::string caption = *phrase_of(pool, 1, 64);
      const std::string reference = *phrase_of(pool, 1, 64);
      const Matched matched(caption, reference, lexicon.data(), *rc::gen::arbitrary<bool>());
      if (!matched.is_ordinary()) continue;
      RC_ASSERT(both_find_the_same(matched));
      ++compared;
    }
  }));
  EXPECT_GE(compared, 500u);
}

// One search after the other in the same memory, ordinary and long in turn.
TEST(MeteorSearches, RememberNothing) {
  const MeteorLexicon lexicon(kParaphrases);
  EXPECT_TRUE(rc::check("one aligner for many sentences", [&] {
    const auto pool = *wide_pool(10, 40);
    metric::MeteorLexicon words(lexicon.data());
    metric::MeteorTexts texts(words, true);
    for (const std::size_t length : {70u, 20u, 64u, 90u, 5u}) texts.add(*phrase_of(pool, 1, length));
    metric::MeteorMatcher matcher(words, true);
    metric::MeteorAligner aligner;
    for (std::size_t caption = 0; caption < texts.size(); ++caption) {
      matcher.set_caption(texts.get(caption));
      for (std::size_t reference = 0; reference < texts.size(); ++reference) {
        const metric::MeteorCandidates& candidates = matcher.match(texts.get(reference));
        const auto found = aligner.align(candidates);
        const std::vector<MeteorMatch> expected = search<metric::LongSentences>(candidates);
        RC_ASSERT(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
      }
    }
  }));
}

}  // namespace
}  // namespace capella::test
