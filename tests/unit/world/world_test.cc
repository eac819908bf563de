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

TEST(World, RefusesALinkAtOnce) {
  const test::TempDir folder;
  fs::create_directory(folder.path() / "there");
  fs::create_directory_symlink(folder.path() / "there", folder.path() / "link");
  fs::create_directory_symlink(folder.path() / "nowhere", folder.path() / "broken");
  for (const char* name : {"link", "link/", "broken"}) {
    const WorldOptions options = small_world(folder.path() / name, 1);
    EXPECT_NE(test::message_of<UsageError>([&] { check(options); }).find("is a link"), std::string::npos)
        << name;
  }
}

TEST(World, SplitsGetWhatTheyAreOwed) {
  using Sizes = std::array<std::size_t, 3>;
  EXPECT_EQ(split_sizes(5, {.5, .3, .2}), (Sizes{3, 1, 1}));
  EXPECT_EQ(split_sizes(10, {.45, .45, .1}), (Sizes{5, 4, 1}));
  EXPECT_EQ(split_sizes(1000, {.8, .1, .1}), (Sizes{800, 100, 100}));
  EXPECT_EQ(split_sizes(100, {.29, .7, .01}), (Sizes{29, 70, 1}));
  EXPECT_EQ(split_sizes(1, {.8, .1, .1}), (Sizes{1, 0, 0}));
  EXPECT_EQ(split_sizes(7, {1, 0, 0}), (Sizes{7, 0, 0}));
  for (std::size_t images = 1; images < 300; ++images) {
    const Sizes sizes = split_sizes(images, {.35, .34, .31});
    EXPECT_EQ(sizes[0] + sizes[1] + sizes[2], images);
    EXPECT_TRUE(images < 4 || (sizes[0] > 0 && sizes[1] > 0 && sizes[2] > 0)) << images;
  }
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
  const auto mean_of = [&](Class id, std::uint64_t first) {
    std::vector<float> mean(kObjectWidth);
    for (std::uint64_t noise = first; noise < first + 100; ++noise) {
      const auto one = feature_of(id, noise);
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += one[i] / 100;
    }
    return mean;
  };
  const auto dog = feature_of(Class::dog, 1);
  ASSERT_EQ(dog.size(), kObjectWidth);
  EXPECT_FLOAT_EQ(dog[kObjectWidth - kGeometry + 3], .6f);
  EXPECT_GT(distance(dog, feature_of(Class::dog, 2)), 0);
  const auto mean = mean_of(Class::dog, 1);
  EXPECT_LT(distance(mean, mean_of(Class::dog, 200)), .5 * distance(mean, mean_of(Class::cat, 200)));
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

// False atoms are false, of many kinds, and some have a wrong thing.
TEST(Judges, FalseAtomsVary) {
  std::map<std::pair<std::string, std::string>, int> said;  // of what is true, which is said
  std::size_t things = 0, all = 0;
  for (std::uint64_t image = 0; image < 1000; ++image) {
    const Scene scene = make_scene(1, image);
    const RankedAtoms ranked = rank_atoms(scene, 1, image);
    for (std::size_t i = 0; i < ranked.atoms.size(); ++i) {
      bool found = false, same_things = false;
      for (const Relation& relation : scene.relations) {
        const Triplet right = triplet(scene, relation);
        found = found || right == ranked.atoms[i];
        same_things = same_things || (right[0] == ranked.atoms[i][0] && right[2] == ranked.atoms[i][2]);
      }
      EXPECT_EQ(found, ranked.truth[i]);
      if (ranked.truth[i]) continue;
      ++all;
      things += !same_things;
      if (same_things) ++said[{std::string(info(scene.relations[0].predicate).label), ranked.atoms[i][1]}];
    }
  }
  EXPECT_GT(said.size(), 40u);
  EXPECT_NEAR(static_cast<double>(things) / static_cast<double>(all), kWrongArgument, .05);
}

// Careful ratings: the noise and bias that were asked for, around the quality.
TEST(Judges, CarefulRatingsSpreadAsStated) {
  std::vector<Worker> workers(200);
  for (Worker& worker : workers) worker.pace = 10;
  double sum = 0, squares = 0, count = 0;
  for (std::uint64_t image = 0; image < 1500; ++image) {
    const Story story = make_story(1, image, 5);
    for (const Judged& judged : judge(story, workers, .5, 1, image)) {
      if (judged.truth < .4 || judged.truth > .6) continue;  // far from both ends of the scale
      for (const Rating& rating : judged.ratings) {
        const double error = rating.points - (1 + 4 * judged.truth);
        sum += error, squares += error * error, ++count;
      }
    }
  }
  ASSERT_GT(count, 500);
  EXPECT_NEAR(sum / count, 0, .08);
  EXPECT_NEAR(std::sqrt(squares / count), std::sqrt(.25 + 1. / 12), .08);  // rounding adds 1/12
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
