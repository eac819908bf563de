// Why a caption got its Word Mover's Distance, for people.
#pragma once

#include "capella/explanation.h"

#include "metric/wmd_scorer.h"

namespace capella::metric {

/// Of caption 0 of the batch.
Explanation explain_wmd(const Batch& batch, const WmdPrepared& prepared, WmdSolver solver);

}  // namespace capella::metric
