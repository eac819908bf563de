// Pairs of texts and a classifier, on small random weights.
#include "encoder/pair_classifier.h"

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/thread_pool.h"
#include "encoder/classifier.h"
#include "encoder/tokenizer/tokenizer.h"
#include "support/message_of.h"
#include "support/small_classifier.h"

namespace capella::encoder {
namespace {

using test::message_of;
using test::SmallClassifier;
using Texts = std::vector<std::string_view>;

const Texts kFirst = {"a dog runs", "two cat", "a dog runs", "red a a on grass cat", "a dog runs", ""};
const Texts kSecond = {"a dog", "a cat sleeps", "a dog", "grass", "a cat sleeps", "a dog"};

std::vector<float> alone(const std::string& folder, std::string_view first, std::string_view second) {
  const ModelFolder files(folder);
  const Classifier classifier(files);
  const auto tokenizer = open_tokenizer(files);
  TokenBatch batch;
  classifier.add_pair(tokenizer->tokens(first, 20).ids, tokenizer->tokens(second, 20).ids, batch);
  std::vector<float> logits(3);
  classifier.logits(tensor::kernels(), batch, logits.data());
  return logits;
}

TEST(PairClassifier, GivesEveryPairTheAnswerThatItHasAlone) {
  const SmallClassifier folder;
  const PairClassifier classifier(folder.path());
  for (const std::size_t threads : {1, 3}) {
    ThreadPool pool(threads);
    const PairAnswers found = classifier.answers(kFirst, kSecond, {&pool, {}});
    EXPECT_EQ(found.distinct, 5u);
    EXPECT_TRUE(found.cut.empty());
    for (std::size_t k = 0; k < kFirst.size(); ++k) {
      const auto row = found.row(k);
      EXPECT_EQ(std::vector<float>(row.begin(), row.end()), alone(folder.path(), kFirst[k], kSecond[k])) << k;
    }
  }
}

TEST(PairClassifier, TellsLongPairs) {
  const SmallClassifier folder;
  const PairClassifier classifier(folder.path());
  EXPECT_EQ(classifier.most_tokens(), 20u);
  const std::string eight = "a a a a a a a a", nine = eight + " a", long_text = eight + eight + eight;
  const Texts first = {eight, nine, long_text, eight, "dog"}, second = {nine, nine, "cat", nine, long_text};
  const PairAnswers found = classifier.answers(first, second);
  EXPECT_EQ(found.cut, (std::vector<std::size_t>{1, 2, 4}));
}

TEST(PairClassifier, ReportsProgress) {
  const SmallClassifier folder;
  std::size_t last = 0, total = 0;
  const Progress progress = [&](std::string_view, std::size_t done, std::size_t all) {
    last = done;
    total = all;
  };
  PairClassifier(folder.path()).answers(kFirst, kSecond, {nullptr, progress});
  EXPECT_GT(total, 0u);
  EXPECT_EQ(last, total);
}

TEST(PairClassifier, NamesItselfByFolderAndFingerprint) {
  const SmallClassifier folder;
  const std::string digits = ModelFolder(folder.path()).fingerprint().substr(0, 8);
  EXPECT_TRUE(PairClassifier(folder.path()).description().ends_with("(" + digits + ")"));
}

TEST(PairClassifier, SaysWhatIsWrongWithAFolder) {
  const auto said = [](const std::string& folder) {
    return message_of<FileError>([&] { PairClassifier{folder}; });
  };
  EXPECT_NE(said("absent-folder").find("absent-folder"), std::string::npos);
  const SmallClassifier headless(test::Head::none);
  EXPECT_NE(said(headless.path()).find("has no classifier"), std::string::npos);
  SmallClassifier wordy;
  wordy.folder().write("vocab.txt", test::word_lines(std::vector<std::string>(100, "w")));
  EXPECT_NE(said(wordy.path()), "");
}

TEST(PairClassifier, ExpectsPairs) {
  const SmallClassifier folder;
  const PairClassifier classifier(folder.path());
  EXPECT_THROW(classifier.answers(kFirst, Texts{"a"}), UsageError);
  EXPECT_EQ(classifier.answers(Texts{}, Texts{}).distinct, 0u);
}

}  // namespace
}  // namespace capella::encoder
