// How intervals are made, by the names that Python users give.
#pragma once

#include <string>

#include "capella/result.h"

namespace capella::python {

/// "percentile" or "bca"; throws UsageError for another name.
IntervalMethod interval_method(const std::string& name);

}  // namespace capella::python
