#include "metric/wmd_scorer.h"

#include <algorithm>

namespace capella::metric {

WmdScorer::WmdScorer(const Batch& batch, const WmdPrepared& prepared, WmdSolver solver)
    : batch_(batch),
      solver_(solver),
      words_(prepared.words_of(batch)),
      own_(prepared.has(batch.references)
               ? std::nullopt
               : std::optional<WmdReferences>(std::in_place, batch.references, words_, ItemRange())),
      bags_(own_ ? *own_ : prepared.bags),
      comparer_(words_),
      gensim3_(words_) {}

void WmdScorer::set_caption(std::size_t k) {
  comparer_.set_caption(batch_.tokens.pieces(k), bags_.words(batch_.items[k]));
}

double WmdScorer::distance(std::size_t k, std::size_t reference) {
  const WmdBag bag = bags_.bag(reference);
  if (solver_ == WmdSolver::exact) return comparer_.distance(bag);
  const auto ids = bags_.words(batch_.items[k]);
  reference_.clear();
  for (const WmdWord& word : bag.words) reference_.push_back({ids[word.word], word.count});
  return gensim3_.find(comparer_.caption(), {reference_, bag.length});
}

double WmdScorer::nearest(std::size_t k) {
  const References& references = batch_.references;
  const std::size_t first = references.begin(batch_.items[k]);
  const std::size_t end = references.end(batch_.items[k]);
  set_caption(k);
  if (solver_ == WmdSolver::exact) return comparer_.nearest(bags_, first, end - first);
  double nearest = WmdComparer::kInfinite;
  for (std::size_t r = first; r < end; ++r) nearest = std::min(nearest, distance(k, r));
  return nearest;
}

std::vector<double> WmdScorer::distances(std::size_t k) {
  const References& references = batch_.references;
  std::vector<double> distances;
  set_caption(k);
  for (std::size_t r = references.begin(batch_.items[k]); r < references.end(batch_.items[k]); ++r) {
    distances.push_back(distance(k, r));
  }
  return distances;
}

bool WmdScorer::has_words(std::size_t k) {
  set_caption(k);
  return !comparer_.caption().empty() && !bags_.words(batch_.items[k]).empty();
}

std::vector<WmdMove> WmdScorer::moves(std::size_t k, std::size_t reference) {
  set_caption(k);
  const WmdBag bag = bags_.bag(reference);
  if (comparer_.distance(bag) == WmdComparer::kInfinite) return {};
  return comparer_.moves(bag);
}

}  // namespace capella::metric
