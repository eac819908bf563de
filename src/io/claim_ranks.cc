#include "io/claim_ranks.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/names.h"
#include "io/line_rows.h"

namespace capella::io {
namespace {

std::vector<double> ranks_of(element value, std::size_t claims) {
  simdjson::dom::array list;
  if (value.get(list))
    throw RowWrong{fmt::format("ranks holds {}, expected a list per worker", describe(value))};
  if (list.size() != claims)
    throw RowWrong{
        fmt::format("a worker gave {} ranks, expected {}: one for each atom", list.size(), claims)};
  std::vector<double> ranks;
  for (const element rank : list) ranks.push_back(row_number(rank, "a rank"));
  return ranks;
}

std::vector<Claim> claims_of(simdjson::dom::object row) {
  std::vector<Claim> claims;
  for (const element atom : row_list(row, "atoms")) {
    Claim claim = row_claim(atom, "atom", claims.size() + 1);
    if (std::ranges::find(claims, claim) != claims.end())
      throw RowWrong{fmt::format("{} is there twice, expected each atom once", claim_text(claim))};
    claims.push_back(std::move(claim));
  }
  return claims;
}

// The ranks of further workers, in the order of the claims that the image's first row has.
void add_ranks(const ClaimRanks& further, ClaimRanks& image) {
  std::vector<std::size_t> places;
  for (const Claim& claim : image.claims) {
    const auto found = std::ranges::find(further.claims, claim);
    if (found == further.claims.end() || further.claims.size() != image.claims.size())
      throw RowWrong{fmt::format(
          "image {} has other atoms here than in an earlier row, expected the same in all of its rows",
          excerpt(image.image))};
    places.push_back(static_cast<std::size_t>(found - further.claims.begin()));
  }
  for (const std::vector<double>& worker : further.ranks) {
    std::vector<double>& ranks = image.ranks.emplace_back();
    for (const std::size_t place : places) ranks.push_back(worker[place]);
  }
}

}  // namespace

std::vector<ClaimRanks> read_claim_ranks(const std::string& path) {
  constexpr const char* kExpected =
      R"(lines such as {"image_id": "7", "atoms": [["man", "ride", "bike"], ...], "ranks": [[2, 1, ...], ...]})";
  std::vector<ClaimRanks> images;
  std::unordered_map<std::string, std::size_t> places;
  read_line_rows(path, kExpected, [&](simdjson::dom::object row) {
    ClaimRanks made;
    made.image = row_id(row, "image_id");
    made.claims = claims_of(row);
    for (const element worker : row_list(row, "ranks"))
      made.ranks.push_back(ranks_of(worker, made.claims.size()));
    if (made.ranks.empty()) throw RowWrong{"ranks is an empty list, expected one list or more"};
    const auto [found, is_new] = places.emplace(made.image, images.size());
    if (is_new) {
      images.push_back(std::move(made));
    } else {
      add_ranks(made, images[found->second]);
    }
  });
  return images;
}

}  // namespace capella::io
