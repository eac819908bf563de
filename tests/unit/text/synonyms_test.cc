#include "text/synonyms.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "support/small_meteor_data.h"

namespace capella::text {
namespace {

using Sets = std::vector<std::uint32_t>;

void expect_sets(const test::SmallMeteorData& data,
                 std::initializer_list<std::pair<std::string_view, Sets>> examples) {
  for (const auto& [word, sets] : examples) EXPECT_EQ(synonym_sets(word, data.get()), sets) << word;
}

/// Words by hand, with synsets as METEOR's file has them.
test::SmallMeteorData knowing(std::string synsets) {
  return test::SmallMeteorData(resource::MeteorSources{std::move(synsets), "", "", "", ""});
}

TEST(Synonyms, AreThoseOfTheWord) {
  const test::SmallMeteorData data("");
  expect_sets(data, {{"dog", {10, 11}}, {"large", {3}}, {"zzz", {}}, {"", {}}});
}

TEST(Synonyms, ComeFromTheBasesOfIrregularForms) {
  const test::SmallMeteorData data("");
  expect_sets(data, {{"mice", {23}},
                     {"children", {7}},
                     {"better", {16}},      // of good and well, which share it
                     {"leaves", {20, 21}},  // of leaf and leave
                     {"left", {21}},        // of leave, and of a word that has none
                     {"quizzes", {24}}});
}

TEST(Synonyms, ComeFromTheBaseOfRegularForms) {
  const test::SmallMeteorData data("");
  expect_sets(data, {{"dogs", {10, 11}},
                     {"buses", {5}},
                     {"boxes", {4}},
                     {"churches", {8}},
                     {"dishes", {9}},
                     {"men", {22}},
                     {"ladies", {19}},
                     {"passes", {13, 14}},
                     {"testes", {24}},
                     {"baked", {1}},
                     {"tested", {24}},
                     {"riding", {25}},
                     {"testing", {24}},
                     {"weller", {16}},
                     {"wellest", {16}},
                     {"larger", {3}},
                     {"largest", {3}}});
}

TEST(Synonyms, TheFirstEndingThatLeadsToAWordCounts) {
  const test::SmallMeteorData data("");
  expect_sets(data, {{"hopes", {18}}, {"hops", {17}}, {"hoping", {18}}, {"hoped", {18}}});
  EXPECT_EQ(synonym_sets("runs", knowing("run\n00000001\nrune\n00000002\n").get()), Sets({1}));
  EXPECT_EQ(synonym_sets("axes", knowing("ax\n00000001\naxe\n00000002\n").get()), Sets({2}));
}

TEST(Synonyms, AFormThatIsAWordItselfHasBoth) {
  EXPECT_EQ(synonym_sets("glasses", knowing("glasses\n00000007\nglass\n00000005 00000007\n").get()),
            Sets({5, 7}));
}

TEST(Synonyms, EndingsStayOnShortWordsAndThoseInDoubleS) {
  const test::SmallMeteorData data("");
  expect_sets(
      data, {{"glass", {15}}, {"pass", {13, 14}}, {"os", {}}, {"ads", {1}}, {"jogged", {}}, {"dogful", {}}});
}

TEST(Synonyms, ShortIsAMatterOfUtf16Units) {
  const test::SmallMeteorData data = knowing("é\n00000001\n🐶\n00000002\ncafé\n00000003\n");
  expect_sets(data, {{"é", {1}}, {"és", {}}, {"🐶", {2}}, {"🐶s", {2}}, {"cafés", {3}}});
}

TEST(Synonyms, WordsOfAnyLength) {
  const std::string letters(1'000'000, 'q');
  EXPECT_EQ(synonym_sets(letters + "s", test::SmallMeteorData("").get()), Sets());
  EXPECT_EQ(synonym_sets(letters + "s", knowing(letters + "\n00000001\n").get()), Sets({1}));
}

}  // namespace
}  // namespace capella::text
