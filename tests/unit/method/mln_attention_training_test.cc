// Training from images: a relation that the boxes show is learned, and the number of threads changes nothing.
#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/random.h"
#include "io/npy.h"
#include "method/mln/attention/attention_training.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::method::mln {
namespace {

using test::message_of;
using test::TempDir;

struct Pictures {
  std::vector<io::ImageObjects> images;
  std::vector<io::TripletRow> rows;
};

// A cup and a box somewhere; the captions tell which one is left or above, not always both.
Pictures draw_pictures(const TempDir& folder, std::size_t count) {
  Pictures out;
  Random random(17);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = std::to_string(i);
    io::ImageObjects image{id, 100, 100, {}, ""};
    for (const char* const label : {"cup", "box"}) {
      const double x = 80 * random.uniform();
      const double y = 80 * random.uniform();
      image.objects.push_back({label, {}, {x, y, x + 20, y + 20}, 1});
    }
    std::vector<float> noise(6);
    for (float& value : noise) value = static_cast<float>(random.normal());
    image.features = folder.write(id + ".npy", io::npy_bytes(noise, 2, 3));
    const auto& cup = image.objects[0].box;
    const auto& box = image.objects[1].box;
    io::TripletRow row{id, i % 5 == 4 ? "val" : "train", "", {}};
    if (random.below(4) > 0)
      row.triplets.push_back({cup[0] < box[0] ? "cup" : "box", "left of", cup[0] < box[0] ? "box" : "cup"});
    if (random.below(4) > 0)
      row.triplets.push_back({cup[1] < box[1] ? "cup" : "box", "above", cup[1] < box[1] ? "box" : "cup"});
    out.images.push_back(std::move(image));
    out.rows.push_back(std::move(row));
  }
  return out;
}

TEST(AttentionTraining, LearnsWhatBoxesShow) {
  const TempDir folder;
  const Pictures pictures = draw_pictures(folder, 250);
  AttentionTraining options = small_attention();
  std::size_t calls = 0;
  options.progress = [&](std::string_view stage, std::size_t done, std::size_t total) {
    EXPECT_EQ(stage, "attention");
    EXPECT_EQ(done, ++calls);
    EXPECT_EQ(total, 2 * options.epochs);
  };
  const TrainedAttention one = train_attention(pictures.images, pictures.rows, options);
  EXPECT_EQ(calls, 2 * options.epochs);
  ASSERT_EQ(one.reports.size(), 2u);
  EXPECT_EQ(one.reports[0].predicate, "above");
  for (const AttentionReport& report : one.reports) {
    EXPECT_GT(report.auc, .9) << report.predicate;
    EXPECT_GT(report.held_out_told, 20u);
    EXPECT_LT(report.calibrated.log_loss, .5);
  }
  options.threads = 3;
  options.progress = {};
  const TrainedAttention many = train_attention(pictures.images, pictures.rows, options);
  for (const auto& [predicate, network] : one.models.networks) {
    const AttentionNetwork& other = many.models.networks.at(predicate);
    EXPECT_EQ(network.W1, other.W1);
    EXPECT_EQ(network.temperature, other.temperature);
    EXPECT_EQ(network.shift, other.shift);
  }
  options.seed = 1;
  EXPECT_NE(train_attention(pictures.images, pictures.rows, options).models.networks.at("above").W1,
            one.models.networks.at("above").W1);
}

// Bringing inputs to one scale is part of the network: it takes raw inputs, of any size.
TEST(AttentionTraining, TheScaleOfInputsIsInTheNetwork) {
  const TempDir folder;
  const Pictures pictures = draw_pictures(folder, 250);
  AttentionTraining options = small_attention();
  options.pixel_boxes = true;
  EXPECT_GT(train_attention(pictures.images, pictures.rows, options).mean_auc, .9);
}

TEST(AttentionTraining, ThePapersPresetRuns) {
  const TempDir folder;
  const Pictures pictures = draw_pictures(folder, 40);
  AttentionTraining options = paper_attention();
  EXPECT_EQ(options.hidden, 500u);
  EXPECT_EQ(options.attention, 128u);
  EXPECT_EQ(options.rate, 5e-5);
  EXPECT_EQ(options.decay, 1e-6);
  EXPECT_EQ(options.epochs, 10u);
  EXPECT_EQ(options.batch, 1u);
  options.hidden = 20;
  options.epochs = 2;
  const TrainedAttention trained = train_attention(pictures.images, pictures.rows, options);
  EXPECT_EQ(trained.models.networks.size(), 2u);
  EXPECT_EQ(trained.models.features, 3u);
}

TEST(AttentionTraining, SaysWhenThereIsNothingToLearn) {
  const TempDir folder;
  const Pictures pictures = draw_pictures(folder, 5);
  const auto train = [&] { train_attention(pictures.images, pictures.rows, small_attention()); };
  EXPECT_NE(message_of<DataError>(train).find("no predicate is told 10 times"), std::string::npos);
  AttentionTraining options = small_attention();
  options.hidden = 0;
  const auto wrong = [&] { train_attention(pictures.images, pictures.rows, options); };
  EXPECT_NE(message_of<UsageError>(wrong).find("0 hidden"), std::string::npos);
}

}  // namespace
}  // namespace capella::method::mln
