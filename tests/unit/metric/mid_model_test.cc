// MID's arithmetic. Expected numbers are those of the authors' program (naver-ai/mid.metric) on the same
// vectors, made of length 1.
#include "metric/mid_model.h"

#include <vector>

#include <gtest/gtest.h>

namespace capella::metric {
namespace {

constexpr std::size_t kPairs = 40;
constexpr std::size_t kWidth = 3;
using Vectors = std::vector<std::vector<float>>;

template <class Number>
Vectors vectors_of(const Number& number) {
  Vectors vectors(kPairs, std::vector<float>(kWidth));
  for (std::size_t i = 0; i < kPairs; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) vectors[i][j] = static_cast<float>(number(i, j)) / 8.0f;
  }
  return vectors;
}

Vectors texts() {
  return vectors_of([](std::size_t i, std::size_t j) {
    return static_cast<int>((i * i * 3 + j * j * 5 + i * j * 7 + i) % 23) - 11;
  });
}
Vectors pictures() {
  return vectors_of([](std::size_t i, std::size_t j) {
    return static_cast<int>((i * i * 3 + j * 3 + i * j * 2) % 19) - 9;
  });
}
Vectors captions() {
  return vectors_of([](std::size_t i, std::size_t j) {
    return static_cast<int>((i * i * 3 + j * j * 5 + i * j * 7 + i + i % 3 * j) % 23) - 11;
  });
}

MidModel fitted(const Vectors& text, const Vectors& picture, double epsilon = 0.0) {
  const auto of = [](const Vectors& all) {
    return [&all](std::size_t i) { return std::span<const float>(all[i]); };
  };
  return MidModel(text.size(), kWidth, of(text), of(picture), epsilon);
}

// The authors' value of the first `count` captions.
double corpus_value(const MidModel& model, std::size_t count) {
  const Vectors text = captions(), picture = pictures();
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = model.distances(text[i], picture[i]);
    sum += found.text - found.both;
  }
  return model.information() + (sum / static_cast<double>(count - 1) + model.mean_picture()) / 2;
}

TEST(MidModel, AgreesWithTheAuthorsProgram) {
  const MidModel model = fitted(texts(), pictures());
  ASSERT_FALSE(model.is_singular());
  EXPECT_NEAR(model.information(), 0.10742222707189164, 1e-13);
  EXPECT_NEAR(corpus_value(model, 40), 0.07796322492416019, 1e-12);
  EXPECT_NEAR(corpus_value(model, 10), 0.06165895034514346, 1e-12);
  const double expected[] = {0.6310887273260832, 0.4872476672887678, 0.6851841373496956, 0.9095367263768068};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto found = model.distances(captions()[i], pictures()[i]);
    EXPECT_NEAR(model.information() + (found.text + found.picture - found.both) / 2, expected[i], 1e-12);
  }
}

// Over the pairs that it was fitted to, what pictures add is the mean of what each adds, with or without
// epsilon.
TEST(MidModel, PicturesAddTheirMean) {
  for (const double epsilon : {0.0, 5e-4, .1}) {
    const MidModel model = fitted(texts(), pictures(), epsilon);
    double sum = 0;
    for (std::size_t i = 0; i < kPairs; ++i) sum += model.distances(captions()[i], pictures()[i]).picture;
    EXPECT_NEAR(model.mean_picture(), sum / static_cast<double>(kPairs - 1), 1e-12) << epsilon;
  }
}

TEST(MidModel, LengthsDoNotCount) {
  Vectors longer = texts();
  for (std::size_t i = 0; i < kPairs; ++i) {
    for (float& x : longer[i]) x *= static_cast<float>(1u << i % 5);
  }
  EXPECT_EQ(fitted(longer, pictures()).information(), fitted(texts(), pictures()).information());
}

TEST(MidModel, TooFewOrEqualPairsTellNothing) {
  Vectors text = texts(), picture = pictures();
  text.resize(2 * kWidth);
  picture.resize(2 * kWidth);
  EXPECT_TRUE(fitted(text, picture).is_singular());
  EXPECT_FALSE(fitted(text, picture, 1e-3).is_singular());
  EXPECT_TRUE(fitted(texts(), texts()).is_singular());
  EXPECT_TRUE(fitted(Vectors(kPairs, {1.0f, 2.0f, 3.0f}), pictures()).is_singular());
  EXPECT_TRUE(fitted({{1.0f, 2.0f, 3.0f}}, {{1.0f, 2.0f, 3.0f}}, 1e-3).is_singular());
}

}  // namespace
}  // namespace capella::metric
