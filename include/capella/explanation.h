// Why a caption got its score: what matched and what it weighed, ready to be shown to people.
#pragma once

#include <string>
#include <vector>

namespace capella {

struct Explanation {
  struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
  };

  std::string metric;                ///< as the user named it, e.g. "cider-d"
  std::vector<std::string> summary;  ///< sentences, the most telling first
  std::vector<Table> tables;
};

}  // namespace capella
