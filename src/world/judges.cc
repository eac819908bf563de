#include "world/judges.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/hash.h"
#include "world/usual.h"
#include "world/wrong.h"

namespace capella::world {
namespace {

using Habit = Worker::Habit;

constexpr std::uint64_t kFoilRatings = 0xF011;  // the judges' draws for foils are others than for captions

double truth_of(const Caption& caption, const Scene& scene) {
  return quality(caption.plan, scene) * (caption.readable ? 1 : kShuffled);
}

void add_ratings(Judged& judged, const std::vector<Worker>& workers, double noise, Draw& draw) {
  std::vector<std::size_t> all(workers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto is_careful = [&](std::size_t i) { return workers[i].habit == Habit::careful; };
  do {
    draw.shuffle(all);
  } while (std::none_of(all.begin(), all.begin() + kRatingsPerCaption, is_careful));
  double sum = 0;
  for (std::size_t i = 0; i < kRatingsPerCaption; ++i) {
    judged.ratings.push_back(rate(workers[all[i]], all[i], judged.truth, noise, draw));
    if (!is_careful(all[i])) continue;
    sum += (judged.ratings.back().points - 1) / 4.;
    ++judged.careful;
  }
  judged.score = sum / static_cast<double>(judged.careful);
}

// How much a careful person believes in a relation: what is done is clearer than where things are.
double belief(const Scene& scene, std::size_t relation) {
  if (relation < scene.events) return 1;
  return info(scene.relations[relation].predicate).action ? .8 : .6;
}

// Something that is not so: another predicate, or another class in the place of subject or object.
Triplet false_atom(const Scene& scene, const Relation& right, Draw& draw) {
  const Class subject = scene.groups[static_cast<std::size_t>(right.subject)].id;
  const Class object = scene.groups[static_cast<std::size_t>(right.object)].id;
  if (!draw.chance(kWrongArgument))
    return triplet(subject,
                   wrong_predicates(scene, right.subject, right.predicate, right.object, false).pick(draw),
                   object);
  const bool of_subject = draw.chance(.5);
  Choices<Class> usual, any;
  for (const Class id : absent_classes(scene, [](const ClassInfo&) { return true; })) {
    const double times = of_subject ? Usual::counts().times(id, right.predicate, object)
                                    : Usual::counts().times(subject, right.predicate, id);
    any.add(id, 1);
    if (times > 0) usual.add(id, times);
  }
  const Class wrong = (usual.empty() ? any : usual).pick(draw);
  return of_subject ? triplet(wrong, right.predicate, object) : triplet(subject, right.predicate, wrong);
}

}  // namespace

Rating rate(const Worker& worker, std::size_t number, double truth, double noise, Draw& draw) {
  const double believed = 1 + 4 * truth + worker.bias + draw.normal(noise);
  const int any = 1 + static_cast<int>(draw.below(5));
  const double seconds = worker.pace * std::exp2(draw.normal(.5));
  int points = static_cast<int>(std::lround(std::clamp(believed, 1., 5.)));
  if (worker.habit == Habit::constant) points = static_cast<int>(worker.answer);
  if (worker.habit == Habit::quick || worker.habit == Habit::random) points = any;
  return {number, points, std::round(std::max(.3, seconds) * 10) / 10};
}

std::vector<Worker> make_workers(std::uint64_t seed, std::size_t images) {
  constexpr std::size_t kEach = 50;  // ratings per judge, where there are enough
  const std::size_t ratings = images * kCaptionsPerImage * kRatingsPerCaption;
  const std::size_t count = std::clamp<std::size_t>(ratings / kEach, 10, 60);
  const auto careless = static_cast<std::size_t>(std::lround(kCarelessShare * static_cast<double>(count)));
  Draw draw(seed, Stream::workers, 0);
  std::vector<Worker> workers(count);
  for (std::size_t i = 0; i < count; ++i) {
    Worker& worker = workers[i];
    if (i < std::max(careless, kLeastCareless)) worker.habit = static_cast<Habit>(1 + i % 3);
    worker.bias = draw.normal(kBias);
    worker.pace = worker.habit == Habit::quick ? draw.between(.8, 1.5) : draw.between(6, 15);
    worker.answer = static_cast<double>(3 + draw.below(3));
    if (worker.habit != Habit::careful) worker.bias = 0;
  }
  draw.shuffle(workers);
  for (std::size_t i = 0; i < count; ++i) workers[i].name = fmt::format("w{:02}", i + 1);
  return workers;
}

std::vector<Judged> judge(const Story& story, const std::vector<Worker>& workers, double noise,
                          std::uint64_t seed, std::uint64_t image) {
  Draw draw(seed, Stream::judges, image);
  std::vector<std::size_t> kinds(kErrorNames.size());
  std::iota(kinds.begin(), kinds.end(), std::size_t{0});
  draw.shuffle(kinds);
  std::vector<Judged> all = {{&story.system, "none", 0, {}, 0, 0}};
  while (all.size() < kCaptionsPerImage) {
    const std::size_t kind = kinds[all.size()];
    all.push_back({&story.errors[kind], kErrorNames[kind], 0, {}, 0, 0});
  }
  for (Judged& judged : all) {
    judged.truth = truth_of(*judged.caption, story.scene);
    add_ratings(judged, workers, noise, draw);
  }
  return all;
}

Judged judge_foil(const Story& story, const std::vector<Worker>& workers, double noise, std::uint64_t seed,
                  std::uint64_t image) {
  Draw draw(hash_combine(seed, kFoilRatings), Stream::judges, image);
  Judged judged{nullptr, "foil", quality(story.foil->plan, story.scene), {}, 0, 0};
  add_ratings(judged, workers, noise, draw);
  return judged;
}

Labels label_concept(const Scene& scene, std::uint64_t seed, std::uint64_t image) {
  Draw draw(seed, Stream::concepts, image);
  Labels labels{info(scene.relations[0].predicate).concept_name, {}};
  for (std::string_view& given : labels.given) {
    given = labels.truth;
    if (!draw.chance(kLabelNoise)) continue;
    while (given == labels.truth) given = draw.pick(kConcepts);
  }
  return labels;
}

RankedAtoms rank_atoms(const Scene& scene, std::uint64_t seed, std::uint64_t image) {
  constexpr std::size_t kMostTrue = 5;
  Draw draw(seed, Stream::ranks, image);
  RankedAtoms out;
  std::vector<double> beliefs;
  const auto add = [&](Triplet atom, bool truth, double strength) {
    out.atoms.push_back(std::move(atom));
    out.truth.push_back(truth);
    beliefs.push_back(strength);
  };
  for (std::size_t i = 0; i < std::min(kMostTrue, scene.relations.size()); ++i)
    add(triplet(scene, scene.relations[i]), true, belief(scene, i));
  for (std::size_t i = 0; i < scene.events; ++i)
    add(false_atom(scene, scene.relations[i], draw), false, kBeliefInFalse);
  for (std::vector<int>& ranks : out.ranks) {
    std::vector<double> felt;
    for (const double strength : beliefs) felt.push_back(strength + draw.normal(kRankNoise));
    for (const double one : felt) {
      const auto lower = std::count_if(felt.begin(), felt.end(), [one](double other) { return other < one; });
      ranks.push_back(1 + static_cast<int>(lower));
    }
  }
  return out;
}

}  // namespace capella::world
