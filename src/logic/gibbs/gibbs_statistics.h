// What the kept draws of all groups say of each variable and of the query.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "logic/gibbs/gibbs.h"
#include "logic/gibbs/gibbs_group.h"

namespace capella::logic {

struct PlaceStatistics {
  double marginal = 0;
  double mcse = 0;
  double rhat = 1;
  double ess = 0;
};

struct QueryStatistics {
  double p = 1;
  double mcse = 0;
  double rhat = 1;
  double ess = 0;
  std::size_t seen = 0;  ///< draws in which it held: of the part that held least often
};

class GibbsStatistics {
 public:
  explicit GibbsStatistics(const std::vector<std::unique_ptr<ChainGroup>>& groups) : groups_(groups) {}

  PlaceStatistics of_place(std::size_t place);
  QueryStatistics of_query(std::span<const QueryPart> parts);

 private:
  void add_chain_means(const Segments& kept, std::size_t place);
  double split_rhat_of(std::size_t place);
  QueryStatistics of_part(const QueryPart& part, std::size_t number);

  const std::vector<std::unique_ptr<ChainGroup>>& groups_;
  std::vector<std::uint32_t> ones_;  // room to work in
  std::vector<double> means_, chain_means_;
};

}  // namespace capella::logic
