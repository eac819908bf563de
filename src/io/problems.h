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
  static constexpr std::size_t kMany = 2;  // rows, of which there may be more

  /// `advice` ends the message and says what to do. `list`: the name of the list that the rows are in, where
  /// a file has several.
  explicit Problems(bool skip_bad, std::string_view advice = kSkipAdvice, std::string_view list = {})
      : skip_bad_(skip_bad), advice_(advice), list_(list) {}

  /// Positions must not descend. `id` may be empty; `why` says what was found and what was expected.
  void add(std::size_t position, std::string_view id, std::string why);

  bool empty() const { return count_ == 0; }

  /// Throws DataError with the first rows, one per line; when bad rows may be skipped, returns them instead.
  /// A row without an id whose line holds others of the `rows`, too, is told by its number, from 1.
  std::vector<Skipped> settle(const std::string& source, const LineLocator& locate,
                              std::size_t rows = kMany) const;

 private:
  struct Problem {
    std::size_t position;
    std::string id;
    std::string why;
  };
  struct Place {
    std::size_t line;
    std::string row;  ///< "row 3: " if the line does not tell which one; else empty
  };
  std::vector<Place> places(const LineLocator& locate, std::size_t rows) const;

  bool skip_bad_;
  std::string advice_;
  std::string list_;
  std::size_t count_ = 0;
  std::vector<Problem> problems_;
};

}  // namespace capella::io
