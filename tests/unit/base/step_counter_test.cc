#include "base/step_counter.h"

#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace capella {
namespace {

TEST(StepCounter, KeepsTheNameOfItsStage) {
  const std::string name = "training a metric with a long name";
  std::vector<std::string> stages;
  std::vector<std::size_t> steps;
  const Progress progress = [&](std::string_view stage, std::size_t done, std::size_t total) {
    stages.emplace_back(stage);
    steps.push_back(done);
    EXPECT_EQ(total, 2u);
  };
  StepCounter counter(progress, "" + name, 2);
  const std::vector<std::string> others(16, std::string(name.size(), 'x'));  // where a temporary was
  counter.still();
  counter.done();
  counter.done();
  EXPECT_EQ(stages, (std::vector<std::string>(3, name)));
  EXPECT_EQ(steps, (std::vector<std::size_t>{0, 1, 2}));
}

static_assert(std::is_constructible_v<StepCounter, const Progress&, std::string, std::size_t>);
static_assert(!std::is_constructible_v<StepCounter, Progress&&, std::string, std::size_t>);

}  // namespace
}  // namespace capella
