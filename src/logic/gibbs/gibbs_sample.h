// sample() of logic/gibbs/gibbs.h with a version of the kernel of one's own choice, for tests and benchmarks.
#pragma once

#include "logic/gibbs/gibbs.h"
#include "logic/gibbs/gibbs_kernel.h"
#include "logic/gibbs/gibbs_query.h"

namespace capella::logic {

GibbsResult sample_with(const GibbsKernel& kernel, const FactorGraph& graph, const GibbsOptions& options,
                        const Clauses& query = {});

}  // namespace capella::logic
