// A confidence interval.
#pragma once

namespace capella {

struct Interval {
  double low;
  double high;
};

}  // namespace capella
