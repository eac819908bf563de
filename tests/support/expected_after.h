// What becomes of sums of products, by the formulas.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/transformer_reference.h"
#include "tensor/kernels.h"

namespace capella::test {

/// `there`: what is in the result before.
inline double expected_after(tensor::After after, double x, double there) {
  using tensor::After;
  switch (after) {
    case After::kStore:
      return x;
    case After::kAdd:
      return x + there;
    case After::kRelu:
      return std::max(x, 0.0);
    case After::kGelu:
      return reference::gelu(x);
    case After::kQuickGelu:
      return reference::quick_gelu(x);
    case After::kTanh:
      return std::tanh(x);
  }
  return NAN;
}

}  // namespace capella::test
