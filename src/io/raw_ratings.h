// Judgements as they were collected: one row per worker and caption, in CSV, TSV, JSON lines or a JSON list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace capella::io {

struct RawRatings {
  struct Caption {
    std::string image;
    std::string text;
    std::vector<std::string> references;
  };
  struct Judgement {
    std::uint32_t worker;   ///< a place in `workers`
    std::uint32_t caption;  ///< a place in `captions`
    double rating;
    double seconds;  ///< how long it took; NaN if that is not known
  };
  std::vector<std::string> workers;  ///< in order of first appearance, like the captions
  std::vector<Caption> captions;
  std::vector<Judgement> judgements;
};

/// `references` names a file with captions by image for a file that has none; else it is empty. Throws
/// DataError for a malformed row, a rating outside of low ... high, and a worker who judged a caption twice.
RawRatings read_raw_ratings(const std::string& path, double low, double high, const std::string& references);

}  // namespace capella::io
