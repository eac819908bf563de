// What Ctrl-C says while networks or weights are trained.
#pragma once

#include <string>

namespace capella::cli {

/// While it lives, Ctrl-C ends the program as always (130 in a shell), but first says how the work is
/// resumed. At most one lives at a time.
class InterruptNotice {
 public:
  /// `kept`: the folder from which the same command resumes, once it is there; empty: the work has none.
  explicit InterruptNotice(const std::string& kept = {});
  /// For the training of `output`, which resumes from its checkpoint unless --restart was given (`restarts`).
  static InterruptNotice of_training(const std::string& output, bool restarts);
  ~InterruptNotice();
  InterruptNotice(const InterruptNotice&) = delete;
  InterruptNotice& operator=(const InterruptNotice&) = delete;

  template <class Work>
  auto during(Work work) const {
    return work();
  }

 private:
  InterruptNotice(const std::string& kept, const std::string& advice);

  void (*before_)(int);
};

}  // namespace capella::cli
