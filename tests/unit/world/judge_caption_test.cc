// Captions that are judged by their words are judged as those whose claims are known.
#include "world/judge_caption.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "world/story.h"

namespace capella::world {
namespace {

constexpr std::size_t kJudgeCaptionImages = 400;
constexpr double kNoise = .5;

struct Agreement {
  std::vector<double> known, read;

  void add(double one, double other) {
    known.push_back(one);
    read.push_back(other);
  }
  double difference() const {
    double sum = 0;
    for (std::size_t i = 0; i < known.size(); ++i) sum += std::fabs(known[i] - read[i]);
    return sum / static_cast<double>(known.size());
  }
  static double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  }
  double pearson() const {
    const double a = mean(known), b = mean(read);
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
      ab += (known[i] - a) * (read[i] - b);
      aa += (known[i] - a) * (known[i] - a);
      bb += (read[i] - b) * (read[i] - b);
    }
    return ab / std::sqrt(aa * bb);
  }
};

TEST(JudgeCaption, AgreesWithWhatIsKnown) {
  const std::uint64_t seed = 31;
  const std::vector<Worker> workers = make_workers(seed, kJudgeCaptionImages);
  Agreement readable, all;
  for (std::uint64_t image = 0; image < kJudgeCaptionImages; ++image) {
    const Story story = make_story(seed, image, 5);
    for (const Judged& judged : judge(story, workers, kNoise, seed, image)) {
      const double found = caption_quality(judged.caption->text, story.scene);
      all.add(judged.truth, found);
      if (judged.caption->readable) readable.add(judged.truth, found);
    }
  }
  EXPECT_EQ(all.known.size(), kJudgeCaptionImages * kCaptionsPerImage);
  EXPECT_GT(readable.pearson(), .999);
  EXPECT_LT(readable.difference(), .005);
  EXPECT_GT(all.pearson(), .98);
  EXPECT_LT(all.difference(), .02);
  RecordProperty("pearson", std::to_string(all.pearson()));
  RecordProperty("difference", std::to_string(all.difference()));
}

TEST(JudgeCaption, EachKindOfErrorCostsWhatItCosts) {
  for (std::size_t kind = 0; kind < kErrorNames.size(); ++kind) {
    Agreement agreement;
    for (std::uint64_t image = 0; image < 200; ++image) {
      const Story story = make_story(32, image, 5);
      const Caption& caption = story.errors[kind];
      agreement.add(quality(caption.plan, story.scene) * (caption.readable ? 1 : kShuffled),
                    caption_quality(caption.text, story.scene));
    }
    EXPECT_LT(agreement.difference(), kErrorNames[kind] == "shuffled" ? .1 : .02) << kErrorNames[kind];
  }
}

TEST(JudgeCaption, WordsWithoutClaimsAreWorthNothing) {
  const Scene scene = make_scene(1, 0);
  EXPECT_EQ(caption_quality("", scene), 0);
  EXPECT_EQ(caption_quality("the of zebra", scene), 0);
}

TEST(JudgeCaption, BrokenCaptionsAreWorthLess) {
  const Story story = make_story(33, 0, 5);
  const std::string text = story.system.text;
  const double whole = caption_quality(text, story.scene);
  const double slip = caption_quality(text + " zebra", story.scene);
  EXPECT_LT(slip, whole);
  EXPECT_GT(slip, .8 * whole);
  std::string broken = text;
  for (int i = 0; i < 30; ++i) broken += " zebra";
  EXPECT_DOUBLE_EQ(caption_quality(broken, story.scene), kShuffled * whole);
}

TEST(JudgeCaption, RatingsFollowTheQuality) {
  const std::uint64_t seed = 34;
  const CaptionJudges judges(seed, kJudgeCaptionImages, kNoise);
  Agreement agreement;
  for (std::uint64_t image = 0; image < kJudgeCaptionImages; ++image) {
    const Story story = make_story(seed, image, 5);
    for (const Caption& caption : story.errors) {
      const JudgedCaption judged = judges.judge(image, caption.text);
      EXPECT_EQ(judged.quality, caption_quality(caption.text, story.scene));
      EXPECT_GE(judged.rating, 0);
      EXPECT_LE(judged.rating, 1);
      const double steps = judged.rating * 4 * kRatingsPerCaption;
      EXPECT_NEAR(steps, std::round(steps), 1e-9);
      agreement.add(judged.quality, judged.rating);
    }
  }
  EXPECT_GT(agreement.pearson(), .95);
  EXPECT_LT(agreement.difference(), .1);
}

TEST(JudgeCaption, RatingsAreTheSameEachTime) {
  const std::string caption = "a man riding a bike in a park";
  const CaptionJudges judges(35, kJudgeCaptionImages, kNoise);
  std::size_t different = 0;
  for (std::uint64_t image = 0; image < 50; ++image) {
    const double rating = judges.judge(image, caption).rating;
    EXPECT_EQ(rating, CaptionJudges(35, kJudgeCaptionImages, kNoise).judge(image, caption).rating);
    if (rating != CaptionJudges(35, kJudgeCaptionImages, 2).judge(image, caption).rating) ++different;
  }
  EXPECT_GT(different, 20u);
}

}  // namespace
}  // namespace capella::world
