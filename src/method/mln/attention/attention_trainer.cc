#include <cmath>

#include "base/random.h"
#include "method/mln/attention/attention_training.h"
#include <Eigen/Core>

namespace capella::method::mln {
namespace {

constexpr double kMeanDecay = .9;
constexpr double kSquareDecay = .999;
constexpr double kEpsilon = 1e-8;

using Array = Eigen::Map<Eigen::ArrayXd>;

Array map(std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

// The same shape, all 0.
AttentionNetwork zeros(const AttentionNetwork& network) {
  AttentionNetwork out = network;
  for (std::vector<double>* const values : out.arrays()) std::fill(values->begin(), values->end(), 0.0);
  return out;
}

void draw(std::vector<double>& values, std::size_t count, std::size_t inputs, Random& random) {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  values.resize(count);
  for (double& value : values) value = bound * (2 * random.uniform() - 1);
}

}  // namespace

AttentionNetwork start_network(std::size_t inputs, const AttentionTraining& options, std::uint64_t seed) {
  Random random(seed);
  AttentionNetwork network;
  network.gated = options.gated;
  network.inputs = inputs;
  network.hidden = options.hidden;
  network.attention = options.attention;
  const std::size_t hidden = options.hidden;
  const std::size_t attention = options.attention;
  draw(network.W1, hidden * inputs, inputs, random);
  draw(network.b1, hidden, inputs, random);
  draw(network.V, attention * hidden, hidden, random);
  draw(network.bV, attention, hidden, random);
  if (options.gated) {
    draw(network.U, attention * hidden, hidden, random);
    draw(network.bU, attention, hidden, random);
  }
  draw(network.w, attention, attention, random);
  draw(network.bw, 1, attention, random);
  draw(network.c, hidden, hidden, random);
  draw(network.bc, 1, hidden, random);
  return network;
}

AttentionTrainer::AttentionTrainer(AttentionNetwork start, double rate, double decay)
    : network_(std::move(start)),
      gradient_(zeros(network_)),
      mean_(gradient_),
      square_(gradient_),
      rate_(rate),
      decay_(decay) {}

double AttentionTrainer::step(std::span<const LabelledBag> bags) {
  for (std::vector<double>* const values : gradient_.arrays()) map(*values).setZero();
  double loss = 0;
  for (const LabelledBag& one : bags) loss += add_gradient(network_, *one.bag, one.positive, gradient_);
  const auto count = static_cast<double>(bags.size());
  if (bags.size() > 1) {
    for (std::vector<double>* const values : gradient_.arrays()) map(*values) /= count;
  }
  move();
  return loss / count;
}

// Number by number; nothing is summed, so that all machines agree.
void AttentionTrainer::move() {
  mean_left_ *= kMeanDecay;
  square_left_ *= kSquareDecay;
  const double mean_share = 1 - mean_left_;
  const double square_share = 1 - square_left_;
  const auto values = network_.arrays();
  const auto slopes = gradient_.arrays();
  const auto means = mean_.arrays();
  const auto squares = square_.arrays();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]->empty()) continue;
    Array value = map(*values[i]);
    Array slope = map(*slopes[i]);
    Array mean = map(*means[i]);
    Array square = map(*squares[i]);
    slope += decay_ * value;
    mean = kMeanDecay * mean + (1 - kMeanDecay) * slope;
    square = kSquareDecay * square + (1 - kSquareDecay) * slope * slope;
    value -= rate_ * (mean / mean_share) / ((square / square_share).sqrt() + kEpsilon);
  }
}

}  // namespace capella::method::mln
