// CLIP-S, RefCLIP-S and MID through whole runs agree with their slow twins on the vectors of single texts and
// pictures.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/pipeline.h"

#include "base/random.h"
#include "metric/mid_model.h"
#include "reference/clip_score_reference.h"
#include "support/clip_data.h"

namespace capella::test {
namespace {

using reference::Numbers;

Numbers numbers(const std::vector<float>& vector) {
  return {vector.begin(), vector.end()};
}

std::string any_text() {
  const std::string words[] = {"a", "dog", "cat", "runs", "on", "grass", "the", "red", ""};
  std::string text;
  for (int count = *rc::gen::inRange(0, 6); count > 0; --count) {
    text += words[*rc::gen::inRange<std::size_t>(0, std::size(words))];
    text += ' ';
  }
  return text;
}

std::vector<Item> any_items() {
  std::vector<Item> items;
  for (int count = *rc::gen::inRange(1, 5); count > 0; --count) {
    Item item{any_text(), {}};
    for (int references = *rc::gen::inRange(1, 4); references > 0; --references)
      item.references.push_back(any_text());
    items.push_back(std::move(item));
  }
  return items;
}

TEST(ClipScoreProperty, AgreesWithTheSlowTwin) {
  const SmallClip model;
  EXPECT_TRUE(rc::check("CLIP-S, RefCLIP-S", [&] {
    const ClipData data(any_items());
    ScoreOptions options = clip_options(model, {"clip-s", "refpac-s"});
    options.threads = *rc::gen::inRange<std::size_t>(1, 4);
    const Result result = score(data.dataset(), options);
    double sums[2] = {0, 0};
    const auto text = [&](const std::string& caption) {
      return numbers(model.text("A photo depicts " + caption));
    };
    for (std::size_t item = 0; item < data.items().size(); ++item) {
      const Numbers picture = numbers(model.picture(data.picture(item)));
      const Numbers caption = text(data.items()[item].caption);
      std::vector<Numbers> references;
      for (const std::string& reference : data.items()[item].references)
        references.push_back(text(reference));
      const double expected[] = {reference::clip_score(picture, caption, 2.5),
                                 reference::ref_clip_score(picture, caption, references, 2.0)};
      for (std::size_t i = 0; i < 2; ++i) {
        RC_ASSERT(std::abs(result.item_value(0, item, i) - expected[i]) <= 1e-12);
        sums[i] += expected[i];
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const double mean = sums[i] / static_cast<double>(data.items().size());
      RC_ASSERT(std::abs(result.systems[0].values[i] - mean) <= 1e-12);
    }
  }));
}

TEST(MidProperty, RunsAgreeWithTheSlowTwin) {
  const SmallClip model;
  std::vector<Item> items;
  for (int i = 0; i < 30; ++i)
    items.push_back({"a cat " + std::to_string(i % 7),
                     {"dog " + std::to_string(i), "the cat " + std::to_string(i * 3 % 11)}});
  const ClipData data(items);
  ScoreOptions options = clip_options(model, {"mid"});
  options.settings.push_back("mid.epsilon=0.01");
  const Result result = score(data.dataset(), options);
  std::vector<reference::MidItem> expected;
  for (std::size_t i = 0; i < items.size(); ++i) {
    expected.push_back({numbers(model.picture(data.picture(i))), {}, numbers(model.text(items[i].caption))});
    for (const std::string& reference : items[i].references)
      expected.back().references.push_back(numbers(model.text(reference)));
  }
  const reference::MidScores scores = reference::mid(expected, 0.01);
  EXPECT_NEAR(result.systems[0].values[0], scores.corpus, 1e-9 * std::abs(scores.corpus));
  for (std::size_t i = 0; i < items.size(); ++i)
    EXPECT_NEAR(result.item_value(0, i, 0), scores.items[i], 1e-9 * (1 + std::abs(scores.items[i])));
}

// Vectors of any shape; with an epsilon they may be fewer than their numbers.
TEST(MidProperty, TheModelAgreesWithTheSlowTwin) {
  EXPECT_TRUE(rc::check("MID", [] {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    const auto width = *rc::gen::inRange<std::size_t>(1, 5);
    const double epsilon = *rc::gen::element(0.0, 0.001);
    const auto pairs = *rc::gen::inRange<std::size_t>(epsilon > 0 ? 3 : 12, epsilon > 0 ? 20 : 200);
    std::vector<std::vector<float>> text(pairs), picture(pairs);
    std::vector<reference::MidItem> items;
    for (std::size_t i = 0; i < pairs; ++i) {
      for (std::size_t j = 0; j < width + 1; ++j) {
        picture[i].push_back(static_cast<float>(random.normal()));
        text[i].push_back(static_cast<float>(random.normal()) + 0.5f * picture[i].back());
      }
    }
    for (std::size_t i = 0; i < pairs; ++i)
      items.push_back({numbers(picture[i]), {numbers(text[i])}, numbers(text[pairs - 1 - i % 3])});
    const metric::MidModel model(
        pairs, width + 1, [&](std::size_t i) { return std::span<const float>(text[i]); },
        [&](std::size_t i) { return std::span<const float>(picture[i]); }, epsilon);
    RC_ASSERT(!model.is_singular());
    const reference::MidScores expected = reference::mid(items, epsilon);
    double differences = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const auto found = model.distances(text[pairs - 1 - i % 3], picture[i]);
      const double value = model.information() + (found.text + found.picture - found.both) / 2;
      RC_ASSERT(std::abs(value - expected.items[i]) <= 1e-8 * (1 + std::abs(expected.items[i])));
      differences += found.text - found.both;
    }
    const double corpus =
        model.information() + (differences / static_cast<double>(pairs - 1) + model.mean_picture()) / 2;
    RC_ASSERT(std::abs(corpus - expected.corpus) <= 1e-8 * (1 + std::abs(expected.corpus)));
  }));
}

}  // namespace
}  // namespace capella::test
