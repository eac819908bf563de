// What Ctrl-C says while networks or weights are trained.
#pragma once

#include <string>
#include <string_view>

namespace capella::cli {

/// While it lives, Ctrl-C ends the program as always (130 in a shell), but first says how the work is
/// resumed. At most one lives at a time.
class InterruptNotice {
 public:
  /// `kept`: the file or folder from which the same command resumes, once it is there; empty: the work has
  /// none. `start_over`: the option that ignores it, if there is one.
  explicit InterruptNotice(const std::string& kept = {}, std::string_view start_over = {});
  ~InterruptNotice();
  InterruptNotice(const InterruptNotice&) = delete;
  InterruptNotice& operator=(const InterruptNotice&) = delete;

  template <class Work>
  auto during(Work work) const {
    return work();
  }

 private:
  void (*before_)(int);
};

}  // namespace capella::cli
