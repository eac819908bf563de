#include "metric/meteor_alignment.h"

#include <algorithm>
#include <utility>

namespace capella::metric {
namespace {

std::uint32_t distance_of(const MeteorMatch& match) {
  return match.reference_start > match.caption_start ? match.reference_start - match.caption_start
                                                     : match.caption_start - match.reference_start;
}

// Words covered on both sides; other matches than exact ones count half, rounded down on each side.
std::uint32_t gain_of(const MeteorMatch& match) {
  if (match.module == MeteorModule::exact) return match.caption_length + match.reference_length;
  return match.caption_length / 2 + match.reference_length / 2;
}

// Whether the match is the only one for all its words.
bool is_certain(const MeteorMatch& match, const MeteorCandidates& candidates) {
  const auto once = [](std::uint32_t count) { return count == 1; };
  const auto in_caption = std::span(candidates.in_caption).subspan(match.caption_start, match.caption_length);
  const auto in_reference =
      std::span(candidates.in_reference).subspan(match.reference_start, match.reference_length);
  return std::ranges::all_of(in_caption, once) && std::ranges::all_of(in_reference, once);
}

}  // namespace

template <class Sentences>
void MeteorSearch<Sentences>::run(const MeteorCandidates& candidates, std::vector<MeteorMatch>& taken) {
  start(candidates);
  for (std::uint32_t place = 0; place < candidates.ends.size(); ++place) {
    if (const MeteorMatch* certain = certain_[place]; certain != nullptr) {
      if (certain->reference_start != place) continue;
      take_certain(*certain);
      taken.push_back(*certain);
    } else if (candidates.at(place).empty()) {
      skip_word(place);
    } else {
      branch(place, candidates.at(place));
    }
  }
  for (Path& path : beam_) {
    if (path.chunk_end != kNone) path.rank += RankParts::kChunk;
  }
  const Path& best = *std::ranges::min_element(beam_, {}, &Path::rank);
  for (std::uint32_t step = best.trail; step != kNone; step = trails_[step].before)
    taken.push_back(*trails_[step].match);
}

template <class Sentences>
void MeteorSearch<Sentences>::start(const MeteorCandidates& candidates) {
  const std::size_t words = candidates.ends.size();
  trails_.clear();
  beam_.assign(1, Path(Words(candidates.in_caption.size())));
  certain_.assign(words, nullptr);
  for (std::size_t place = 0; place < words; ++place) {
    const auto matches = candidates.at(place);
    if (matches.size() != 1 || !is_certain(matches[0], candidates)) continue;
    std::fill_n(certain_.begin() + static_cast<std::ptrdiff_t>(place), matches[0].reference_length,
                &matches[0]);
  }
}

template <class Sentences>
typename MeteorSearch<Sentences>::Option MeteorSearch<Sentences>::option_of(const MeteorMatch& match) {
  return {&match, RankParts::kWord * gain_of(match), RankParts::kDistance * distance_of(match)};
}

template <class Sentences>
void MeteorSearch<Sentences>::take(Path& path, const Option& option) {
  path.rank -= option.gain;
  if (path.chunk_end != kNone && path.chunk_end != option.match->caption_start)
    path.rank += RankParts::kChunk;
  path.next = option.match->reference_start + option.match->reference_length;
  path.chunk_end = option.match->caption_start + option.match->caption_length;
}

template <class Sentences>
void MeteorSearch<Sentences>::skip(Path& path) {
  if (path.chunk_end != kNone) path.rank += RankParts::kChunk;
  path.chunk_end = kNone;
  ++path.next;
}

// All paths take a match that stands in nobody's way.
template <class Sentences>
void MeteorSearch<Sentences>::take_certain(const MeteorMatch& match) {
  const Option option = option_of(match);
  for (Path& path : beam_) {
    take(path, option);
    path.rank += option.distance;
  }
  sort_beam();
}

// No path can match this word of the reference.
template <class Sentences>
void MeteorSearch<Sentences>::skip_word(std::uint32_t place) {
  for (Path& path : beam_) {
    if (place >= path.next) skip(path);
  }
  sort_beam();
}

// Each path with each match that is free for it, and without any.
template <class Sentences>
void MeteorSearch<Sentences>::branch(std::uint32_t place, std::span<const MeteorMatch> matches) {
  options_.clear();
  for (const MeteorMatch& match : matches) options_.push_back(option_of(match));
  proposals_.clear();
  ranks_.clear();
  for (std::uint32_t i = 0; i < beam_.size(); ++i) propose(i, place);
  keep_best(place);
}

// Distances are METEOR's: a match adds its own to the paths that are made after it, not to the one that takes
// it.
template <class Sentences>
void MeteorSearch<Sentences>::propose(std::uint32_t parent, std::uint32_t place) {
  const Path& path = beam_[parent];
  const auto add = [&](Rank rank, std::uint32_t option) {
    ranks_.push_back(rank + proposals_.size());
    proposals_.push_back({parent, option});
  };
  if (place < path.next) return add(path.rank, kNone);  // inside a phrase that is taken
  Rank rank = path.rank;
  const bool open = path.chunk_end != kNone;
  for (std::uint32_t i = 0; i < options_.size(); ++i) {
    const MeteorMatch& match = *options_[i].match;
    if (path.used.has_any(match.caption_start, match.caption_length)) continue;
    const bool ends_chunk = open && path.chunk_end != match.caption_start;
    add(rank - options_[i].gain + (ends_chunk ? RankParts::kChunk : 0), i);
    rank += options_[i].distance;
  }
  add(rank + (open ? RankParts::kChunk : 0), kNone);
}

// Makes the best proposals the next beam.
template <class Sentences>
void MeteorSearch<Sentences>::keep_best(std::uint32_t place) {
  if (ranks_.size() > kMeteorBeam) {
    std::nth_element(ranks_.begin(), ranks_.begin() + kMeteorBeam, ranks_.end());
    ranks_.resize(kMeteorBeam);
  }
  std::sort(ranks_.begin(), ranks_.end());
  next_beam_.clear();
  for (const Rank rank : ranks_) {
    const Proposal& proposal = proposals_[static_cast<std::size_t>(rank & RankParts::kOrder)];
    Path& path = next_beam_.emplace_back(beam_[proposal.parent]);
    if (proposal.option != kNone) {
      const MeteorMatch& match = *options_[proposal.option].match;
      take(path, options_[proposal.option]);
      path.used.add(match.caption_start, match.caption_length);
      trails_.push_back({&match, path.trail});
      path.trail = static_cast<std::uint32_t>(trails_.size() - 1);
    } else if (place >= path.next) {
      skip(path);
    }
    path.rank = rank & ~RankParts::kOrder;
  }
  beam_.swap(next_beam_);
}

// By insertion: the beam is short and most often in order already.
template <class Sentences>
void MeteorSearch<Sentences>::sort_beam() {
  for (std::size_t i = 1; i < beam_.size(); ++i) {
    if (beam_[i - 1].rank <= beam_[i].rank) continue;
    Path path = std::move(beam_[i]);
    std::size_t place = i;
    for (; place > 0 && beam_[place - 1].rank > path.rank; --place)
      beam_[place] = std::move(beam_[place - 1]);
    beam_[place] = std::move(path);
  }
}

template class MeteorSearch<OrdinarySentences>;
template class MeteorSearch<LongSentences>;

std::span<const MeteorMatch> MeteorAligner::align(const MeteorCandidates& candidates) {
  taken_.clear();
  const std::size_t words = std::max(candidates.in_caption.size(), candidates.in_reference.size());
  if (words <= OrdinarySentences::kMostWords &&
      candidates.matches.size() <= OrdinarySentences::kMostMatches) {
    ordinary_.run(candidates, taken_);
  } else {
    long_.run(candidates, taken_);
  }
  std::ranges::sort(taken_, {}, &MeteorMatch::reference_start);
  return taken_;
}

}  // namespace capella::metric
