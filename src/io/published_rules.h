// The networks that the authors of Markov logic verification published: rules as pairs of triplets, one per
// line ("man:ride:bike,man:on:bike"), and the weights that each image gives to rules, as JSON:
// {"184613": {"man:ride:bike,man:on:bike": [w0, w1], ...}, ...}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace capella::io {

/// Triplets "subject:predicate:object" that must all hold, as places in PublishedParameters::atoms.
struct PublishedRule {
  std::vector<std::uint32_t> atoms;  ///< in the order of the file
  double w0 = 0;
  double w1 = 0;
};

struct PublishedImage {
  std::string id;
  std::vector<PublishedRule> rules;  ///< in the order of the file
};

struct PublishedParameters {
  std::vector<std::string> atoms;  ///< distinct triplets, as first seen
  std::vector<PublishedImage> images;
  std::size_t rules = 0;          ///< different lines of the file of rules
  std::size_t unknown_rules = 0;  ///< different rules that have weights but are not in the file of rules
};

/// Throws DataError "FILE:LINE: ..." for what is no such file, FileError if one cannot be read.
PublishedParameters read_published_rules(const std::string& rules, const std::string& parameters);

}  // namespace capella::io
