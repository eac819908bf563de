// Student's t distribution.
#pragma once

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

namespace capella::stats {

/// The probability of a value at least as far from 0 as t.
inline double two_sided_t(double t, double freedom) {
  if (std::isnan(t)) return t;
  if (std::isinf(t)) return 0;
  return 2 * cdf(boost::math::students_t(freedom), -std::abs(t));
}

}  // namespace capella::stats
