// Which vectors can be computed with.
#pragma once

#include <span>
#include <string>

namespace capella::resource {

/// How long a vector may be. Far above what anybody uses, and far below 1.8e19, beyond which the square of a
/// length leaves the range of 32-bit floats.
inline constexpr double kLongestVector = 1e18;
/// The same for one that was converted: steps of 8 bits can make a vector up to twice as long.
inline constexpr double kLongestConvertedVector = 4 * kLongestVector;

/// What is wrong with the numbers of a word, as what follows "the word 'dog' "; empty if nothing.
std::string vector_problem(std::span<const float> numbers, double longest);

}  // namespace capella::resource
