// The order in which numpy adds.
#pragma once

#include <vector>

namespace capella::reference {

double pairwise_sum(const std::vector<double>& values);

/// pairwise_sum divided by how many there are.
double mean(const std::vector<double>& values);

}  // namespace capella::reference
