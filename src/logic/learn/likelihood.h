// The logarithm of the likelihood, exactly: ln P(world), where elimination's tables are small enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logic/ground/ground_network.h"
#include "logic/learn/optimise.h"

namespace capella {
class ThreadPool;
}

namespace capella::logic {

struct TrainingWorld;

/// Connected components of the worlds are independent; equal ones are computed once. Hard formulas restrict
/// which worlds there are, but have no weight.
class Likelihood : public LogLikelihood {
 public:
  /// Worlds obey the hard formulas. Throws DataError if a component's tables are too large.
  Likelihood(std::span<const TrainingWorld> worlds, ThreadPool& pool);

  /// The formulas that weights are of: soft ones with groundings; ascending.
  std::span<const std::uint32_t> active() const { return active_; }

  std::size_t size() const override { return active_.size(); }
  double evaluate(std::span<const double> weights, std::span<double> gradient) const override;
  double constant() const override;  ///< of atoms that no formula mentions
  /// By central differences of the gradient.
  std::vector<double> information(std::span<const double> weights) const override;
  std::vector<double> information_diagonal(std::span<const double> weights) const override;
  /// As if groundings were independent of each other.
  std::vector<double> rough_curvature(std::span<const double> weights) const override;
  double curvature_bound() const override;

  std::size_t components() const { return components_.size(); }  ///< that differ

 private:
  struct Component {
    GroundNetwork network;
    std::vector<std::uint32_t> formulas;  // what the network's are among the active ones; more than all: hard
    double count = 0;
  };
  struct Expectation {
    double log_z = 0;
    std::vector<double> counts;     // of true groundings, by the component's formulas
    std::vector<double> variances;  // of these, if groundings were independent
  };

  void choose_active(std::span<const TrainingWorld> worlds);
  void split(const TrainingWorld& world, std::vector<std::vector<std::uint64_t>>& keys);
  std::vector<Expectation> expect_all(std::span<const double> weights) const;
  Expectation expect(const Component& component, std::span<const double> weights) const;

  ThreadPool& pool_;
  std::string source_;  // the network's, for messages
  std::vector<std::uint32_t> active_;
  std::vector<std::uint32_t> places_;  // of formulas among the active ones; their number for the hard
  std::vector<double> observed_;       // true groundings, all worlds together
  std::vector<Component> components_;
  double free_atoms_ = 0;
};

}  // namespace capella::logic
