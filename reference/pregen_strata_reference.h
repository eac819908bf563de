// Strata of images by the definition: an image's rank is counted, not sorted for. And the tokens of
// Karpathy's data sets, character by character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace capella::reference {

/// The images of stratum `stratum` of `strata`, in the order of their places: an image belongs to it if as
/// many images come before it (a lower score, or the same and an earlier place) as the stratum begins with.
std::vector<std::size_t> stratum_images(const std::vector<double>& scores, std::size_t strata,
                                        std::size_t stratum);

/// For ASCII.
std::string tokenize_karpathy(std::string_view caption);

}  // namespace capella::reference
