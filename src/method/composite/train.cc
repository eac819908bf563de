#include "method/composite/train.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/pairwise_sum.h"
#include "base/random.h"
#include "method/composite/adam.h"
#include "method/composite/gradient.h"
#include "stats/correlation.h"

namespace capella::method::composite {
namespace {

void check_options(const TrainOptions& options) {
  const auto refuse = [](std::string_view what) {
    throw UsageError(fmt::format("composite training: {}", what));
  };
  if (!(options.rate > 0) || !std::isfinite(options.rate)) refuse("the rate must be above 0");
  if (!(options.l2 >= 0) || !std::isfinite(options.l2)) refuse("l2 must be 0 or above");
  if (options.batch == 0) refuse("a batch needs at least one caption");
  if (options.most_epochs == 0) refuse("at least one epoch is needed");
  if (std::count(options.hidden.begin(), options.hidden.end(), 0u) > 0)
    refuse("a hidden layer needs at least one unit");
}

// `what`: training or validation. Rows and inputs are counted from 1. Numbers must also be finite as floats.
void check_values(const Examples& examples, std::string_view what) {
  if (examples.rows() == 0)
    throw DataError(fmt::format("there are no {} captions; composite training needs some", what));
  if (examples.inputs == 0) throw DataError(fmt::format("the {} captions have no inputs", what));
  if (examples.values.size() != examples.rows() * examples.inputs) {
    throw DataError(fmt::format("{} {} captions with {} inputs each have {} numbers", examples.rows(), what,
                                examples.inputs, examples.values.size()));
  }
  for (std::size_t i = 0; i < examples.values.size(); ++i) {
    if (std::isfinite(static_cast<float>(examples.values[i]))) continue;
    throw DataError(fmt::format("{} caption {}, input {}: found {}, expected a finite number", what,
                                i / examples.inputs + 1, i % examples.inputs + 1, examples.values[i]));
  }
}

void check_training(const Examples& examples) {
  check_values(examples, "training");
  std::size_t humans = 0;
  for (std::size_t k = 0; k < examples.rows(); ++k) {
    const double target = examples.targets[k];
    if (target != 0 && target != 1) {
      throw DataError(fmt::format(
          "training caption {}: found the target {}, expected 1 (human) or 0 (machine)", k + 1, target));
    }
    humans += target == 1;
  }
  if (humans != 0 && humans != examples.rows()) return;
  throw DataError(fmt::format("all {} training captions are {}; composite training needs {} captions too",
                              examples.rows(), humans ? "human" : "machine", humans ? "machine" : "human"));
}

void check_validation(const Examples& examples, std::size_t inputs) {
  check_values(examples, "validation");
  if (examples.inputs != inputs) {
    throw DataError(
        fmt::format("training captions have {} inputs and validation captions {}; make both with the "
                    "same list of scores",
                    inputs, examples.inputs));
  }
  const std::vector<double>& ratings = examples.targets;
  for (std::size_t k = 0; k < ratings.size(); ++k) {
    if (!std::isfinite(ratings[k]))
      throw DataError(fmt::format("validation caption {}: found the rating {}, expected a finite number",
                                  k + 1, ratings[k]));
  }
  if (std::all_of(ratings.begin(), ratings.end(), [&](double rating) { return rating == ratings[0]; })) {
    throw DataError(
        fmt::format("all {} validation ratings are {}; the training is stopped by agreement with ratings, "
                    "which must differ",
                    ratings.size(), ratings[0]));
  }
}

// Log-odds of all examples, on all threads.
std::vector<double> all_log_odds(const Network& network, const Examples& examples, ThreadPool& pool) {
  constexpr std::size_t kRows = 256;
  std::vector<double> answers(examples.rows());
  pool.parallel_for((answers.size() + kRows - 1) / kRows, [&](std::size_t block) {
    const std::size_t first = block * kRows;
    const std::size_t count = std::min(kRows, answers.size() - first);
    log_odds(network, std::span(examples.values).subspan(first * examples.inputs, count * examples.inputs),
             std::span(answers).subspan(first, count));
  });
  return answers;
}

// How sure of the right class log-odds are: above 0 if they are on its side.
double margin(double log_odds, double target) {
  return target == 1 ? log_odds : -log_odds;
}

// -ln of a probability with these log-odds, without loss of digits where it is near 0 or 1.
double cross_entropy(double log_odds) {
  return std::max(-log_odds, 0.0) + std::log1p(std::exp(-std::abs(log_odds)));
}

double share_right(std::span<const double> log_odds, const Examples& examples) {
  std::size_t right = 0;
  for (std::size_t k = 0; k < log_odds.size(); ++k) right += margin(log_odds[k], examples.targets[k]) > 0;
  return static_cast<double>(right) / static_cast<double>(log_odds.size());
}

// One training: what changes from epoch to epoch.
class Trainer {
 public:
  Trainer(const Examples& training, const Examples& validation, const TrainOptions& options, ThreadPool& pool)
      : training_(training),
        validation_(validation),
        options_(options),
        pool_(pool),
        random_(options.seed),
        gradient_(training, pool),
        order_(training.rows()),
        rate_(options.rate) {
    std::vector<std::size_t> sizes = {training.inputs};
    sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
    sizes.push_back(2);
    network_ = make_network(sizes, random_);
    std::iota(order_.begin(), order_.end(), 0u);
  }

  Trained run(const std::function<void(const Epoch&)>& after_epoch) {
    do {
      if (!result_.epochs.empty()) train_epoch();
      result_.epochs.push_back(measure());
      if (after_epoch) after_epoch(result_.epochs.back());
      judge();
    } while (!is_over());
    if (result_.best == 0) {
      throw DataError(
          fmt::format("after none of {} epochs did the network's answers to the {} validation captions "
                      "differ; try another seed or a lower rate",
                      result_.epochs.size() - 1, validation_.rows()));
    }
    return std::move(result_);
  }

 private:
  void train_epoch() {
    shuffle(order_, random_);
    for (std::size_t first = 0; first < order_.size(); first += options_.batch) {
      const std::size_t count = std::min(options_.batch, order_.size() - first);
      const Network slopes = gradient_.of(network_, std::span(order_).subspan(first, count), options_.l2);
      adam_.step(network_, slopes, rate_);
    }
  }

  Epoch measure() {
    const std::vector<double> odds = all_log_odds(network_, training_, pool_);
    std::vector<double> losses(odds.size());
    for (std::size_t k = 0; k < odds.size(); ++k)
      losses[k] = cross_entropy(margin(odds[k], training_.targets[k]));
    std::vector<double> answers = all_log_odds(network_, validation_, pool_);
    for (double& answer : answers) answer = sigmoid(answer);
    const stats::KendallResult agreement = stats::kendall(answers, validation_.targets);
    return {.loss = pairwise_sum(losses.data(), losses.size()) / static_cast<double>(losses.size()),
            .accuracy = share_right(odds, training_),
            .tau_b = agreement.tau_b,
            .tau_c = agreement.tau_c,
            .rate = rate_};
  }

  // Keeps the network if it is the best one so far; halves the rate if there was none for long. What is not a
  // number is no gain, and the network before training is not judged.
  void judge() {
    const std::size_t epoch = result_.epochs.size() - 1;
    if (epoch == 0) return;
    const double tau = result_.epochs.back().tau_b;
    if (tau > best_tau_ && is_finite(network_)) {
      best_tau_ = tau;
      result_.best = epoch;
      result_.network = network_;
    } else if (options_.halve_after != 0 && epochs_without_gain() % options_.halve_after == 0) {
      rate_ /= 2;
    }
  }

  std::size_t epochs_without_gain() const { return result_.epochs.size() - 1 - result_.best; }

  bool is_over() const {
    return result_.epochs.size() > options_.most_epochs ||
           (options_.stop_after != 0 && epochs_without_gain() >= options_.stop_after);
  }

  const Examples& training_;
  const Examples& validation_;
  const TrainOptions& options_;
  ThreadPool& pool_;
  Random random_;
  BatchGradient gradient_;
  Adam adam_;
  Network network_;
  std::vector<std::uint32_t> order_;
  double rate_;
  double best_tau_ = -std::numeric_limits<double>::infinity();
  Trained result_;
};

}  // namespace

Trained train(const Examples& training, const Examples& validation, const TrainOptions& options,
              ThreadPool& pool, const std::function<void(const Epoch&)>& after_epoch) {
  check_options(options);
  check_training(training);
  check_validation(validation, training.inputs);
  return Trainer(training, validation, options, pool).run(after_epoch);
}

double accuracy(const Network& network, const Examples& examples) {
  std::vector<double> odds(examples.rows());
  log_odds(network, examples.values, odds);
  return share_right(odds, examples);
}

bool sees_one_class(const Network& network, const Examples& examples) {
  std::vector<double> odds(examples.rows());
  log_odds(network, examples.values, odds);
  const auto human = std::ranges::count_if(odds, [](double one) { return one > 0; });
  return !odds.empty() && (human == 0 || human == std::ssize(odds));
}

}  // namespace capella::method::composite
