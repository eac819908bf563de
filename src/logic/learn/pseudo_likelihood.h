// The logarithm of the pseudo-likelihood: the sum over atoms of ln P(atom as it is | all others).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "logic/learn/optimise.h"
#include "logic/learn/pseudo_likelihood_rows.h"

namespace capella::logic {

/// Weights here are those of the formulas in `active`, in that order; the others count 0.
class PseudoLikelihood : public LogLikelihood {
 public:
  /// `per_group` divides an atom's term by the number of its group's atoms. Both must outlive this.
  PseudoLikelihood(const PseudoRows& rows, std::span<const std::uint32_t> active, bool per_group,
                   ThreadPool& pool);

  std::size_t size() const override { return size_; }
  double evaluate(std::span<const double> weights, std::span<double> gradient) const override;
  double constant() const override { return constant_; }
  std::vector<double> information(std::span<const double> weights) const override;
  std::vector<double> information_diagonal(std::span<const double> weights) const override;
  double curvature_bound() const override;

  /// The gradient of one world's part. Entries ascend by formula.
  using VisitScore = std::function<void(std::span<const RowEntry> score)>;
  void for_each_world(std::span<const double> weights, const VisitScore& visit) const;

 private:
  struct Block {
    std::size_t begin, end;  // rows
  };

  void cut_blocks();
  double evaluate_block(const Block& block, std::span<const double> weights,
                        std::span<double> gradient) const;
  /// For each row s(-margin): how much probability its atoms lack.
  std::vector<double> shortfalls(std::span<const double> weights) const;

  const PseudoRows& rows_;
  ThreadPool& pool_;
  std::size_t size_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
  std::vector<double> multiplicities_;
  double constant_ = 0;  // of atoms that no weight moves
  std::vector<Block> blocks_;
};

}  // namespace capella::logic
