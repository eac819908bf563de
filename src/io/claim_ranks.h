// Claims about an image as people ranked them by certainty: JSON lines
// {"image_id", "atoms": [[subject, predicate, object], ...], "ranks": [[...], ...]}, a list of ranks per
// worker; 1 is the least certain.
#pragma once

#include <string>
#include <vector>

#include "capella/claim.h"

namespace capella::io {

struct ClaimRanks {
  std::string image;
  std::vector<Claim> claims;
  std::vector<std::vector<double>> ranks;  ///< one list per worker
};

/// One for each image, in the order of the first row of each: workers' ranks may stand in rows of their own,
/// with the same claims in any order. Throws DataError "FILE:LINE: ...".
std::vector<ClaimRanks> read_claim_ranks(const std::string& path);

}  // namespace capella::io
