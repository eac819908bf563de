// A trained judge of entailment: which label is which, and what it says.
#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "method/mln/entailment/entailment_model.h"
#include "support/message_of.h"
#include "support/small_classifier.h"

namespace capella::method::mln {
namespace {

using test::Head;
using test::message_of;
using test::SmallClassifier;
using Texts = std::vector<std::string_view>;

const Texts kPremises = {"a dog runs on grass", "two cat"}, kHypotheses = {"a dog runs", "a red dog"};

TEST(EntailmentModel, GivesTheProbabilitiesOfTheLogits) {
  for (const Head head : {Head::bert, Head::roberta}) {
    const SmallClassifier folder(head, {"Entailment", "CONTRADICTION", "neutral"});
    const EntailmentModel model(folder.path());
    const auto found = model.judge(kPremises, kHypotheses);
    const auto logits = encoder::PairClassifier(folder.path()).answers(kPremises, kHypotheses);
    EXPECT_EQ(found.distinct, 2u);
    for (std::size_t k = 0; k < kPremises.size(); ++k) {
      double sum = 0;
      for (const float x : logits.row(k)) sum += std::exp(static_cast<double>(x));
      const std::size_t places[] = {1, 2, 0};
      for (std::size_t label = 0; label < 3; ++label)
        EXPECT_NEAR(found.odds[k][label], std::exp(static_cast<double>(logits.row(k)[places[label]])) / sum,
                    1e-12);
    }
  }
}

TEST(EntailmentModel, RefusesLabelsThatItCannotTell) {
  const auto said = [](const SmallClassifier& folder) {
    return message_of<FileError>([&] { EntailmentModel{folder.path()}; });
  };
  const std::string unnamed = said(SmallClassifier(Head::bert, {}));
  EXPECT_NE(unnamed.find("config.json: the model's labels are LABEL_0, LABEL_1, LABEL_2"), std::string::npos);
  EXPECT_NE(unnamed.find("id2label"), std::string::npos);
  const std::string two = said(SmallClassifier(Head::roberta, {"entailment", "not_entailment"}));
  EXPECT_NE(two.find("tells 2 labels apart (entailment, not_entailment), expected three"), std::string::npos);
  EXPECT_NE(said(SmallClassifier(Head::bert, {"entailment", "neutral", "neutral"})), "");
}

}  // namespace
}  // namespace capella::method::mln
