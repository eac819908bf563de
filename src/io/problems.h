// The malformed rows of one source. Readers note each and go on, so that one error can list them all; at the
// end they stop the run, or are left out and listed when the caller asked for that.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

#include "io/caption_table.h"

namespace capella::io {

inline constexpr std::string_view kSkipAdvice = "correct the file, or leave such rows out with --skip-bad";

class Problems {
 public:
  /// `advice` ends the message and says what to do.
  explicit Problems(bool skip_bad, std::string_view advice = kSkipAdvice)
      : skip_bad_(skip_bad), advice_(advice) {}

  /// Positions must not descend. `id` may be empty; `why` says what was found and what was expected.
  void add(std::size_t position, std::string_view id, std::string why);

  bool empty() const { return count_ == 0; }

  /// Throws DataError with the first rows, one per line; when bad rows may be skipped, returns them instead.
  std::vector<Skipped> settle(const std::string& source, const LineLocator& locate) const;

 private:
  struct Problem {
    std::size_t position;
    std::string id;
    std::string why;
  };
  bool skip_bad_;
  std::string_view advice_;
  std::size_t count_ = 0;
  std::vector<Problem> problems_;
};

}  // namespace capella::io
