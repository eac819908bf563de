// Rows are cut into blocks whose sizes depend on the data alone. Each block has its own gradient; these are
// added up pairwise, in the order of the blocks.
#include "logic/learn/pseudo_likelihood.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "base/pairwise_sum.h"
#include "base/thread_pool.h"
#include "logic/learn/pseudo_likelihood_margins.h"

namespace capella::logic {
namespace {

constexpr std::size_t kMostBlocks = 64;
constexpr std::size_t kNonzerosPerBlock = 32'768;
constexpr std::size_t kRowsAtOnce = 256;

double margin(const std::uint32_t* columns, const double* values, std::size_t count, const double* weights) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += values[k] * weights[columns[k]];
  return sum;
}

}  // namespace

PseudoLikelihood::PseudoLikelihood(const PseudoRows& rows, std::span<const std::uint32_t> active,
                                   bool per_group, ThreadPool& pool)
    : rows_(rows), pool_(pool), size_(active.size()) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> places(rows.formulas(), kNone);
  for (std::size_t k = 0; k < active.size(); ++k) places[active[k]] = static_cast<std::uint32_t>(k);
  const auto share = [&](std::size_t group) {
    return per_group ? 1 / static_cast<double>(rows.group_atoms()[group]) : 1.;
  };
  starts_.reserve(rows.rows() + 1);
  columns_.reserve(rows.nonzeros());
  values_.reserve(rows.nonzeros());
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    for (std::size_t k = rows.starts()[row]; k < rows.starts()[row + 1]; ++k) {
      const std::uint32_t place = places[rows.columns()[k]];
      if (place == kNone) continue;
      columns_.push_back(place);
      values_.push_back(rows.values()[k]);
    }
    starts_.push_back(columns_.size());
    multiplicities_.push_back(static_cast<double>(rows.count(row)) * share(rows.group(row)));
  }
  for (std::size_t group = 0; group < rows.group_atoms().size(); ++group) {
    const std::size_t empty = rows.group_empty_atoms()[group];
    if (empty > 0) constant_ -= static_cast<double>(empty) * share(group) * std::numbers::ln2;
  }
  constant_ -= rows.unmentioned_atoms() * std::numbers::ln2;
  cut_blocks();
}

void PseudoLikelihood::cut_blocks() {
  const std::size_t work = columns_.size() + multiplicities_.size();
  // A block's gradient should cost less to clear and add than its rows cost to read.
  std::size_t count = std::min(kMostBlocks, work / std::max(kNonzerosPerBlock, 2 * size_));
  count = std::max<std::size_t>(count, 1);
  std::size_t row = 0;
  for (std::size_t block = 0; block < count; ++block) {
    const std::size_t begin = row;
    const std::size_t target = work * (block + 1) / count;
    while (row < multiplicities_.size() && starts_[row + 1] + row + 1 <= target) ++row;
    if (block + 1 == count) row = multiplicities_.size();
    blocks_.push_back({begin, row});
  }
}

double PseudoLikelihood::evaluate_block(const Block& block, std::span<const double> weights,
                                        std::span<double> gradient) const {
  std::array<double, kRowsAtOnce> margins;
  std::array<double, kRowsAtOnce> losses;
  std::array<double, kRowsAtOnce> shortfalls;
  double total = 0;
  for (std::size_t first = block.begin; first < block.end; first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, block.end - first);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t start = starts_[first + i];
      margins[i] = margin(&columns_[start], &values_[start], starts_[first + i + 1] - start, weights.data());
    }
    logistic_losses(margins.data(), count, losses.data(), shortfalls.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double multiplicity = multiplicities_[first + i];
      losses[i] *= multiplicity;
      const double factor = shortfalls[i] * multiplicity;
      for (std::size_t k = starts_[first + i]; k < starts_[first + i + 1]; ++k)
        gradient[columns_[k]] += factor * values_[k];
    }
    total += pairwise_sum(losses.data(), count);
  }
  return -total;
}

double PseudoLikelihood::evaluate(std::span<const double> weights, std::span<double> gradient) const {
  std::vector<double> gradients(blocks_.size() * size_);
  std::vector<double> values(blocks_.size());
  pool_.parallel_for(blocks_.size(), [&](std::size_t block) {
    values[block] =
        evaluate_block(blocks_[block], weights, std::span(gradients).subspan(block * size_, size_));
  });
  for (std::size_t k = 0; k < size_; ++k)
    gradient[k] = pairwise_sum(gradients.data() + k, blocks_.size(), size_);
  return pairwise_sum(values.data(), values.size());
}

std::vector<double> PseudoLikelihood::shortfalls(std::span<const double> weights) const {
  const std::size_t rows = multiplicities_.size();
  std::vector<double> margins(rows);
  std::vector<double> losses(rows);
  std::vector<double> out(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t start = starts_[row];
    margins[row] = margin(&columns_[start], &values_[start], starts_[row + 1] - start, weights.data());
  }
  logistic_losses(margins.data(), rows, losses.data(), out.data());
  return out;
}

std::vector<double> PseudoLikelihood::information(std::span<const double> weights) const {
  const std::vector<double> lacking = shortfalls(weights);
  std::vector<double> out(size_ * size_);
  for (std::size_t row = 0; row < lacking.size(); ++row) {
    const double curvature = multiplicities_[row] * lacking[row] * (1 - lacking[row]);
    for (std::size_t a = starts_[row]; a < starts_[row + 1]; ++a) {
      const double scaled = curvature * values_[a];
      double* line = &out[columns_[a] * size_];
      for (std::size_t b = starts_[row]; b <= a; ++b) line[columns_[b]] += scaled * values_[b];
    }
  }
  return out;
}

std::vector<double> PseudoLikelihood::information_diagonal(std::span<const double> weights) const {
  const std::vector<double> lacking = shortfalls(weights);
  std::vector<double> out(size_);
  for (std::size_t row = 0; row < lacking.size(); ++row) {
    const double curvature = multiplicities_[row] * lacking[row] * (1 - lacking[row]);
    for (std::size_t k = starts_[row]; k < starts_[row + 1]; ++k)
      out[columns_[k]] += curvature * values_[k] * values_[k];
  }
  return out;
}

double PseudoLikelihood::curvature_bound() const {
  double sum = 0;
  for (std::size_t row = 0; row < multiplicities_.size(); ++row) {
    double squares = 0;
    for (std::size_t k = starts_[row]; k < starts_[row + 1]; ++k) squares += values_[k] * values_[k];
    sum += multiplicities_[row] * squares;
  }
  return sum / 4;
}

void PseudoLikelihood::for_each_world(std::span<const double> weights, const VisitScore& visit) const {
  const std::vector<double> lacking = shortfalls(weights);
  std::vector<double> dense(size_);
  std::vector<std::uint32_t> touched;
  std::vector<RowEntry> score;
  for (std::size_t world = 0; world < rows_.worlds(); ++world) {
    touched.clear();
    for (const PseudoRows::Use& use : rows_.world(world)) {
      const double share = multiplicities_[use.row] / static_cast<double>(rows_.count(use.row));
      const double factor = lacking[use.row] * share * use.count;
      for (std::size_t k = starts_[use.row]; k < starts_[use.row + 1]; ++k) {
        if (dense[columns_[k]] == 0) touched.push_back(columns_[k]);
        dense[columns_[k]] += factor * values_[k];
      }
    }
    std::ranges::sort(touched);
    score.clear();
    for (const std::uint32_t column : touched) {
      if (dense[column] != 0) score.push_back({column, dense[column]});
      dense[column] = 0;
    }
    visit(score);
  }
}

}  // namespace capella::logic
