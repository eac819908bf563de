// Why a caption got its score: what matched and what it weighed, ready to be shown to people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace capella {

struct Explanation {
  struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
  };

  /// Words of two sentences that belong together, for a picture.
  struct Alignment {
    struct Link {
      std::size_t upper_start, upper_length;  ///< words of `upper`
      std::size_t lower_start, lower_length;  ///< words of `lower`
      std::size_t kind;                       ///< index into `kinds`
    };
    std::string title;
    std::string upper_name, lower_name;
    std::vector<std::string> upper, lower;
    std::vector<std::string> kinds;
    std::vector<Link> links;
  };

  std::string metric;                ///< as the user named it, e.g. "cider-d"
  std::vector<std::string> summary;  ///< sentences, the most telling first
  std::vector<Table> tables;
  std::vector<Alignment> alignments = {};
};

/// What explain() answers.
struct Explanations {
  std::vector<Explanation> by_metric;  ///< in the order in which the metrics were named
  std::vector<std::string> warnings;
};

}  // namespace capella
