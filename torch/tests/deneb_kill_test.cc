// A training that is killed in the middle of an epoch (SIGKILL, which nothing can catch) and started again
// ends with the same bytes as one that was left alone. The killed one is this program again, with another
// test.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "method/deneb/train_network.h"
#include "small_deneb.h"
#include "support/temp_dir.h"

namespace capella::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "CAPELLA_TEST_KILLED_FOLDER";
constexpr std::size_t kKilledEpoch = 3;

// Trains in `folder`; `progress` may stop it.
std::string trained_bytes(const fs::path& folder, const Progress& progress, bool& resumed) {
  deneb::Recipe recipe = small_deneb(deneb::Architecture::released);
  recipe.dropout = .2;
  recipe.mix_dropout = .2;
  recipe.batch = 4;
  recipe.rate = .003;
  const SmallFeatures given(recipe, 6, 15, 2);
  deneb::TrainingData data;
  data.features = given.features;
  data.training = random_samples(24, 6, 15, 3, 6);
  data.validation = random_samples(12, 6, 15, 3, 7);
  deneb::Model start;
  start.recipe = recipe;
  start.encoders.clip = {"c", "1"};
  start.encoders.sentence = {"s", "2"};
  start.encoders.image = {16, {.5f, .5f, .5f}, {.5f, .5f, .5f}};
  start.facts.seed = 5;
  start.facts.patience = 10;
  deneb::TrainingLoop loop;
  loop.most_epochs = 5;
  loop.checkpoint = (folder / "checkpoint").string();
  loop.progress = progress;
  const auto network = deneb_maker().make(recipe, "cpu", start.facts.seed, 1);
  const deneb::TrainedNetwork trained = deneb::train_network(*network, start, data, loop);
  resumed = trained.resumed;
  return deneb::model_bytes(trained.model, method::NetworkFile::model);
}

// Says that it is in the middle of an epoch, and stays there. Only started by the test below.
TEST(DenebKilled, DISABLED_TrainsUntilKilled) {
  const char* folder = std::getenv(kFolder);
  ASSERT_NE(folder, nullptr);
  bool resumed = false;
  trained_bytes(
      folder,
      [&](std::string_view stage, std::size_t done, std::size_t) {
        if (stage != "epoch " + std::to_string(kKilledEpoch) || done < 12) return;
        std::ofstream(fs::path(folder) / "ready").put('1');
        for (;;) ::pause();
      },
      resumed);
}

pid_t start_child(const fs::path& folder) {
  ::setenv(kFolder, folder.c_str(), 1);
  for (const char* shard : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"})
    ::unsetenv(shard);  // its test may be in another
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  std::string arguments[] = {self, "--gtest_also_run_disabled_tests",
                             "--gtest_filter=DenebKilled.DISABLED_TrainsUntilKilled"};
  char* list[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
  pid_t child = 0;
  EXPECT_EQ(::posix_spawn(&child, self.c_str(), nullptr, nullptr, list, environ), 0);
  return child;
}

TEST(DenebKilled, GoesOnFromItsCheckpointToTheSameBytes) {
  const TempDir whole, broken;
  bool resumed = true;
  const std::string expected = trained_bytes(whole.path(), {}, resumed);
  EXPECT_FALSE(resumed);
  const pid_t child = start_child(broken.path());
  int status = 0;
  for (int wait = 0; wait < 6000 && !fs::exists(broken.path() / "ready"); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(::waitpid(child, &status, WNOHANG), 0) << "the child ended by itself";
  }
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ASSERT_TRUE(fs::exists(broken.path() / "ready"));
  std::size_t first_epoch = 0;
  const std::string found = trained_bytes(
      broken.path(),
      [&](std::string_view stage, std::size_t, std::size_t) {
        if (first_epoch == 0 && stage.starts_with("epoch "))
          first_epoch = std::stoul(std::string(stage.substr(6)));
      },
      resumed);
  EXPECT_TRUE(resumed);
  EXPECT_EQ(first_epoch, kKilledEpoch);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace capella::test
