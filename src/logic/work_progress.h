// Tells the outside now and then how far work of many small parts is, so that whoever listens can end it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "capella/progress.h"

namespace capella::logic {

/// Work of less than kEach in all is over too soon to be told of.
class WorkProgress {
 public:
  static constexpr std::size_t kEach = std::size_t{1} << 16;

  /// `progress` may be null or empty, else it must outlive the work, as `stage` must. `total` may be a guess.
  void begin(const Progress* progress, const char* stage, double total) {
    done_ = 0;
    told_ = false;
    const bool tells = progress != nullptr && *progress && total >= static_cast<double>(kEach);
    progress_ = tells ? progress : nullptr;
    next_ = tells ? kEach : std::numeric_limits<std::size_t>::max();
    stage_ = stage;
    total_ = static_cast<std::size_t>(std::min(total, 1e15));
  }

  /// May throw what the listener throws.
  void add(std::size_t work) {
    done_ += work;
    if (done_ >= next_) tell();
  }

  void end() {
    if (told_) (*progress_)(stage_, total_, total_);
  }

 private:
  void tell() {
    next_ = done_ + kEach;
    told_ = true;
    (*progress_)(stage_, std::min(done_, total_ - 1), total_);
  }

  const Progress* progress_ = nullptr;
  const char* stage_ = "";
  std::size_t total_ = 0, done_ = 0;
  std::size_t next_ = std::numeric_limits<std::size_t>::max();
  bool told_ = false;
};

}  // namespace capella::logic
