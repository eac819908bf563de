// The folder: the same bytes for any number of threads, whole or not at all; and what its parts are made of.
#include "world/world.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <png.h>

#include "capella/error.h"

#include "base/file.h"
#include "io/npy.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "world/features.h"
#include "world/judges.h"
#include "world/logic.h"
#include "world/picture.h"

namespace capella::world {
namespace {

namespace fs = std::filesystem;

WorldOptions small_world(const fs::path& folder, std::size_t threads) {
  WorldOptions options;
  options.folder = folder.string();
  options.images = 24;
  options.seed = 5;
  options.size = 48;
  options.threads = threads;
  return options;
}

std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), folder).string()] = read_file_as_is(entry.path().string());
  }
  return files;
}

TEST(World, SameBytesForAnyNumberOfThreads) {
  const test::TempDir folder;
  write_world(small_world(folder.path() / "one", 1));
  const auto expected = files_in(folder.path() / "one");
  EXPECT_EQ(expected.size(), 24 * 2 + 30 + 18u);
  for (const std::size_t threads : {1, 2, 3}) {
    const fs::path again = folder.path() / ("again" + std::to_string(threads));
    write_world(small_world(again, threads));
    EXPECT_EQ(files_in(again), expected) << threads << " threads";
  }
  WorldOptions other = small_world(folder.path() / "other", 1);
  other.seed = 6;
  write_world(other);
  EXPECT_NE(files_in(other.folder).at("references.json"), expected.at("references.json"));
}

// An image does not depend on how many others there are.
TEST(World, ImagesAreTheSameInLargerWorlds) {
  const test::TempDir folder;
  write_world(small_world(folder.path() / "small", 1));
  WorldOptions larger = small_world(folder.path() / "larger", 1);
  larger.images = 30;
  write_world(larger);
  const auto small = files_in(folder.path() / "small");
  const auto large = files_in(folder.path() / "larger");
  for (const char* name : {"images/000001.png", "images/000024.png", "feat/24.npy"})
    EXPECT_EQ(small.at(name), large.at(name)) << name;
}

TEST(World, RefusesWhatItCannotDo) {
  const test::TempDir folder;
  folder.write("full/file", "x");
  const auto with = [&](auto change) {
    WorldOptions options = small_world(folder.path() / "new", 1);
    change(options);
    return test::message_of<UsageError>([&] { write_world(options); });
  };
  EXPECT_NE(
      with([&](WorldOptions& o) { o.folder = (folder.path() / "full").string(); }).find("holds something"),
      std::string::npos);
  EXPECT_NE(
      with([&](WorldOptions& o) { o.folder = (folder.path() / "full/file").string(); }).find("is a file"),
      std::string::npos);
  EXPECT_NE(with([](WorldOptions& o) { o.folder = "."; }).find("name a folder"), std::string::npos);
  EXPECT_NE(with([](WorldOptions& o) { o.images = 0; }).find("--images"), std::string::npos);
  EXPECT_NE(with([](WorldOptions& o) { o.size = 129; }).find("--size"), std::string::npos);
  EXPECT_NE(with([](WorldOptions& o) { o.references = 4; }).find("--references"), std::string::npos);
  EXPECT_NE(with([](WorldOptions& o) { o.splits = {.5, .5, .5}; }).find("sum is 1"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder.path() / "new"));
}

TEST(World, AFailureLeavesNothing) {
  const test::TempDir folder;
  WorldOptions options = small_world(folder.path() / "new", 1);
  options.progress = [](std::string_view, std::size_t done, std::size_t) {
    if (done == 10) throw DataError("stop");
  };
  EXPECT_THROW(write_world(options), DataError);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(World, AnEmptyFolderIsTakenAndATrailingSlashIsFine) {
  const test::TempDir folder;
  fs::create_directory(folder.path() / "new");
  WorldOptions options = small_world(folder.path() / "new/", 1);
  write_world(options);
  EXPECT_TRUE(fs::exists(folder.path() / "new/README.md"));
}

TEST(Picture, PngDecodesToThePicture) {
  const io::RgbImage image = draw_scene(make_scene(1, 0), 64);
  const std::string bytes = io::png_bytes(image);
  png_image about{};
  about.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_memory(&about, bytes.data(), bytes.size()));
  EXPECT_EQ(about.width, 64u);
  EXPECT_EQ(about.format & PNG_FORMAT_FLAG_COLOR, static_cast<png_uint_32>(PNG_FORMAT_FLAG_COLOR));
  about.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(about));
  ASSERT_TRUE(png_image_finish_read(&about, nullptr, pixels.data(), 0, nullptr));
  EXPECT_EQ(pixels, image.pixels);
}

TEST(Picture, ShowsTheColour) {
  Scene scene = make_scene(1, 0);
  Group ball;
  ball.id = Class::ball;
  ball.colour = Colour::red;
  ball.boxes = {{.4, .4, .6, .6}};
  scene.groups = {ball};
  scene.relations.clear();
  const io::RgbImage image = draw_scene(scene, 100);
  const std::uint8_t* middle = &image.pixels[3 * (50 * 100 + 50)];
  EXPECT_GT(middle[0], 180);
  EXPECT_LT(middle[1], 90);
  EXPECT_LT(middle[2], 90);
}

// The header that numpy 2 writes for an array of this shape.
TEST(Npy, HeaderIsNumpys) {
  const std::string expected = std::string("\x93NUMPY\x01\x00v\x00", 10) +
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (7, 64), }" +
                               std::string(57, ' ') + "\n";
  EXPECT_EQ(io::npy_header(7, 64), expected);
  EXPECT_EQ(io::npy_header(12345, 128).size() % 64, 0u);
}

TEST(Features, TellClassesApart) {
  const auto feature_of = [](Class id, std::uint64_t noise) {
    Scene scene;
    Group group;
    group.id = id;
    group.boxes = {{.1, .2, .3, .6}};
    scene.groups = {group};
    Draw draw(noise, Stream::features, 0);
    return object_features(scene, draw);
  };
  const auto distance = [](const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  };
  const auto dog = feature_of(Class::dog, 1);
  ASSERT_EQ(dog.size(), kObjectWidth);
  EXPECT_FLOAT_EQ(dog[kObjectWidth - kGeometry + 3], .6f);
  EXPECT_GT(distance(dog, feature_of(Class::dog, 2)), 0);
  EXPECT_LT(distance(dog, feature_of(Class::dog, 2)), .5 * distance(dog, feature_of(Class::cat, 2)));
}

TEST(Judges, WithoutNoiseRateTheTruth) {
  std::vector<Worker> workers = make_workers(1, 500);
  for (Worker& worker : workers) worker.bias = 0;
  for (std::uint64_t image = 0; image < 100; ++image) {
    const Story story = make_story(1, image, 5);
    for (const Judged& judged : judge(story, workers, 0, 1, image)) {
      ASSERT_EQ(judged.ratings.size(), kRatingsPerCaption);
      EXPECT_NEAR(judged.score, judged.truth, .1251);
      EXPECT_TRUE(judged.error != "none" || judged.truth > .85) << judged.caption->text;
    }
  }
}

TEST(Judges, SomeAreCareless) {
  const std::vector<Worker> workers = make_workers(1, 10);
  std::map<Worker::Habit, int> habits;
  for (const Worker& worker : workers) ++habits[worker.habit];
  EXPECT_EQ(habits.size(), 4u);
  EXPECT_GT(habits[Worker::Habit::careful], 6);
}

TEST(Judges, LabelsAreMostlyRight) {
  int right = 0;
  for (std::uint64_t image = 0; image < 1000; ++image) {
    const Labels labels = label_concept(make_scene(1, image), 1, image);
    for (const std::string_view given : labels.given) right += given == labels.truth;
  }
  EXPECT_NEAR(right / 3000., 1 - kLabelNoise, .03);
}

// Hold is true with the probability that the weights give: sum of the states' exp(weights), by hand.
TEST(Logic, AtomsFollowTheNetwork) {
  const auto e = [](double x) { return std::exp(x); };
  const double without = 1 + e(-.5) + e(-1) + e(-.5 - 1 + .6);
  const double with = e(-1.5) + e(-.5 - 1.5 + 1.2) + e(-1 - 1.5 + .8) + e(-.5 - 1 - 1.5 + 1.2 + .8 + .6);
  int held = 0;
  constexpr int kImages = 5000;
  for (int image = 0; image < kImages; ++image) {
    const auto row = nlohmann::json::parse(logic_row(3, static_cast<std::uint64_t>(image), "1", "train"));
    for (const auto& triplet : row["triplets"]) held += triplet[1] == "hold";
  }
  EXPECT_NEAR(held / (4. * kImages), with / (with + without), .015);
}

}  // namespace
}  // namespace capella::world
