// Gibbs sampling of a factor graph: many chains in the lanes of a vector, with error bars.
//
// Chains come in groups of 16, one per lane; groups are independent pieces of work, so threads change
// nothing, and every version of the kernel gives the same bits. A sweep visits every variable once in every
// chain; its probability of being true given all others is summed up (Rao-Blackwell), which knows the
// marginal better than the draws do.
//
// Of the draws of a network of n variables at most 1,536 n bytes per group are kept, half of it if that is
// more than 256 MB; of a query two bytes per sweep, group and component of the network that it is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "capella/progress.h"

#include "logic/factor_graph.h"

namespace capella::logic {

struct GibbsOptions {
  std::size_t chains = 16;  ///< rounded up to a multiple of 16
  std::uint64_t seed = 12345;
  std::size_t burn_in = 500;  ///< sweeps
  std::size_t check_every = 100;
  std::size_t most_sweeps = 20'000;  ///< after burn-in
  /// Draws of a variable and looks at its factors, in all chains: burn-in and sweeps are fewer where they
  /// would need more than this. Slower ways to sample make fewer. Infinite: no bound.
  double most_work = std::numeric_limits<double>::infinity();
  double most_rhat = 1.1;
  double least_ess_query = 400;
  double least_ess_atom = 2'500;     ///< without a query
  bool start_from_evidence = false;  ///< draws the first state from the log odds instead of fair coins
  // Of the following at most one.
  bool random_scan = false;      ///< as many random picks as there are variables, instead of each in turn
  bool blocks = false;           ///< draws sets of variables (trees) at once
  std::size_t temperatures = 1;  ///< > 1: parallel tempering with so many, in a geometric ladder
  bool sum_exp = false;  ///< the published text's conditional, which is no Gibbs kernel: for comparison only
                         ///< (logic/gibbs/gibbs_sum_exp.h tells what it means on a factor graph)
  double hottest = 8;    ///< the highest temperature
  std::size_t threads = 1;
  Progress progress;  ///< stage "sampling", in sweeps, burn-in included
};

struct GibbsResult {
  std::vector<double> marginals;  ///< one per variable: mean of the conditional probabilities (Rao-Blackwell)
  std::vector<double> mcse;       ///< of the marginals, by batch means or, if larger, by means of chains, and
                                  ///< never less than sums of floats may err; infinite without two batches
  std::vector<double> rhat;       ///< of the draws, of halves of chains
  std::vector<double> ess;        ///< of the draws
  double rhat_max = 1;            ///< of the variables and the query
  double ess_min = 0;             ///< of the variables
  bool converged = false;
  bool cut_short = false;  ///< most_work allowed fewer sweeps than most_sweeps, and they were not enough
  std::size_t sweeps = 0;  ///< after burn-in, of every chain
  std::size_t chains = 0;
  double swap_rate = 1;  ///< the least between two temperatures
  // Of the query, if there is one. Its parts in different components of the network are independent, and the
  // probability is their product; the others are of the part that is known least well. A part that held in no
  // draw or in all has the least ESS of its variables.
  double query_p = 0;
  double query_mcse = 0;
  double query_ess = 0;
  double query_rhat = 1;
  std::size_t query_seen = 0;  ///< draws in which it, or its rarest part, held; 0: p is 0 but not known to be
};

/// `query`: clauses over the graph's variables that must all hold; empty: none. Throws DataError if no start
/// that obeys the hard formulas is found, with what to do instead.
GibbsResult sample(const FactorGraph& graph, const GibbsOptions& options,
                   const std::vector<std::vector<Literal>>& query = {});

/// Which kernel this machine uses: "avx512", "avx2" or "portable".
std::string_view gibbs_kernel();

}  // namespace capella::logic
