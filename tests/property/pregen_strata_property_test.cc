// Strata and the tokens of Karpathy's data sets against their slow twins.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "method/pregen/strata.h"
#include "reference/pregen_strata_reference.h"
#include "text/tokenizer_karpathy.h"

namespace capella::test {
namespace {

TEST(PregenStrataProperty, EveryStratumHasTheImagesOfItsRanks) {
  EXPECT_TRUE(rc::check("the same images from both", [] {
    const std::size_t most = *rc::gen::inRange<std::size_t>(1, 8);
    const std::size_t images = most + *rc::gen::inRange<std::size_t>(0, 40);
    const int values = *rc::gen::element(1, 3, 1000);  // few values: many ties
    std::vector<double> scores;
    for (std::size_t i = 0; i < images; ++i) scores.push_back(*rc::gen::inRange(0, values) / 7.);
    const auto strata = method::pregen::cut_strata(scores, most);
    RC_ASSERT(strata.size() == most * (most + 1) / 2);
    std::size_t at = 0;
    for (std::size_t count = 1; count <= most; ++count) {
      for (std::size_t stratum = 0; stratum < count; ++stratum, ++at) {
        RC_ASSERT(strata[at].strata == count);
        RC_ASSERT(strata[at].stratum == stratum);
        RC_ASSERT(strata[at].images == reference::stratum_images(scores, count, stratum));
      }
    }
  }));
}

TEST(TokenizerKarpathyProperty, AgreesWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("the same tokens from both", [] {
    const auto caption = *rc::gen::container<std::string>(rc::gen::oneOf(
        rc::gen::elementOf(std::string("aZ5 ")), rc::gen::elementOf(std::string(".!?;'\"-/,&#:=()$+\t\n_")),
        rc::gen::inRange<char>(1, 127)));
    std::string fast;
    text::tokenize_karpathy(caption, fast);
    RC_ASSERT(fast == reference::tokenize_karpathy(caption));
  }));
}

}  // namespace
}  // namespace capella::test
