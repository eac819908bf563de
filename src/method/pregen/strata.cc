#include "method/pregen/strata.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "capella/error.h"

namespace capella::method::pregen {
namespace {

void check_numbers(std::span<const double> scores) {
  const auto nan = std::ranges::find_if(scores, [](double score) { return std::isnan(score); });
  if (nan == scores.end()) return;
  throw DataError(fmt::format("the score of image {} is not a number, so the images have no order",
                              nan - scores.begin() + 1));
}

// The places of the scores, the lowest score first.
std::vector<std::size_t> places_by_score(std::span<const double> scores) {
  std::vector<std::size_t> places(scores.size());
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, {}, [&](std::size_t place) { return scores[place]; });
  return places;
}

}  // namespace

void check_strata(std::size_t images, std::size_t most_strata) {
  if (most_strata == 0) throw UsageError("found 0 strata, expected 1 or more");
  if (images >= most_strata) return;
  throw UsageError(
      fmt::format("{} images cannot be cut into {} strata; ask for fewer strata", images, most_strata));
}

std::vector<Stratum> cut_strata(std::span<const double> scores, std::size_t most_strata) {
  check_strata(scores.size(), most_strata);
  check_numbers(scores);
  const std::vector<std::size_t> places = places_by_score(scores);
  std::vector<Stratum> all;
  for (std::size_t strata = 1; strata <= most_strata; ++strata) {
    const std::size_t size = scores.size() / strata;
    for (std::size_t stratum = 0; stratum < strata; ++stratum) {
      const auto own = std::span(places).subspan(size * stratum, size);
      Stratum& one = all.emplace_back(Stratum{strata, stratum, {own.begin(), own.end()}});
      std::ranges::sort(one.images);
    }
  }
  return all;
}

}  // namespace capella::method::pregen
