#include "method/mln/attention/attention_training.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "stats/auc.h"

namespace capella::method::mln {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// What all predicates share.
struct Ground {
  const ToldImages& told;
  const FeatureStore& features;
  const AttentionTraining& options;

  std::size_t inputs() const { return 2 * features.width() + 8; }

  void fill(const PairPlace& pair, Bag& bag) const {
    fill_bag(told.image(pair.image), *features.of(pair.image), told.objects(pair.image, pair.subject),
             told.objects(pair.image, pair.object), options.pixel_boxes, bag);
  }
};

// Brings inputs to mean 0 and deviation 1.
struct Scale {
  std::vector<double> mean, deviation;

  void apply(Bag& bag) const {
    if (mean.empty()) return;
    for (std::size_t i = 0; i < bag.rows.size(); ++i) {
      const std::size_t input = i % mean.size();
      bag.rows[i] = (bag.rows[i] - mean[input]) / deviation[input];
    }
  }

  // The first layer takes inputs as they are.
  void fold_into(AttentionNetwork& network) const {
    if (mean.empty()) return;
    for (std::size_t m = 0; m < network.hidden; ++m) {
      double* const row = network.W1.data() + m * network.inputs;
      for (std::size_t i = 0; i < network.inputs; ++i) {
        row[i] /= deviation[i];
        network.b1[m] -= row[i] * mean[i];
      }
    }
  }
};

// What a network learns from. Negative bags are taken from the lists by turns.
struct Lessons {
  std::vector<PairPlace> told;
  std::vector<std::vector<PairPlace>> others;
};

Lessons lessons(const Ground& ground, const std::string& predicate) {
  Lessons out;
  const Negatives wanted = ground.options.negatives;
  for (const Negatives kind : {Negatives::mentioned, Negatives::possible}) {
    PlacedPairs pairs = ground.told.pairs(predicate, Part::train, wanted == Negatives::mixed ? kind : wanted);
    out.told = std::move(pairs.told);
    if (!pairs.others.empty()) out.others.push_back(std::move(pairs.others));
    if (wanted != Negatives::mixed) break;
  }
  return out;
}

Scale measure_scale(const Ground& ground, const Lessons& from) {
  constexpr std::size_t kMostBags = 2000;
  const std::size_t inputs = ground.inputs();
  Scale scale{std::vector<double>(inputs), std::vector<double>(inputs)};
  std::vector<double> squares(inputs);
  double rows = 0;
  Bag bag;
  const auto add = [&](const std::vector<PairPlace>& places) {
    const std::size_t count = std::min(places.size(), kMostBags);
    for (std::size_t i = 0; i < count; ++i) {
      ground.fill(places[i * places.size() / count], bag);
      for (std::size_t k = 0; k < bag.rows.size(); ++k) {
        scale.mean[k % inputs] += bag.rows[k];
        squares[k % inputs] += bag.rows[k] * bag.rows[k];
      }
      rows += static_cast<double>(bag.instances);
    }
  };
  add(from.told);
  for (const auto& places : from.others) add(places);
  for (std::size_t i = 0; i < inputs; ++i) {
    scale.mean[i] /= rows;
    const double variance = squares[i] / rows - scale.mean[i] * scale.mean[i];
    scale.deviation[i] = variance > 1e-12 ? std::sqrt(variance) : 1;
  }
  return scale;
}

// The bags of each epoch: the told ones, each followed by a negative one.
class Schedule {
 public:
  Schedule(Lessons from, bool shuffled, std::uint64_t seed)
      : from_(std::move(from)), shuffled_(shuffled), random_(seed) {
    draw_others();
  }

  struct Place {
    PairPlace pair;
    bool positive;
  };
  std::vector<Place> epoch() {
    std::vector<Place> places;
    for (std::size_t i = 0; i < from_.told.size(); ++i) {
      places.push_back({from_.told[i], true});
      if (from_.others.empty()) continue;
      const auto& others = from_.others[i % from_.others.size()];
      places.push_back({others[i / from_.others.size() % others.size()], false});
    }
    if (shuffled_) {
      shuffle(places, random_);
      draw_others();
    }
    return places;
  }

 private:
  // Every order is as likely; the first ones are used, and all again where there are too few.
  void draw_others() {
    for (auto& others : from_.others) shuffle(others, random_);
  }

  Lessons from_;
  bool shuffled_;
  Random random_;
};

AttentionNetwork train_network(const Ground& ground, const std::string& predicate, StepCounter& steps) {
  const AttentionTraining& options = ground.options;
  const std::uint64_t seed = hash_combine(options.seed, hash_bytes(predicate));
  Lessons from = lessons(ground, predicate);
  const Scale scale = options.standardise ? measure_scale(ground, from) : Scale{};
  AttentionTrainer trainer(start_network(ground.inputs(), options, seed), options.rate, options.decay);
  Schedule schedule(std::move(from), options.shuffle, seed + 1);
  std::vector<Bag> bags(options.batch);
  std::vector<LabelledBag> batch;
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
    const auto places = schedule.epoch();
    for (std::size_t i = 0; i < places.size(); ++i) {
      Bag& bag = bags[batch.size()];
      ground.fill(places[i].pair, bag);
      scale.apply(bag);
      batch.push_back({&bag, places[i].positive});
      if (batch.size() < options.batch && i + 1 < places.size()) continue;
      trainer.step(batch);
      batch.clear();
    }
    steps.done();
  }
  AttentionNetwork network = trainer.network();
  scale.fold_into(network);
  return network;
}

// The possible atoms of held-out images with what the network says of them.
struct HeldOut {
  std::vector<std::uint32_t> images;
  std::vector<double> logits;
  std::vector<bool> told;
};

HeldOut ask_held_out(const Ground& ground, const AttentionNetwork& network, const PlacedPairs& pairs) {
  HeldOut out;
  Bag bag;
  for (const bool told : {true, false}) {
    for (const PairPlace& pair : told ? pairs.told : pairs.others) {
      ground.fill(pair, bag);
      out.images.push_back(pair.image);
      out.logits.push_back(ask(network, bag).logit);
      out.told.push_back(told);
    }
  }
  return out;
}

// What each half of the images says about the other.
ProbabilityQuality cross_measured(const Ground& ground, const HeldOut& held, double shift) {
  std::vector<std::string_view> names;
  for (const std::uint32_t image : held.images) names.push_back(ground.told.image(image).image);
  const std::vector<bool> second = second_half(names, held.told);
  std::vector<double> probabilities;
  std::vector<bool> told;
  for (const bool half : {false, true}) {
    std::vector<double> logits;
    std::vector<bool> right;
    for (std::size_t i = 0; i < held.logits.size(); ++i) {
      if (second[i] == half) continue;
      logits.push_back(held.logits[i]);
      right.push_back(held.told[i]);
    }
    const Calibration fitted = fit_calibration(logits, right, shift);
    for (std::size_t i = 0; i < held.logits.size(); ++i) {
      if (second[i] != half) continue;
      probabilities.push_back(fitted.of(held.logits[i]));
      told.push_back(held.told[i]);
    }
  }
  return quality(probabilities, told);
}

// The probabilities hold where something is said of a pair, or, where nearly all that is said of such pairs
// is this predicate, for all possible pairs.
Negatives calibration_cases(const Ground& ground, const std::string& predicate) {
  const Negatives wanted = ground.options.calibrated_on;
  const auto others = ground.told.pairs(predicate, Part::train, wanted).others.size();
  return others < ground.options.least_bags ? Negatives::possible : wanted;
}

AttentionReport finish(const Ground& ground, const std::string& predicate, AttentionNetwork& network) {
  const Negatives cases = calibration_cases(ground, predicate);
  const PlacedPairs seen = ground.told.pairs(predicate, Part::train, cases);
  const auto told = static_cast<double>(seen.told.size());
  network.base_rate = (told + .5) / (told + static_cast<double>(seen.others.size()) + 1);
  const double shift = std::log(network.base_rate) - std::log1p(-network.base_rate);
  const HeldOut held = ask_held_out(ground, network, ground.told.pairs(predicate, Part::held_out, cases));
  AttentionReport report;
  report.predicate = predicate;
  report.training_bags = seen.told.size();
  report.held_out_atoms = held.told.size();
  report.held_out_told = static_cast<std::size_t>(std::ranges::count(held.told, true));
  report.auc = stats::area_under_curve(held.logits, held.told);
  std::vector<double> raw;
  for (const double logit : held.logits) raw.push_back(Calibration{}.of(logit));
  report.log_loss_uncalibrated = quality(raw, held.told).log_loss;
  report.calibrated = cross_measured(ground, held, shift);
  if (ground.options.calibrate) {
    const Calibration fitted = fit_calibration(held.logits, held.told, shift);
    network.temperature = 1 / fitted.slope;
    network.shift = fitted.shift;
  }
  return report;
}

void check(const AttentionTraining& options) {
  if (options.calibrated_on == Negatives::mixed)
    throw UsageError("calibration on mixed negatives; expected possible or mentioned ones");
  if (options.hidden > 0 && options.attention > 0 && options.batch > 0 && options.rate > 0) return;
  throw UsageError(fmt::format(
      "a network of attention with {} hidden and {} attention units, {} bags per step and rate {}; expected "
      "each to be above 0",
      options.hidden, options.attention, options.batch, options.rate));
}

double mean_auc(std::span<const AttentionReport> reports) {
  double sum = 0;
  double count = 0;
  for (const AttentionReport& report : reports) {
    if (std::isnan(report.auc)) continue;
    sum += report.auc;
    count += 1;
  }
  return count > 0 ? sum / count : kNan;
}

}  // namespace

AttentionTraining paper_attention() {
  return {};
}

AttentionTraining small_attention() {
  AttentionTraining options;
  options.hidden = 64;
  options.attention = 32;
  options.rate = 1e-3;
  options.decay = 1e-2;
  options.epochs = 20;
  options.batch = 8;
  options.shuffle = true;
  options.standardise = true;
  options.negatives = Negatives::mixed;
  options.calibrated_on = Negatives::mentioned;
  return options;
}

TrainedAttention train_attention(std::span<const io::ImageObjects> images,
                                 std::span<const io::TripletRow> triplets, const AttentionTraining& options) {
  check(options);
  const ToldImages told(images, triplets);
  const std::vector<std::string> predicates = told.predicates(options.least_bags);
  if (predicates.empty())
    throw DataError(fmt::format(
        "no predicate is told {} times or more of detected objects in images of split train; expected "
        "triplets and objects of the same images, with the same words",
        options.least_bags));
  const FeatureStore features(images, told.used_images());
  const Ground ground{told, features, options};
  std::vector<AttentionNetwork> networks(predicates.size());
  TrainedAttention out;
  out.reports.resize(predicates.size());
  StepCounter steps(options.progress, "attention", predicates.size() * options.epochs);
  ThreadPool(options.threads).parallel_for(predicates.size(), [&](std::size_t i) {
    networks[i] = train_network(ground, predicates[i], steps);
    out.reports[i] = finish(ground, predicates[i], networks[i]);
  });
  for (std::size_t i = 0; i < predicates.size(); ++i)
    out.models.networks.emplace(predicates[i], std::move(networks[i]));
  out.models.features = features.width();
  out.models.pixel_boxes = options.pixel_boxes;
  out.mean_auc = mean_auc(out.reports);
  return out;
}

}  // namespace capella::method::mln
