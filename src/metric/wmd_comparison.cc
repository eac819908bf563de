#include "metric/wmd_comparison.h"

#include <algorithm>

#include "metric/wmd_distances.h"
#include "tensor/kernels.h"

namespace capella::metric {
namespace {

static_assert(tensor::kLanes % kDistanceSums == 0, "VectorWords::width() must fit find_distances()");

constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

// Bounds and distances are rounded; a reference is left out only if its bound is clearly beyond the best.
constexpr double kClearly = 1.0 + 1e-9;

}  // namespace

RelaxedDistance relaxed_costs(std::span<const Amount> supply, std::span<const Amount> demand,
                              const double* costs) {
  RelaxedDistance sums{0.0, 0.0};
  for (std::size_t i = 0; i < supply.size(); ++i) {
    const double* row = costs + i * demand.size();
    sums.from_caption += static_cast<double>(supply[i]) * *std::min_element(row, row + demand.size());
  }
  for (std::size_t j = 0; j < demand.size(); ++j) {
    double least = costs[j];
    for (std::size_t i = 1; i < supply.size(); ++i) least = std::min(least, costs[i * demand.size() + j]);
    sums.from_reference += static_cast<double>(demand[j]) * least;
  }
  return sums;
}

void WmdComparer::set_caption(std::span<const text::WordId> caption,
                              std::span<const text::WordId> reference_words) {
  length_ = collect_words(caption, known_, caption_);
  item_words_ = reference_words.size();
  place_.clear();
  vectors_[0].clear();
  for (const WmdWord& word : caption_) {
    const auto found = std::ranges::find(reference_words, word.word);
    const auto place = static_cast<std::uint32_t>(found - reference_words.begin());
    place_.push_back(found == reference_words.end() ? kNowhere : place);
    vectors_[0].push_back(known_.vector(word.word));
  }
  vectors_[1].clear();
  for (const text::WordId word : reference_words) vectors_[1].push_back(known_.vector(word));
  at_place_.assign(item_words_, 0);
  costs_.resize(caption_.size() * item_words_);
  find_distances({vectors_[0], known_.width()}, {vectors_[1], known_.width()}, costs_.data(), item_words_);
}

void WmdComparer::clear_problems() {
  problems_.clear();
  sources_.clear();
  sinks_.clear();
  supply_.clear();
  demand_.clear();
  problem_costs_.clear();
}

// Takes what both have from both; the rest becomes sources and sinks.
void WmdComparer::match_common_words(const WmdBag& reference) {
  for (std::size_t i = 0; i < caption_.size(); ++i) {
    if (place_[i] != kNowhere) at_place_[place_[i]] = Amount{caption_[i].count} * reference.length;
  }
  for (const WmdWord& word : reference.words) {
    const Amount wanted = Amount{word.count} * length_;
    const Amount common = std::min(wanted, at_place_[word.word]);
    at_place_[word.word] -= common;
    if (wanted == common) continue;
    sinks_.push_back(word.word);
    demand_.push_back(wanted - common);
  }
  for (std::uint32_t i = 0; i < caption_.size(); ++i) {
    const bool shared = place_[i] != kNowhere;
    const Amount left = shared ? at_place_[place_[i]] : Amount{caption_[i].count} * reference.length;
    if (shared) at_place_[place_[i]] = 0;
    if (left == 0) continue;
    sources_.push_back(i);
    supply_.push_back(left);
  }
}

WmdComparer::Problem WmdComparer::make_problem(const WmdBag& reference) {
  Problem problem{sources_.size(), 0, sinks_.size(), 0, problem_costs_.size(), 0.0, kInfinite};
  if (length_ == 0 || reference.empty()) return problem;
  match_common_words(reference);
  problem.sources = sources_.size() - problem.first_source;
  problem.sinks = sinks_.size() - problem.first_sink;
  for (std::size_t i = problem.first_source; i < sources_.size(); ++i) {
    const double* row = costs_.data() + sources_[i] * item_words_;
    for (std::size_t j = problem.first_sink; j < sinks_.size(); ++j) problem_costs_.push_back(row[sinks_[j]]);
  }
  const RelaxedDistance relaxed = relaxed_costs(std::span(supply_).subspan(problem.first_source),
                                                std::span(demand_).subspan(problem.first_sink),
                                                problem_costs_.data() + problem.first_cost);
  problem.units = static_cast<double>(length_) * static_cast<double>(reference.length);
  problem.bound = std::max(relaxed.from_caption, relaxed.from_reference) / problem.units;
  return problem;
}

double WmdComparer::solve(const Problem& problem) {
  if (problem.units == 0.0) return kInfinite;
  return transport_.solve(std::span(supply_).subspan(problem.first_source, problem.sources),
                          std::span(demand_).subspan(problem.first_sink, problem.sinks),
                          problem_costs_.data() + problem.first_cost, problem.sinks) /
         problem.units;
}

double WmdComparer::distance(const WmdBag& reference) {
  clear_problems();
  return solve(make_problem(reference));
}

std::vector<WmdMove> WmdComparer::moves(const WmdBag& reference) const {
  const double units = static_cast<double>(length_) * static_cast<double>(reference.length);
  std::vector<WmdMove> moves;
  for (std::uint32_t i = 0; i < caption_.size(); ++i) {
    const auto same = std::ranges::find(reference.words, place_[i], &WmdWord::word);
    if (same != reference.words.end()) {
      const Amount common =
          std::min(Amount{caption_[i].count} * reference.length, Amount{same->count} * length_);
      moves.push_back({i, same->word, static_cast<double>(common) / units, 0.0});
    }
    const auto source = std::ranges::find(sources_, i);
    if (source == sources_.end()) continue;
    const auto row = static_cast<std::size_t>(source - sources_.begin());
    for (std::size_t j = 0; j < sinks_.size(); ++j) {
      if (const Amount amount = transport_.flow(row, j)) {
        const double cost = problem_costs_[row * sinks_.size() + j];
        moves.push_back({i, sinks_[j], static_cast<double>(amount) / units, cost});
      }
    }
  }
  return moves;
}

double WmdComparer::nearest(const WmdReferences& references, std::size_t first, std::size_t count) {
  clear_problems();
  for (std::size_t r = first; r < first + count; ++r) problems_.push_back(make_problem(references.bag(r)));
  std::ranges::sort(problems_, {}, &Problem::bound);
  double nearest = kInfinite;
  for (const Problem& problem : problems_) {
    if (problem.bound > nearest * kClearly) break;
    nearest = std::min(nearest, solve(problem));
  }
  return nearest;
}

}  // namespace capella::metric
