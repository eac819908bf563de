// A named array of floats: the form in which networks go into the torch plug-in and out of it. Nothing but
// the standard library, since the plug-in is built where our other libraries are not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella::tensor {

struct NetworkArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

/// How the names of the optimiser's arrays begin.
inline constexpr std::string_view kOptimiser = "adam/";

}  // namespace capella::tensor
