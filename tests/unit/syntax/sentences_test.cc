// Sentences by hand; the expected words are those of CoreNLP 3.6.0.
#include "syntax/sentences.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace capella::syntax {
namespace {

/// The words with blanks, the sentences with " | " between them.
std::string split(std::string_view text) {
  std::string out;
  for (const Sentence& sentence : split_sentences(text)) {
    if (!out.empty()) out += " |";
    for (const std::string& word : sentence.words) out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

TEST(Sentences, WordsKeepTheirCase) {
  EXPECT_EQ(split("Two Dogs can't swim"), "Two Dogs ca n't swim");
  EXPECT_EQ(split("He cannot (or won't) go"), "He can not -LRB- or wo n't -RRB- go");
  EXPECT_EQ(split("caf\u00E9 \u201Copen\u201D till 10:30pm, $5"), "caf\u00E9 `` open '' till 10:30 pm , $ 5");
}

TEST(Sentences, EndAtStopsAndTakeWhatFollows) {
  EXPECT_EQ(split("A boat. It floats!! Why?"), "A boat . | It floats !! | Why ?");
  EXPECT_EQ(split("\"Stop!\" says a sign."), "`` Stop ! '' | says a sign .");
  EXPECT_EQ(split("A cat (asleep.) A dog."), "A cat -LRB- asleep . -RRB- | A dog .");
  EXPECT_EQ(split("Wow ?! . He left"), "Wow ?! | . | He left");
  EXPECT_EQ(split("a kite, a hill... a lake"), "a kite , a hill ... a lake");
}

TEST(Sentences, AbbreviationsDoNotEndThem) {
  EXPECT_EQ(split("Mr. Hill waits in St. Ives."), "Mr. Hill waits in St. Ives .");
  EXPECT_EQ(split("Boats, nets, etc. A gull"), "Boats , nets , etc. . | A gull");
}

TEST(Sentences, TheEditionOf2015Differs) {
  EXPECT_EQ(split("Yahoo! and E! and jeopardy! win!"), "Yahoo! and E! and jeopardy! win !");
  EXPECT_EQ(split("it ends.... Then not"), "it ends ... . | Then not");
  EXPECT_EQ(split("so long......."), "so long ...");
  EXPECT_EQ(split("a ===> my-boat_2.mp4 <==="), "a === > my-boat_2.mp4 < ===");
  EXPECT_EQ(split("rock \u2019n\u2019 roll"), "rock 'n' roll");
}

TEST(Sentences, LineBreaksAreBlanks) {
  EXPECT_EQ(split("a red\nkite\r\nflies. High\u2028up"), "a red kite flies . | High up");
}

TEST(Sentences, NothingGivesNothing) {
  EXPECT_TRUE(split_sentences("").empty());
  EXPECT_TRUE(split_sentences(" \t\u00A0\n").empty());
  EXPECT_TRUE(split_sentences("\U0001F436").empty());
}

TEST(Sentences, LongOnesAreCut) {
  std::string text;
  for (int i = 0; i < 450; ++i) text += "go ";
  const std::vector<Sentence> sentences = split_sentences(text + ". Stop");
  ASSERT_EQ(sentences.size(), 4u);
  EXPECT_EQ(sentences[0].words.size(), kLongestSentence);
  EXPECT_EQ(sentences[1].words.size(), kLongestSentence);
  EXPECT_EQ(sentences[2].words.size(), 51u);
  EXPECT_EQ(sentences[3].words, std::vector<std::string>{"Stop"});
}

TEST(Sentences, ManyAtOnceAreTheSame) {
  const std::vector<std::string_view> texts = {"A P.", "", "A lamp. On!", "etc."};
  const std::vector<std::vector<Sentence>> all = split_sentences(texts);
  ASSERT_EQ(all.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(all[i], split_sentences(texts[i]));
  EXPECT_TRUE(split_sentences(std::vector<std::string_view>{}).empty());
}

}  // namespace
}  // namespace capella::syntax
