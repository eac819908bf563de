// Answers questions about a ground network: how probable is each atom, and a query?
//
// `automatic` takes elimination if its tables are small enough, else weighted counting with decomposition and
// caching (PTP) within its bounds and where it can be shorter at all (logic/exact/counting.h), else Gibbs
// sampling; Solver::why says which and why. A network is simplified and its elimination order found once;
// many queries can then be asked.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capella/progress.h"

#include "logic/exact/counting_trace.h"
#include "logic/factor_graph.h"
#include "logic/gibbs/gibbs.h"
#include "logic/ground/ground_network.h"

namespace capella::logic {

enum class Method { automatic, exact, ptp, gibbs };
std::string_view method_name(Method method);  ///< "auto", "exact", "ptp", "gibbs"

struct SolverOptions {
  Method method = Method::automatic;
  double most_entries = 16'777'216;        ///< of all of elimination's tables, when automatic
  double hard_most_entries = 268'435'456;  ///< ... when asked for: more is refused; an entry has 12 bytes
  std::size_t most_nodes = 5'000'000;      ///< of the counting search
  std::size_t cache_bytes = std::size_t{256} << 20;
  std::size_t most_steps = 100'000'000;  ///< of it (seconds) when automatic; ten times as many when asked for
  GibbsOptions gibbs;  ///< its progress hears of exact methods, too, where they take long: stages
                       ///< "elimination" and "counting"
};

/// How probable a query is.
struct QueryAnswer {
  double p = 0;
  double log_p =
      0;  ///< minus infinity if it is impossible; of a sampler that never saw it, log_p_upper's bound
  double mcse = 0;         ///< of p, of a sampler; 0 if exact
  double log_p_upper = 0;  ///< 95 % bound where a sampler never saw it; else log_p
  Method method = Method::exact;
  bool unseen = false;  ///< a sampler never saw it; p is then 0, or was computed exactly where that could be
  // Of a sampler's run.
  bool converged = true;
  double rhat = 1;
  double ess = 0;
  std::size_t sweeps = 0;
};

/// The most probable world.
struct MostProbable {
  std::vector<bool> world;  ///< one per atom; false where both are as good
  double log_weight = 0;    ///< of that world
  double log_p = 0;         ///< of that world; atoms without a name may be as they like
};

class Solver {
 public:
  /// Throws DataError that names the file and the formula if hard formulas and evidence contradict each
  /// other, or if a method that was asked for cannot do it, with what to do instead. The network must outlive
  /// this.
  Solver(const GroundNetwork& network, const SolverOptions& options);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  Method method() const;                   ///< that is used; never `automatic`
  const std::string& why() const;          ///< for people, e.g. "elimination: largest table 2^4 entries"
  const Simplified& simplified() const;    ///< what is left of the network, which is what was solved
  double log_z() const;                    ///< not a number by sampling
  const std::vector<double>& marginals();  ///< one per atom of the network; computed when first asked for
  /// Any number of queries, in any order. When sampling, one literal's probability is its marginal; any other
  /// query is a run of its own.
  QueryAnswer ask(const Query& query);
  /// Throws DataError when sampling.
  MostProbable most_probable();
  /// Only when sampling: else null. Its lists have one entry per atom here; decided atoms have no error.
  const GibbsResult* sampling();
  /// The search of weighted counting, `depth` choices deep, with atoms as variables, whatever the method.
  /// Throws DataError if counting goes beyond its bounds.
  CountingTrace trace(std::size_t depth);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace capella::logic
