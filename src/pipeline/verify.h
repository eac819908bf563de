// Recomputes the values that reference programs and independent formulas gave for the example data:
// examples/expected.json, which examples/make_expected.py writes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "capella/pipeline.h"

namespace capella::pipeline {

/// The metrics of one part of examples/expected.json, such as "captions", or of all if `part` is empty.
std::vector<VerifiedMetric> verify_part(std::string_view part, std::size_t threads);

}  // namespace capella::pipeline
