// Reports how far work is that many threads do.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "capella/progress.h"

namespace capella {

class StepCounter {
 public:
  /// `progress` may be empty; it must outlive this.
  StepCounter(const Progress& progress, std::string_view stage, std::size_t total)
      : progress_(progress), stage_(stage), total_(total) {}
  StepCounter(Progress&&, std::string_view, std::size_t) = delete;

  void done() {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    progress_(stage_, ++done_, total_);
  }

  /// Reports the same again: a step is long, and the listener may want to end the work.
  void still() {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    progress_(stage_, done_, total_);
  }

 private:
  const Progress& progress_;
  std::string stage_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

}  // namespace capella
