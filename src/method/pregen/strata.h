// Cuts a generator's test images into strata of rising quality, as the pre-gen study does: images sorted by
// the CIDEr of the caption they got, cut into S = 1 ... 5 parts of equal size; what does not divide (the best
// images) is left out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace capella::method::pregen {

struct Stratum {
  std::size_t strata;               ///< S
  std::size_t stratum;              ///< 0 ... S - 1; 0: the worst
  std::vector<std::size_t> images;  ///< places, in rising order of place
};

/// Throws UsageError if so many images cannot be cut into so many strata.
void check_strata(std::size_t images, std::size_t most_strata);

/// Equal scores keep the order of their places. Throws as check_strata does, and DataError if a score is not
/// a number.
std::vector<Stratum> cut_strata(std::span<const double> scores, std::size_t most_strata = 5);

}  // namespace capella::method::pregen
