#include "cli/progress_bar.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/output.h"

namespace capella::cli {
namespace {

std::string clock_text(std::size_t seconds) {
  const std::size_t hours = seconds / 3600, minutes = seconds / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, seconds % 60)
                   : fmt::format("{}:{:02}", minutes, seconds % 60);
}

}  // namespace

void ProgressBar::show(std::string_view stage, std::size_t done, std::size_t total) {
  if (total == 0) return;
  const Clock::time_point now = Clock::now();
  const std::size_t filled = done * kWidth / total;
  const bool begins = stage != stage_ || done < done_;
  done_ = done;
  if (begins) {
    stage_ = stage;
    first_ = done;
    started_ = now;
  }
  constexpr std::chrono::seconds kLongest{1};  // without a new estimate
  if (!begins && filled == filled_ && done != total && now - drawn_ < kLongest) return;
  filled_ = filled;
  drawn_ = now;
  draw(fmt::format("{} [{}{}] {:3}%{}", stage, std::string(filled, '#'), std::string(kWidth - filled, '.'),
                   100 * done / total, time_left(done, total, now)));
  if (done != total) return;
  draw("");
  stage_.clear();
}

std::string ProgressBar::time_left(std::size_t done, std::size_t total, Clock::time_point now) const {
  constexpr std::size_t kSteps = 2;  // to judge by
  if (done < first_ + kSteps || done == total) return "";
  const std::chrono::duration<double> passed = now - started_;
  const double left = passed.count() * static_cast<double>(total - done) / static_cast<double>(done - first_);
  return fmt::format(" {} left", clock_text(static_cast<std::size_t>(left + 0.5)));
}

void ProgressBar::draw(const std::string& line) {
  const std::string rest(columns_ - std::min(columns_, line.size()), ' ');
  say(fmt::format("\r{}{}{}", line, rest, line.empty() ? "\r" : ""));
  columns_ = line.size();
  std::fflush(stderr);
}

}  // namespace capella::cli
