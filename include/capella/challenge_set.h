// A challenge set: pairs of a better and a worse caption of one image that differ in one known way. It tells
// where a metric fails rather than how often it agrees with people. Made by editing reference captions; see
// docs/human-judgement.md for the kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capella/dataset.h"
#include "capella/progress.h"

namespace capella {

struct ChallengePair {
  std::string image;
  std::string kind;
  std::string better;
  std::string worse;
  std::vector<std::string> references;  ///< up to four other captions of the image, never the edited one
  std::string edit;                     ///< what was done, for people: "red <-> white"
};

/// How the pairs of one kind came about.
struct ChallengeTally {
  std::string kind;
  std::size_t made = 0;
  std::size_t looked_at = 0;     ///< images
  std::size_t few_captions = 0;  ///< of these: no other caption is left as a reference
  std::size_t lacking = 0;       ///< none of the captions has what the edit needs
  std::size_t doubtful = 0;      ///< what could be done may still be true of the image
  std::string needs;             ///< what the edit needs: "two things with attributes of one sort"
};

struct ChallengeSet {
  std::vector<ChallengePair> pairs;  ///< kind by kind, in the images' order
  std::vector<ChallengeTally> kinds;
};

struct ChallengeSetOptions {
  std::size_t pairs = 500;         ///< of each kind, each of another image
  std::vector<std::string> kinds;  ///< of challenge_kinds(); empty: all
  std::uint64_t seed = 12345;
  std::size_t threads = 0;  ///< 0: one per core; changes nothing in the set
  Progress progress;
};

/// The kinds of pairs, in the order of the documentation.
std::vector<std::string> challenge_kinds();

/// Makes pairs of English captions. Of a kind fewer than asked for come back if not more can be made. Throws
/// UsageError for an unknown kind, DataError if no pair can be made at all, FileError if the parser's model
/// or the table of words is not there.
ChallengeSet make_challenge_set(const Dataset& references, const ChallengeSetOptions& options);

/// The same from a folder that `capella world` made, where what is true is known: worse captions are wrong of
/// the scene, whether another caption says so or not. Throws DataError if it is no such folder.
ChallengeSet make_world_challenge_set(const std::string& folder, const ChallengeSetOptions& options);

/// JSON lines {"image_id", "kind", "better", "worse", "references", "edit"}, which the benchmark "challenge"
/// reads.
std::string challenge_set_lines(std::span<const ChallengePair> pairs);

}  // namespace capella
