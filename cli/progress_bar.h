// A bar on the terminal: how much of the work is done, and how long the rest may take.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace capella::cli {

class ProgressBar {
 public:
  void show(std::string_view stage, std::size_t done, std::size_t total);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kWidth = 40;

  /// How long the other steps take if they are like those before: " 1:05 left"; empty after too few steps.
  std::string time_left(std::size_t done, std::size_t total, Clock::time_point now) const;
  /// Replaces what is on the line.
  void draw(const std::string& line);

  std::string stage_;
  std::size_t first_ = 0;  // steps that were done when the stage was first heard of
  std::size_t done_ = 0;
  std::size_t filled_ = 0;   // of the bar that is drawn
  std::size_t columns_ = 0;  // on the line
  Clock::time_point started_, drawn_;
};

}  // namespace capella::cli
