// Simulated people: judges who rate captions, labellers who name an image's concept and rank atoms. Most are
// careful, with a known bias and noise; some are careless, in ways that can be found out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "world/facts.h"
#include "world/story.h"

namespace capella::world {

struct Worker {
  enum class Habit : std::uint8_t {
    careful,
    constant,  ///< always the same rating
    quick,     ///< any rating, after a second or two
    random     ///< any rating, taking the usual time
  };
  std::string name;
  Habit habit = Habit::careful;
  double bias = 0;    ///< added to every rating
  double pace = 0;    ///< usual seconds
  double answer = 0;  ///< of a constant one
};
inline constexpr std::array<std::string_view, 4> kHabitNames = {"careful", "constant", "quick", "random"};

inline constexpr std::size_t kRatingsPerCaption = 5;
inline constexpr std::size_t kCaptionsPerImage = 3;
inline constexpr double kCarelessShare = .15;
inline constexpr std::size_t kLeastCareless = 3;  ///< one of each habit, however few judges there are
inline constexpr double kBias = .3;               ///< deviation of careful judges' bias

/// The judges of a world with so many images.
std::vector<Worker> make_workers(std::uint64_t seed, std::size_t images);

struct Rating {
  std::size_t worker;
  int points;  ///< 1 ... 5
  double seconds;
};

/// One judge's rating of a caption whose quality is known. `number` is the judge's.
Rating rate(const Worker& worker, std::size_t number, double truth, double noise, Draw& draw);

/// A caption that was judged.
struct Judged {
  const Caption* caption;
  std::string_view error;  ///< its kind, or "none"
  double truth;            ///< its quality, in 0 ... 1
  std::vector<Rating> ratings;
  double score;  ///< the mean of the careful judges' ratings, in 0 ... 1
  std::size_t careful;
};

/// The image's captions with their ratings: the system's, and two with errors.
std::vector<Judged> judge(const Story& story, const std::vector<Worker>& workers, double noise,
                          std::uint64_t seed, std::uint64_t image);

/// What the judges say of the image's foil, which is among no captions that are judged in the files of
/// ratings; there must be one. `caption` is null.
Judged judge_foil(const Story& story, const std::vector<Worker>& workers, double noise, std::uint64_t seed,
                  std::uint64_t image);

inline constexpr std::size_t kLabellers = 3;
inline constexpr double kLabelNoise = .15;    ///< that a labeller names another concept
inline constexpr double kRankNoise = .25;     ///< deviation of a labeller's belief in an atom
inline constexpr double kWrongArgument = .3;  ///< that a false atom has a wrong thing, not a wrong predicate
inline constexpr double kBeliefInFalse = .1;  ///< in true ones: .6 and more

struct Labels {
  std::string_view truth;
  std::array<std::string_view, kLabellers> given;
};
Labels label_concept(const Scene& scene, std::uint64_t seed, std::uint64_t image);

/// Atoms about the image, some of them wrong, and how each labeller ranked them: 1 the least certain.
struct RankedAtoms {
  std::vector<Triplet> atoms;
  std::vector<bool> truth;
  std::array<std::vector<int>, kLabellers> ranks;
};
RankedAtoms rank_atoms(const Scene& scene, std::uint64_t seed, std::uint64_t image);

}  // namespace capella::world
