// Challenge sets: see include/capella/challenge_set.h.
//
// Each image has a stream of random numbers for each kind, so what happens to it depends on no other image
// and no other kind, and a smaller set is part of a larger one.
#include "capella/challenge_set.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/json_text.h"
#include "base/names.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "pipeline/challenge_pairs.h"

namespace capella {
namespace {

using pipeline::Attempt;
using pipeline::ChallengeMaker;
using pipeline::kChallenges;
using pipeline::NoPair;

constexpr std::size_t kImagesPerChallengePiece = 64;  // images that one thread does together
constexpr std::size_t kBlock = 1024;  // images after which it is seen which kinds have enough pairs

// One way of making pairs, and what came of it.
struct Quota {
  const pipeline::ChallengeInfo* challenge;
  std::size_t wanted;
  ChallengeTally tally;
  std::vector<std::pair<std::size_t, ChallengePair>> made;  // with the image's place

  bool is_open() const { return made.size() < wanted; }
};

void check_kinds(const std::vector<std::string>& kinds) {
  std::vector<std::string_view> known;
  for (const auto& challenge : kChallenges) known.push_back(challenge.kind);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& kind : kinds) {
    if (std::find(known.begin(), known.end(), kind) == known.end())
      throw UsageError(unknown_name_message("kind", kind, known));
  }
}

// Where two ways share a kind, each makes half of its pairs.
std::vector<Quota> make_quotas(const ChallengeSetOptions& options) {
  check_kinds(options.kinds);
  std::vector<Quota> quotas;
  for (const auto& challenge : kChallenges) {
    const auto& kinds = options.kinds;
    if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), challenge.kind) == kinds.end()) continue;
    Quota quota{&challenge, options.pairs, {}, {}};
    quota.tally.kind = challenge.kind;
    quota.tally.needs = challenge.needs;
    if (!quotas.empty() && quotas.back().tally.kind == challenge.kind) {
      quotas.back().wanted = options.pairs - options.pairs / 2;
      quota.wanted = options.pairs / 2;
    }
    quotas.push_back(std::move(quota));
  }
  return quotas;
}

void take(Quota& quota, std::size_t image, Attempt attempt) {
  if (!quota.is_open()) return;
  ++quota.tally.looked_at;
  if (attempt.pair) {
    quota.made.emplace_back(image, *std::move(attempt.pair));
    ++quota.tally.made;
    return;
  }
  switch (attempt.why) {
    case NoPair::few_captions:
      ++quota.tally.few_captions;
      break;
    case NoPair::lacking:
      ++quota.tally.lacking;
      break;
    case NoPair::doubtful:
      ++quota.tally.doubtful;
      break;
  }
}

// All open kinds on all images of a block.
void do_block(const ChallengeMaker& maker, std::span<const std::size_t> images, std::vector<Quota>& quotas,
              ThreadPool& pool) {
  std::vector<Quota*> open;
  for (Quota& quota : quotas) {
    if (quota.is_open()) open.push_back(&quota);
  }
  std::vector<pipeline::Challenge> challenges;
  for (const Quota* quota : open) challenges.push_back(quota->challenge->id);
  std::vector<std::vector<Attempt>> attempts(images.size());
  pool.parallel_for(
      (images.size() + kImagesPerChallengePiece - 1) / kImagesPerChallengePiece, [&](std::size_t piece) {
        const std::size_t first = piece * kImagesPerChallengePiece;
        const auto views = maker.look_at(
            images.subspan(first, std::min(kImagesPerChallengePiece, images.size() - first)), challenges);
        for (std::size_t i = 0; i < views.size(); ++i) {
          for (const auto challenge : challenges)
            attempts[first + i].push_back(maker.make(views[i], challenge));
        }
      });
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (std::size_t k = 0; k < open.size(); ++k) take(*open[k], images[i], std::move(attempts[i][k]));
  }
}

ChallengeSet collect(std::vector<Quota> quotas) {
  ChallengeSet set;
  for (Quota& quota : quotas) {
    std::sort(quota.made.begin(), quota.made.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [image, pair] : quota.made) set.pairs.push_back(std::move(pair));
    set.kinds.push_back(std::move(quota.tally));
  }
  return set;
}

ChallengeSet make_set(const Dataset& references, const pipeline::WorldTruth* truth,
                      const ChallengeSetOptions& options, ThreadPool& pool) {
  std::vector<Quota> quotas = make_quotas(options);
  const ChallengeMaker maker(references, truth, options.seed, pool);
  const std::vector<std::size_t> order = pipeline::drawn_order(references, options.seed);
  const std::size_t blocks = (order.size() + kBlock - 1) / kBlock;
  StepCounter steps(options.progress, "editing", blocks);
  for (std::size_t block = 0; block < blocks; ++block) {
    if (std::none_of(quotas.begin(), quotas.end(), [](const Quota& quota) { return quota.is_open(); })) break;
    const std::size_t first = block * kBlock;
    do_block(maker, std::span(order).subspan(first, std::min(kBlock, order.size() - first)), quotas, pool);
    steps.done();
  }
  ChallengeSet set = collect(std::move(quotas));
  if (set.pairs.empty()) {
    throw DataError(
        "no caption can be edited in any of the ways asked for: expected English captions, two or more per "
        "image; give other captions, or other kinds");
  }
  return set;
}

}  // namespace

std::vector<std::string> challenge_kinds() {
  std::vector<std::string> kinds;
  for (const auto& challenge : kChallenges) {
    if (kinds.empty() || kinds.back() != challenge.kind) kinds.emplace_back(challenge.kind);
  }
  return kinds;
}

ChallengeSet make_challenge_set(const Dataset& references, const ChallengeSetOptions& options) {
  ThreadPool pool(options.threads);
  return make_set(references, nullptr, options, pool);
}

ChallengeSet make_world_challenge_set(const std::string& folder, const ChallengeSetOptions& options) {
  check_kinds(options.kinds);
  const pipeline::WorldTruth truth(folder, options.threads);
  ThreadPool pool(options.threads);
  return make_set(truth.references(), &truth, options, pool);
}

std::string challenge_set_lines(std::span<const ChallengePair> pairs) {
  std::string lines;
  for (const ChallengePair& pair : pairs) {
    const nlohmann::ordered_json row = {{"image_id", pair.image},        {"kind", pair.kind},
                                        {"better", pair.better},         {"worse", pair.worse},
                                        {"references", pair.references}, {"edit", pair.edit}};
    lines += json_text(row) + '\n';
  }
  return lines;
}

}  // namespace capella
