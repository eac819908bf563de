#include "reference/meteor_reference_aligner.h"

#include <algorithm>
#include <optional>

namespace capella::reference {
namespace {

constexpr std::size_t kBeam = 40;
constexpr double kWeights[] = {1.0, 0.5, 0.5, 0.5};
constexpr long kNone = -1;

struct Path {
  std::vector<std::optional<MeteorCandidate>> chosen;  ///< by place in the reference
  std::vector<bool> caption_used, reference_used;
  int caption_score = 0,
      reference_score = 0;  ///< whole numbers: every addition cuts off what is behind the point
  int chunks = 0;
  long next = 0;      ///< the next free word of the reference
  long last = kNone;  ///< where the last match ends in the caption
  long distance = 0;
};

bool comes_before(const Path& a, const Path& b) {
  const int score_a = a.caption_score + a.reference_score;
  const int score_b = b.caption_score + b.reference_score;
  if (score_a != score_b) return score_a > score_b;
  if (a.chunks != b.chunks) return a.chunks < b.chunks;
  return a.distance < b.distance;
}

long distance_of(const MeteorCandidate& match) {
  const long distance = static_cast<long>(match.reference_start) - static_cast<long>(match.caption_start);
  return distance < 0 ? -distance : distance;
}

bool is_free(const MeteorCandidate& match, const Path& path) {
  for (std::size_t k = 0; k < match.reference_length; ++k) {
    if (path.reference_used[match.reference_start + k]) return false;
  }
  for (std::size_t k = 0; k < match.caption_length; ++k) {
    if (path.caption_used[match.caption_start + k]) return false;
  }
  return true;
}

/// Takes the match without a look at its worth.
void place(const MeteorCandidate& match, Path& path) {
  path.chosen[match.reference_start] = match;
  for (std::size_t k = 0; k < match.reference_length; ++k)
    path.reference_used[match.reference_start + k] = true;
  for (std::size_t k = 0; k < match.caption_length; ++k) path.caption_used[match.caption_start + k] = true;
}

void score(const MeteorCandidate& match, Path& path) {
  const double weight = kWeights[match.module];
  path.caption_score =
      static_cast<int>(path.caption_score + static_cast<double>(match.caption_length) * weight);
  path.reference_score =
      static_cast<int>(path.reference_score + static_cast<double>(match.reference_length) * weight);
  if (path.last != kNone && static_cast<long>(match.caption_start) != path.last) ++path.chunks;
  path.next = static_cast<long>(match.reference_start + match.reference_length);
  path.last = static_cast<long>(match.caption_start + match.caption_length);
}

/// Nothing chosen yet but what has no rival: the only match at its place, all of whose words are in no other.
Path first_path(const MeteorCandidates& candidates, std::size_t caption_words) {
  std::vector<int> in_caption(caption_words), in_reference(candidates.size());
  for (const auto& list : candidates) {
    for (const MeteorCandidate& match : list) {
      for (std::size_t k = 0; k < match.reference_length; ++k) ++in_reference[match.reference_start + k];
      for (std::size_t k = 0; k < match.caption_length; ++k) ++in_caption[match.caption_start + k];
    }
  }
  Path path;
  path.chosen.resize(candidates.size());
  path.caption_used.resize(caption_words);
  path.reference_used.resize(candidates.size());
  for (const auto& list : candidates) {
    if (list.size() != 1) continue;
    const MeteorCandidate& match = list[0];
    bool alone = true;
    for (std::size_t k = 0; k < match.reference_length; ++k)
      alone = alone && in_reference[match.reference_start + k] == 1;
    for (std::size_t k = 0; k < match.caption_length; ++k)
      alone = alone && in_caption[match.caption_start + k] == 1;
    if (alone) place(match, path);
  }
  return path;
}

/// The ways on from a path at a word of the reference that is in a match already.
void pass_used_word(Path path, std::size_t current, std::vector<Path>& queue) {
  if (static_cast<long>(current) < path.next) {
    queue.push_back(path);
    return;
  }
  const std::optional<MeteorCandidate> match = path.chosen[static_cast<std::size_t>(path.next)];
  if (!match) return;
  score(*match, path);
  path.distance += distance_of(*match);
  queue.push_back(path);
}

/// The ways on at a free word: each match that begins there, then none. METEOR adds a match's distance to the
/// path it branches from, not to the one that takes it.
void pass_free_word(Path path, const std::vector<MeteorCandidate>& candidates, std::vector<Path>& queue) {
  for (const MeteorCandidate& match : candidates) {
    if (!is_free(match, path)) continue;
    Path with = path;
    place(match, with);
    score(match, with);
    path.distance += distance_of(match);
    queue.push_back(with);
  }
  if (path.last != kNone) {
    ++path.chunks;
    path.last = kNone;
  }
  ++path.next;
  queue.push_back(path);
}

}  // namespace

std::vector<MeteorCandidate> align_by_meteor(const MeteorCandidates& candidates, std::size_t caption_words) {
  std::vector<Path> queue = {first_path(candidates, caption_words)};
  for (std::size_t current = 0; current <= candidates.size(); ++current) {
    std::stable_sort(queue.begin(), queue.end(), comes_before);
    if (queue.size() > kBeam) queue.erase(queue.begin() + kBeam, queue.end());
    std::vector<Path> next;
    for (Path path : queue) {
      if (current == candidates.size()) {
        if (path.last != kNone) ++path.chunks;
        next.push_back(path);
      } else if (path.reference_used[current]) {
        pass_used_word(path, current, next);
      } else {
        pass_free_word(path, candidates[current], next);
      }
    }
    if (next.empty()) next.push_back(queue.front());
    queue = next;
  }
  std::stable_sort(queue.begin(), queue.end(), comes_before);
  std::vector<MeteorCandidate> matches;
  for (const auto& match : queue.front().chosen) {
    if (match) matches.push_back(*match);
  }
  return matches;
}

std::size_t count_meteor_chunks(const std::vector<MeteorCandidate>& matches, std::size_t reference_words) {
  std::vector<std::optional<MeteorCandidate>> at(reference_words);
  for (const MeteorCandidate& match : matches) at[match.reference_start] = match;
  std::size_t chunks = 0;
  std::optional<std::size_t> end;  // in the caption, of the open chunk
  for (std::size_t j = 0; j < reference_words;) {
    if (!at[j]) {
      if (end) ++chunks;
      end.reset();
      ++j;
      continue;
    }
    if (end && at[j]->caption_start != *end) ++chunks;
    end = at[j]->caption_start + at[j]->caption_length;
    j += at[j]->reference_length;
  }
  return end ? chunks + 1 : chunks;
}

}  // namespace capella::reference
