// Why a caption got its BERTScore, for people.
#pragma once

#include "capella/explanation.h"

#include "metric/metric.h"
#include "metric/token_vectors.h"

namespace capella::metric {

/// Of caption 0 of the batch.
Explanation explain_bertscore(const Batch& batch, const TokenState& state);

}  // namespace capella::metric
