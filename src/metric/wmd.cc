#include "metric/wmd.h"

#include <cmath>

#include <fmt/format.h>

#include "metric/wmd_explanation.h"
#include "metric/wmd_scorer.h"
#include "text/stop_words.h"

namespace capella::metric {
namespace {

constexpr std::string_view kNorms[] = {"unit", "raw"};
constexpr std::string_view kSolvers[] = {"exact", "gensim3"};

class Wmd final : public Metric {
 public:
  explicit Wmd(const Settings& settings)
      : norm_(static_cast<VectorNorm>(settings.choice("norm", kNorms))),
        solver_(static_cast<WmdSolver>(settings.choice("solver", kSolvers))) {
    info_.name = "wmd";
    info_.scores = {{"WMD", 1.0, 100.0}};
    info_.row_width = 2;
    info_.reads = text::Detail::words;
    info_.vectors = vectors_setting(settings);
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<WmdPrepared>(references, *resources.vectors, norm_, resources.items);
  }

  // A row is {score, 1}: the corpus score is the mean over captions.
  void rows(const Batch& batch, const State* state, double* out) const override {
    WmdScorer scorer(batch, prepared_of(state), solver_);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      out[2 * k] = std::exp(-scorer.nearest(k));
      out[2 * k + 1] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = row[0] / row[1];
  }

  std::string choices(const State* state) const override {
    return fmt::format("vec:{}|norm:{}|stop:{}|solver:{}|ref:max", prepared_of(state).vectors.description(),
                       kNorms[static_cast<std::size_t>(norm_)], text::kStopWordList,
                       kSolvers[static_cast<std::size_t>(solver_)]);
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    return explain_wmd(batch, prepared_of(state), solver_);
  }

  std::vector<std::string> warnings(const State* state) const override { return prepared_of(state).warnings; }

 private:
  static const WmdPrepared& prepared_of(const State* state) {
    return static_cast<const WmdPrepared&>(*state);
  }

  VectorNorm norm_;
  WmdSolver solver_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_wmd(const Settings& settings) {
  return std::make_unique<Wmd>(settings);
}

}  // namespace capella::metric
