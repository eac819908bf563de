// All pre-gen metrics against their slow twin, on random probabilities: certain and impossible words, ties,
// images of one caption, even and odd numbers. And what is written of them is read as it was.
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "method/pregen/metrics.h"
#include "reference/pregen_metrics_reference.h"
#include "support/temp_dir.h"

namespace capella::test {
namespace {

using io::TokenProbabilities;
using method::pregen::CaptionScores;
using method::pregen::Filter0;
using reference::CaptionGuesses;
using reference::ImageGuesses;
using Images = std::vector<ImageGuesses>;

rc::Gen<double> probability(bool with_zero) {
  const auto any = rc::gen::map(rc::gen::inRange(1, 100'000), [](int part) { return part / 100'000.; });
  const auto special = rc::gen::element(1., .5, .25, 1e-12, .3);
  return rc::gen::weightedOneOf<double>({{6, any}, {3, special}, {with_zero ? 1u : 0u, rc::gen::just(0.)}});
}

Images random_images() {
  const bool with_zero = *rc::gen::arbitrary<bool>();
  const int ranks = *rc::gen::element(1, 2, 5);  // 1: every word is the most probable
  Images images(*rc::gen::inRange<std::size_t>(1, 9));
  for (ImageGuesses& image : images) {
    image.resize(*rc::gen::inRange<std::size_t>(1, 7));
    for (CaptionGuesses& caption : image) {
      caption.resize(*rc::gen::inRange<std::size_t>(1, 15));
      for (auto& word : caption)
        word = {*probability(with_zero), static_cast<unsigned>(*rc::gen::inRange(0, ranks))};
    }
    // Equal captions give ties; images with many captions are rare, and aggregated in another way.
    if (*rc::gen::inRange(0, 4) == 0) image.push_back(image.front());
    if (*rc::gen::inRange(0, 10) == 0) {
      for (std::size_t i = 0; i < 40; ++i) image.push_back({{*probability(with_zero), 0}});
    }
  }
  return images;
}

TokenProbabilities flat(const Images& images) {
  TokenProbabilities table;
  for (const ImageGuesses& image : images) {
    for (const CaptionGuesses& caption : image) {
      for (const auto& word : caption) {
        table.probabilities.push_back(word.probability);
        table.ranks.push_back(word.rank);
      }
      table.words.push_back(table.probabilities.size());
    }
    table.captions.push_back(table.caption_count());
  }
  return table;
}

void expect_twin(const std::vector<double>& found, const Images& images, bool paper) {
  const std::vector<std::string>& names = method::pregen::metric_names();
  RC_ASSERT(found.size() == names.size());
  for (std::size_t m = 0; m < names.size(); ++m) {
    const auto expected = static_cast<double>(reference::pregen_metric(names[m], images, paper));
    if (found[m] == expected) continue;  // infinities too
    RC_LOG() << names[m] << ": " << found[m] << ", expected " << expected << '\n';
    RC_ASSERT(std::fabs(found[m] - expected) <= 1e-12 * std::fabs(expected));
  }
}

TEST(PregenMetrics, AgreeWithTheirTwin) {
  EXPECT_TRUE(rc::check("all images", [] {
    const Images images = random_images();
    const bool paper = *rc::gen::arbitrary<bool>();
    const CaptionScores scores(flat(images), paper ? Filter0::paper : Filter0::code);
    RC_ASSERT(scores.image_count() == images.size());
    expect_twin(scores.metrics(), images, paper);
  }));
}

TEST(PregenMetrics, AgreeOnSomeImages) {
  EXPECT_TRUE(rc::check("some images", [] {
    const Images images = random_images();
    const CaptionScores scores(flat(images));
    std::vector<std::size_t> places;
    Images chosen;
    for (std::size_t i = images.size(); i-- > 0;) {  // in another order
      if (!*rc::gen::arbitrary<bool>() && !places.empty()) continue;
      places.push_back(i);
      chosen.push_back(images[i]);
    }
    expect_twin(scores.metrics(places), chosen, false);
  }));
}

TEST(TokenProbabilities, ComeBackFromBothLayouts) {
  EXPECT_TRUE(rc::check("round trip", [] {
    TokenProbabilities table = flat(random_images());
    for (double& value : table.probabilities) {  // all digits
      if (*rc::gen::arbitrary<bool>())
        value = std::ldexp(static_cast<double>(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 53)),
                           -*rc::gen::inRange(53, 1074));
    }
    const TempDir folder;
    const std::string path = (folder.path() / "probabilities").string();
    for (const auto layout : {io::ProbabilityLayout::json, io::ProbabilityLayout::binary}) {
      io::write_token_probabilities(path, table, layout);
      const TokenProbabilities read = io::read_token_probabilities(path);
      RC_ASSERT(read.captions == table.captions);
      RC_ASSERT(read.words == table.words);
      RC_ASSERT(read.probabilities == table.probabilities);
      RC_ASSERT(read.ranks == table.ranks);
    }
  }));
}

}  // namespace
}  // namespace capella::test
