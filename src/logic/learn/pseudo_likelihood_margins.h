// Logistic loss and its derivative for many margins at once, in vectors.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace capella::logic {

/// For each margin u: loss = ln(1 + e^-u) and shortfall = 1 / (1 + e^u), both within a few units of the last
/// place for every u (below 1e-300 they may be 0).
void logistic_losses(const double* margins, std::size_t count, double* losses, double* shortfalls);

/// A version of it. All give the same bits.
struct LossKernel {
  std::string_view name;
  void (*find)(const double* margins, std::size_t count, double* losses, double* shortfalls);
};
const std::vector<LossKernel>& loss_kernels();  ///< up to cpu_level(), the best last

}  // namespace capella::logic
