// A trained composite metric as a metric like any other: it builds on the scores that its model names.
#pragma once

#include <memory>
#include <string>

#include "method/composite/model.h"
#include "metric/metric.h"

namespace capella::method::composite {

/// `name`: as the user typed it, "eval-ms" or a file's path.
std::unique_ptr<metric::Metric> make_composite(std::string name, Model model);

}  // namespace capella::method::composite
