// Word Mover's Distance against its slow twin, the twin against other programs, and laws that hold for any
// captions and vectors.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "base/file.h"
#include "metric/wmd_distances.h"
#include "property/corpus_generator.h"
#include "reference/wmd_reference.h"
#include "reference/words_reference.h"
#include "support/shared.h"
#include "support/small_word_vectors.h"
#include "support/wmd_texts.h"

namespace capella::test {
namespace {

using metric::VectorNorm;
using metric::WmdSolver;

// Words of the captions of corpus_generator.h and a few that look like them; "sofa" and "couch" always have
// the same vector. Numbers are few, so that distances are often equal.
rc::Gen<reference::Vectors> vectors() {
  const auto number = rc::gen::map(rc::gen::inRange(-3, 4), [](int x) { return static_cast<float>(x) / 2; });
  return rc::gen::mapcat(rc::gen::element<std::size_t>(1, 2, 7, 8, 19, 136), [=](std::size_t size) {
    const auto vector = rc::gen::container<std::vector<float>>(size, number);
    return rc::gen::map(rc::gen::container<std::vector<std::vector<float>>>(5, vector),
                        [](const std::vector<std::vector<float>>& v) {
                          return reference::Vectors{{"dog", v[0]},   {"cat", v[1]},  {"runs", v[2]},
                                                    {"grass", v[3]}, {"sofa", v[4]}, {"couch", v[4]}};
                        });
  });
}

rc::Gen<Corpus> corpora() {
  return corpus_of(caption_of({"a", "dog", "cat", "runs", "on", "grass", "sofa", "couch", "zebra"},
                              {" ", " ", " ", "  "}, false));
}

// Stop words have a vector too, but do not count.
reference::Vectors with_stop_words(reference::Vectors vectors) {
  vectors["a"] = vectors["on"] = vectors["dog"];
  return vectors;
}

void expect_twin(const std::string& norm, const std::string& solver, double tolerance) {
  const reference::Vectors given = *vectors();
  const Corpus corpus = *corpora();
  const SmallWordVectors converted(with_stop_words(given));
  const auto found = wmd_scores(*make_wmd({{"norm", norm}, {"solver", solver}}), corpus, converted.get());
  const auto expected = reference::wmd_scores(corpus, norm == "unit" ? reference::unit_vectors(given) : given,
                                              solver == "gensim3");
  for (std::size_t k = 0; k < corpus.size(); ++k) {
    RC_LOG() << "item " << k << ": found " << found[k] << ", expected " << expected.items[k] << '\n';
    RC_ASSERT(std::abs(found[k] - expected.items[k]) <= tolerance);
  }
}

TEST(WmdTwin, GivesTheGoldenValues) {
  CAPELLA_NEED_SHARED(path, "golden/golden_wmd.json");
  const auto golden = nlohmann::json::parse(read_file(path.string()));
  const reference::Vectors raw = golden.at("vectors");
  const reference::Vectors unit = reference::unit_vectors(raw);
  std::size_t compared = 0;
  for (const auto& row : golden.at("rows")) {
    const reference::Words a = row.at("cand_tokens");
    for (const auto& want : row.at("per_ref")) {
      const reference::Words b = want.at("ref_tokens");
      if (want.at("wcd").is_null()) continue;
      ++compared;
      EXPECT_NEAR(reference::wmd(a, b, raw), want.at("exact_raw").get<double>(), 1e-12);
      EXPECT_NEAR(reference::wmd(a, b, unit), want.at("exact_unit").get<double>(), 1e-12);
      EXPECT_EQ(reference::gensim3_wmd(a, b, raw), want.at("gensim3_pyemd").get<double>());
      EXPECT_NEAR(reference::relaxed_wmd(a, b, raw), want.at("rwmd_cand_to_ref").get<double>(), 1e-12);
      EXPECT_NEAR(reference::relaxed_wmd(b, a, raw), want.at("rwmd_ref_to_cand").get<double>(), 1e-12);
      EXPECT_NEAR(reference::centroid_distance(a, b, raw), want.at("wcd").get<double>(), 1e-12);
    }
  }
  EXPECT_GT(compared, 500u);
}

TEST(WmdProperty, ExactScoresAreThoseOfTheTwin) {
  EXPECT_TRUE(rc::check("unit vectors", [] { expect_twin("unit", "exact", 1e-12); }));
  EXPECT_TRUE(rc::check("raw vectors", [] { expect_twin("raw", "exact", 1e-12); }));
}

TEST(WmdProperty, Gensim3ScoresAreThoseOfTheTwinToTheLastBit) {
  EXPECT_TRUE(rc::check("unit vectors", [] { expect_twin("unit", "gensim3", 0.0); }));
  EXPECT_TRUE(rc::check("raw vectors", [] { expect_twin("raw", "gensim3", 0.0); }));
}

TEST(WmdProperty, LeavingOutFarReferencesChangesNoBit) {
  EXPECT_TRUE(rc::check("pruned is unpruned", [] {
    const SmallWordVectors converted(*vectors());
    const Corpus corpus = *corpora();
    const auto all = wmd_distances(corpus, converted.get(), VectorNorm::raw, WmdSolver::exact);
    const auto scores = wmd_scores(*make_wmd({{"norm", "raw"}}), corpus, converted.get());
    for (std::size_t k = 0; k < corpus.size(); ++k) {
      RC_ASSERT(scores[k] == std::exp(-*std::ranges::min_element(all[k])));
    }
  }));
}

TEST(WmdProperty, BoundsAreNeverAboveTheDistance) {
  EXPECT_TRUE(rc::check("bounds", [] {
    const reference::Vectors given = *vectors();
    const Corpus corpus = *corpora();
    const SmallWordVectors converted(given);
    const auto all = wmd_distances(corpus, converted.get(), VectorNorm::raw, WmdSolver::exact);
    for (std::size_t k = 0; k < corpus.size(); ++k) {
      for (std::size_t r = 0; r < all[k].size(); ++r) {
        if (std::isinf(all[k][r])) continue;
        const auto a = reference::space_pieces(corpus[k].caption);
        const auto b = reference::space_pieces(corpus[k].references[r]);
        const double most = all[k][r] + 1e-12;
        RC_ASSERT(reference::relaxed_wmd(a, b, given) <= most);
        RC_ASSERT(reference::relaxed_wmd(b, a, given) <= most);
        RC_ASSERT(reference::centroid_distance(a, b, given) <= most);
      }
    }
  }));
}

TEST(WmdProperty, ACaptionIsExactlyNothingFromItselfInAnyOrder) {
  EXPECT_TRUE(rc::check("identity", [] {
    const SmallWordVectors converted(*vectors());
    std::vector<std::string> words = reference::space_pieces(*plain_caption());
    const std::string caption = fmt::format("{}", fmt::join(words, " "));
    std::ranges::reverse(words);
    const std::string reversed = fmt::format("{}", fmt::join(words, " "));
    const auto found = wmd_distances({{caption + " dog", {reversed + " dog"}}}, converted.get(),
                                     VectorNorm::unit, WmdSolver::exact);
    RC_ASSERT(found[0][0] == 0.0);
  }));
}

TEST(WmdProperty, AllKernelsGiveTheSameDistances) {
  EXPECT_TRUE(rc::check("kernels", [] {
    const std::size_t width = 8 * *rc::gen::inRange<std::size_t>(1, 40);
    const auto rows = *rc::gen::inRange<std::size_t>(1, 10), columns = *rc::gen::inRange<std::size_t>(1, 10);
    const auto number = rc::gen::map(rc::gen::inRange(-1'000'000, 1'000'000),
                                     [](int x) { return static_cast<float>(x) * 1e-6f; });
    const auto values = *rc::gen::container<std::vector<float>>((rows + columns) * width, number);
    std::vector<const float*> vectors;
    for (std::size_t i = 0; i < rows + columns; ++i) vectors.push_back(values.data() + i * width);
    const metric::VectorList a{std::span(vectors).first(rows), width};
    const metric::VectorList b{std::span(vectors).subspan(rows), width};
    std::vector<double> expected(rows * columns);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      double lanes[8] = {};
      for (std::size_t k = 0; k < width; ++k) {
        const double d = double{a.vectors[i / columns][k]} - double{b.vectors[i % columns][k]};
        lanes[k % 8] += d * d;
      }
      expected[i] = std::sqrt(((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
                              ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])));
    }
    for (const metric::DistanceKernel& kernel : metric::distance_kernels()) {
      std::vector<double> found(rows * (columns + 1), -1.0);
      kernel.find(a, b, found.data(), columns + 1);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j)
          RC_ASSERT(found[i * (columns + 1) + j] == expected[i * columns + j]);
        RC_ASSERT(found[i * (columns + 1) + columns] == -1.0);
      }
    }
  }));
}

}  // namespace
}  // namespace capella::test
