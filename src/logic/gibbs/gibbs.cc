#include "logic/gibbs/gibbs.h"

#include <algorithm>
#include <cmath>

#include "capella/error.h"

#include "base/thread_pool.h"
#include "logic/gibbs/gibbs_group.h"
#include "logic/gibbs/gibbs_sample.h"
#include "logic/gibbs/gibbs_statistics.h"

namespace capella::logic {
namespace {

// More segments than this say little more; fewer are kept of a large network, to bound memory.
constexpr std::size_t kMostSegments = 8;
constexpr std::size_t kFewSegments = 4;
constexpr double kManySegmentBytes = 256e6;

void check(const FactorGraph& graph, const GibbsOptions& options) {
  if (graph.impossible) throw DataError("hard formulas or evidence contradict each other: no world is left");
  if (options.check_every == 0 || options.most_sweeps == 0)
    throw UsageError("Gibbs sampling needs at least one sweep, and one between checks");
  if (!(options.hottest >= 1)) throw UsageError("the highest temperature must be at least 1");
  const int ways = options.sum_exp + options.blocks + options.random_scan + (options.temperatures > 1);
  if (ways > 1) {
    throw UsageError(
        "--sum-exp, --blocks, --random-scan and --temperatures are different ways to sample; give one of "
        "them");
  }
}

std::size_t segments_kept(std::size_t variables, std::size_t groups) {
  constexpr double kBytes = kGibbsLanes * (sizeof(double) + sizeof(std::uint32_t));
  const double bytes = static_cast<double>(variables) * static_cast<double>(groups) * kBytes * kMostSegments;
  return bytes <= kManySegmentBytes ? kMostSegments : kFewSegments;
}

// What a draw costs against one of the kernels, about: the others draw lane by lane, or one place at a time.
double cost_of_draw(const GibbsOptions& options) {
  if (options.sum_exp) return 60;
  if (options.blocks) return 20;
  return options.random_scan ? 3 : 1;
}

// A quarter of what most_work allows may be burn-in.
GibbsOptions within_most_work(const FactorGraph& graph, const GibbsOptions& asked) {
  constexpr double kFewestSweeps = 16;  // or there are no two batches to compare
  GibbsOptions options = asked;
  const std::size_t chains = tensor::round_up(std::max<std::size_t>(asked.chains, 1), kGibbsLanes);
  const double work = static_cast<double>(graph.variables() + graph.literals.size()) * cost_of_draw(asked) *
                      static_cast<double>(chains * std::max<std::size_t>(asked.temperatures, 1));
  const double sweeps = std::max(asked.most_work / work, kFewestSweeps);
  if (static_cast<double>(asked.burn_in) + static_cast<double>(asked.most_sweeps) <= sweeps) return options;
  options.burn_in = std::min(asked.burn_in, static_cast<std::size_t>(sweeps / 4));
  options.most_sweeps = std::min(asked.most_sweeps, static_cast<std::size_t>(sweeps) - options.burn_in);
  options.check_every = std::min(asked.check_every, std::max<std::size_t>(options.most_sweeps / 4, 1));
  return options;
}

class Sampling {
 public:
  Sampling(const GibbsKernel& kernel, const FactorGraph& graph, const GibbsOptions& options,
           const Clauses& query)
      : options_(options),
        model_(graph, options, kernel),
        query_(query_parts(graph, model_.graph, query)),
        groups_(std::max<std::size_t>((options.chains + kGibbsLanes - 1) / kGibbsLanes, 1)),
        pool_(std::min(options.threads == 0 ? groups_.size() : options.threads, groups_.size())),
        statistics_(groups_) {
    const std::size_t segment =
        std::max<std::size_t>(std::min(options.check_every, options.most_sweeps) / 2, 1);
    const std::size_t most = segments_kept(graph.variables(), groups_.size());
    pool_.parallel_for(groups_.size(), [&](std::size_t g) {
      groups_[g] = std::make_unique<ChainGroup>(model_, query_, g, segment, most);
    });
  }

  GibbsResult run() {
    for (std::size_t done = 0; done < options_.burn_in;) {
      const std::size_t sweeps = std::min(options_.check_every, options_.burn_in - done);
      pool_.parallel_for(groups_.size(), [&](std::size_t g) { groups_[g]->burn_in(sweeps); });
      show(done += sweeps);
    }
    std::size_t done = 0;
    bool good = false;
    while (!good && done < options_.most_sweeps) {
      const std::size_t sweeps = std::min(options_.check_every, options_.most_sweeps - done);
      pool_.parallel_for(groups_.size(), [&](std::size_t g) { groups_[g]->run(sweeps); });
      show(options_.burn_in + (done += sweeps));
      good = good_enough();
    }
    return result(done, good);
  }

 private:
  void show(std::size_t done) const {
    if (options_.progress) options_.progress("sampling", done, options_.burn_in + options_.most_sweeps);
  }

  bool query_good() {
    if (query_.empty()) return true;
    const QueryStatistics query = statistics_.of_query(query_);
    return query.rhat <= options_.most_rhat && query.ess >= options_.least_ess_query;
  }

  bool place_good(std::size_t place) {
    const PlaceStatistics own = statistics_.of_place(place);
    return own.rhat <= options_.most_rhat && (!query_.empty() || own.ess >= options_.least_ess_atom);
  }

  // Looks first at the place that was not good the last time, and only as far as the first that is not.
  bool good_enough() {
    for (std::size_t k = 0; k < model_.graph.size(); ++k) {
      const std::size_t place = (doubtful_ + k) % model_.graph.size();
      if (place_good(place)) continue;
      doubtful_ = place;
      return false;
    }
    return query_good();
  }

  GibbsResult result(std::size_t sweeps, bool good) {
    GibbsResult result;
    const std::size_t variables = model_.graph.size();
    for (auto* values : {&result.marginals, &result.mcse, &result.rhat, &result.ess})
      values->resize(variables);
    for (std::size_t place = 0; place < variables; ++place) {
      const PlaceStatistics own = statistics_.of_place(place);
      const std::size_t v = model_.graph.order[place];
      result.marginals[v] = own.marginal;
      result.mcse[v] = own.mcse;
      result.rhat[v] = own.rhat;
      result.ess[v] = own.ess;
      result.rhat_max = std::max(result.rhat_max, own.rhat);
      result.ess_min = place == 0 ? own.ess : std::min(result.ess_min, own.ess);
    }
    result.converged = good;
    result.sweeps = sweeps;
    result.chains = groups_.size() * kGibbsLanes;
    for (const auto& group : groups_) result.swap_rate = std::min(result.swap_rate, group->swap_rate());
    if (!query_.empty()) add_query(result);
    return result;
  }

  void add_query(GibbsResult& result) {
    const QueryStatistics query = statistics_.of_query(query_);
    result.query_p = query.p;
    result.query_mcse = query.mcse;
    result.query_ess = query.ess;
    result.query_rhat = query.rhat;
    result.query_seen = query.seen;
    result.rhat_max = std::max(result.rhat_max, query.rhat);
  }

  const GibbsOptions& options_;
  const GibbsModel model_;
  const std::vector<QueryPart> query_;
  std::vector<std::unique_ptr<ChainGroup>> groups_;
  ThreadPool pool_;
  GibbsStatistics statistics_;
  std::size_t doubtful_ = 0;  // a place
};

}  // namespace

GibbsResult sample_with(const GibbsKernel& kernel, const FactorGraph& graph, const GibbsOptions& options,
                        const Clauses& query) {
  check(graph, options);
  if (graph.variables() > 0) {
    const GibbsOptions bounded = within_most_work(graph, options);
    GibbsResult result = Sampling(kernel, graph, bounded, query).run();
    result.cut_short = !result.converged && bounded.most_sweeps < options.most_sweeps;
    return result;
  }
  GibbsResult nothing;
  nothing.converged = true;
  nothing.query_p = query.empty() ? 1 : 0;  // its clauses have no literals
  return nothing;
}

GibbsResult sample(const FactorGraph& graph, const GibbsOptions& options,
                   const std::vector<std::vector<Literal>>& query) {
  return sample_with(*gibbs_kernels().back(), graph, options, query);
}

}  // namespace capella::logic
