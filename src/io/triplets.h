// What captions claim, as (subject, predicate, object): triplets.jsonl.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "capella/claim.h"

namespace capella::io {

using Triplet = Claim;

/// A row: a caption's triplets, or all of an image.
struct TripletRow {
  std::string image;
  std::string split = "train";
  std::string caption;  ///< the caption's id; empty: none
  std::vector<Triplet> triplets;
};

/// Reads JSON lines {"image_id", "split", "caption_id", "triplets": [[s, p, o], ...]}; .gz and "-" as
/// everywhere. Throws DataError "FILE:LINE: ..." for what is none.
std::vector<TripletRow> read_triplets(const std::string& path);
std::string write_triplets(const std::vector<TripletRow>& rows);

}  // namespace capella::io
