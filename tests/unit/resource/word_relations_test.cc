#include "resource/word_relations.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "resource/find.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

using Part = WordRelations::Part;
using test::message_of;
using test::TempDir;

// 0 entity, 1 animal, 2 dog (of animal), 3 to run, 4 small
constexpr const char* kSmall =
    "capella word relations 1\n5\n\n0\n1\n\n\n4\nanimal n1\ndog n2,0\nrun n0 v3\nsmall a4\n2\na big small\nv "
    "run walk\n";

std::string problem(const std::string& text) {
  const TempDir folder;
  const std::string path = folder.write("words", text);
  return message_of<FileError>([&] { WordRelations table(path); });
}

bool is_kind_of(const WordRelations& words, std::string_view word, std::string_view kind, Part part) {
  std::vector<WordRelations::Synset> reached(words.senses(word, part).begin(),
                                             words.senses(word, part).end());
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const auto parent : words.parents(reached[i])) reached.push_back(parent);
  }
  return std::ranges::any_of(words.senses(kind, part),
                             [&](auto sense) { return std::ranges::find(reached, sense) != reached.end(); });
}

TEST(WordRelations, ReadsSensesParentsAndOpposites) {
  const TempDir folder;
  const WordRelations words(folder.write("words", kSmall));
  EXPECT_EQ(words.words(), 4u);
  EXPECT_EQ(words.synsets(), 5u);
  ASSERT_EQ(words.senses("dog", Part::noun).size(), 2u);
  EXPECT_EQ(words.senses("dog", Part::noun)[0], 2u);
  EXPECT_TRUE(words.senses("dog", Part::verb).empty());
  EXPECT_EQ(words.senses("run", Part::verb)[0], 3u);
  EXPECT_TRUE(words.senses("zebra", Part::noun).empty());
  ASSERT_EQ(words.parents(2).size(), 1u);
  EXPECT_EQ(words.parents(2)[0], 1u);
  EXPECT_TRUE(words.parents(4).empty());
  EXPECT_TRUE(words.are_antonyms("big", "small", Part::adjective));
  EXPECT_TRUE(words.are_antonyms("small", "big", Part::adjective));
  EXPECT_FALSE(words.are_antonyms("small", "big", Part::verb));
  EXPECT_EQ(words.antonyms("walk", Part::verb)[0], "run");
}

TEST(WordRelations, NamesTheLineOfWhatIsWrong) {
  EXPECT_NE(problem("something else\n").find("line 1: it does not begin with"), std::string::npos);
  EXPECT_NE(problem("capella word relations 1\n1\n").find("line 3: the text ends here"), std::string::npos);
  EXPECT_NE(
      problem("capella word relations 1\n1\n0\n0\n0\n").find("line 3: found '0', expected a number below 0"),
      std::string::npos);
  EXPECT_NE(problem("capella word relations 1\n1\n\n1\ncat n4\n0\n").find("line 5: found '4'"),
            std::string::npos);
  EXPECT_NE(problem("capella word relations 1\n1\n\n2\ncat n0\ncat n0\n0\n").find("there before"),
            std::string::npos);
  EXPECT_NE(problem("capella word relations 1\n1\n\n0\n1\nx big small\n").find("expected n, v or a"),
            std::string::npos);
  EXPECT_NE(problem("capella word relations 1\n1\n\n0\n0\nmore\n").find("lines follow"), std::string::npos);
}

// What WordNet 3.0 says, by its own program (wn dog -hypen ...).
TEST(WordRelations, TheShippedTableIsWordNet) {
  const WordRelations words(need(WordRelations::kFile));
  EXPECT_GT(words.words(), 80'000u);
  EXPECT_TRUE(is_kind_of(words, "dog", "animal", Part::noun));
  EXPECT_FALSE(is_kind_of(words, "animal", "dog", Part::noun));
  EXPECT_TRUE(is_kind_of(words, "tennis_racket", "racket", Part::noun));
  EXPECT_TRUE(is_kind_of(words, "stroll", "walk", Part::verb));
  EXPECT_TRUE(is_kind_of(words, "tiny", "small", Part::adjective));
  EXPECT_TRUE(words.are_antonyms("big", "little", Part::adjective));
  EXPECT_TRUE(words.are_antonyms("large", "small", Part::adjective));
  EXPECT_TRUE(words.are_antonyms("push", "pull", Part::verb));
  EXPECT_FALSE(words.are_antonyms("push", "walk", Part::verb));
}

}  // namespace
}  // namespace capella::resource
