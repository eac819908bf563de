// Text cut into lines of a given width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella::report {

/// How many columns of a terminal the text takes, counting one per code point.
std::size_t width_of(std::string_view text);

enum class LongWords { cut, keep };

/// One line cut into lines of at most `width` columns: at spaces and before '|', which separates the parts of
/// a signature. A word that is longer than a line is cut, or kept whole.
std::vector<std::string> wrap(std::string_view line, std::size_t width, LongWords words = LongWords::cut);

/// Every line of the text; those that are too long go on below, indented by two more columns. No word is cut:
/// it may be a path, which people copy.
std::string wrap_lines(std::string_view text, std::size_t width);

/// Text for reading: lines that start at the margin are filled into paragraphs, indented ones stay as they
/// are.
std::string fill(std::string_view text, std::size_t width);

}  // namespace capella::report
