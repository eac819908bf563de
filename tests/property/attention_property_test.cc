// Networks of attention agree with their slow twin and with central differences; the order of instances does
// not matter.
#include <cmath>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.h"
#include "method/mln/attention/attention.h"
#include "reference/attention_reference.h"

namespace capella::method::mln {
namespace {

void draw(std::vector<double>& values, std::size_t count, Random& random) {
  values.resize(count);
  for (double& value : values) value = random.normal() / 2;
}

AttentionNetwork draw_network(Random& random) {
  AttentionNetwork network;
  network.gated = random.below(2) == 1;
  const bool layer = random.below(4) > 0;
  network.hidden = 1 + random.below(12);
  network.inputs = layer ? 1 + random.below(20) : network.hidden;
  network.attention = 1 + random.below(9);
  if (layer) {
    draw(network.W1, network.hidden * network.inputs, random);
    draw(network.b1, network.hidden, random);
  }
  draw(network.V, network.attention * network.hidden, random);
  draw(network.bV, network.attention, random);
  if (network.gated) {
    draw(network.U, network.attention * network.hidden, random);
    draw(network.bU, network.attention, random);
  }
  draw(network.w, network.attention, random);
  draw(network.c, network.hidden, random);
  draw(network.bw, 1, random);
  draw(network.bc, 1, random);
  return network;
}

Bag draw_bag(const AttentionNetwork& network, Random& random) {
  Bag bag;
  bag.instances = 1 + random.below(9);
  draw(bag.rows, bag.instances * network.inputs, random);
  return bag;
}

AttentionNetwork gradient_of(const AttentionNetwork& network, const Bag& bag, bool positive) {
  AttentionNetwork gradient = network;
  for (std::vector<double>* const values : gradient.arrays()) std::fill(values->begin(), values->end(), 0.0);
  add_gradient(network, bag, positive, gradient);
  return gradient;
}

TEST(AttentionProperty, AgreesWithItsTwin) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Random random(seed);
    const AttentionNetwork network = draw_network(random);
    const Bag bag = draw_bag(network, random);
    const bool positive = random.below(2) == 1;
    const auto twin = reference::attention_reference(network, bag, positive);
    const AttentionAnswer answer = ask(network, bag);
    RC_ASSERT(std::abs(answer.logit - static_cast<double>(twin.logit)) < 1e-12);
    RC_ASSERT(std::abs(answer.probability - static_cast<double>(twin.probability)) < 1e-12);
    for (std::size_t k = 0; k < bag.instances; ++k)
      RC_ASSERT(std::abs(answer.attention[k] - static_cast<double>(twin.attention[k])) < 1e-12);
    const AttentionNetwork gradient = gradient_of(network, bag, positive);
    const auto arrays = gradient.arrays();
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      RC_ASSERT(arrays[i]->size() == twin.gradient[i].size());
      for (std::size_t j = 0; j < arrays[i]->size(); ++j)
        RC_ASSERT(std::abs((*arrays[i])[j] - static_cast<double>(twin.gradient[i][j])) < 1e-12);
    }
  }));
}

// Whether all sums before the corner of relu are so far from it that small steps do not cross it.
bool is_smooth(const AttentionNetwork& network, const Bag& bag) {
  for (std::size_t k = 0; k < bag.instances; ++k) {
    for (std::size_t m = 0; m < network.b1.size(); ++m) {
      double sum = network.b1[m];
      for (std::size_t i = 0; i < network.inputs; ++i)
        sum += network.W1[m * network.inputs + i] * bag.rows[k * network.inputs + i];
      if (std::abs(sum) < 1e-3) return false;
    }
  }
  return true;
}

TEST(AttentionProperty, TheGradientIsTheSlopeOfTheLoss) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    constexpr double kStep = 1e-5;
    Random random(seed);
    AttentionNetwork network = draw_network(random);
    const Bag bag = draw_bag(network, random);
    if (!is_smooth(network, bag)) return;
    const bool positive = random.below(2) == 1;
    const AttentionNetwork gradient = gradient_of(network, bag, positive);
    const auto numbers = network.arrays();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      for (std::size_t j = 0; j < numbers[i]->size(); ++j) {
        const double before = (*numbers[i])[j];
        const auto loss_at = [&](double value) {
          (*numbers[i])[j] = value;
          return reference::attention_reference(network, bag, positive).loss;
        };
        const long double slope = (loss_at(before + kStep) - loss_at(before - kStep)) / (2 * kStep);
        (*numbers[i])[j] = before;
        RC_ASSERT(std::abs((*gradient.arrays()[i])[j] - static_cast<double>(slope)) < 1e-7);
      }
    }
  }));
}

TEST(AttentionProperty, TheOrderOfInstancesDoesNotMatter) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    Random random(seed);
    const AttentionNetwork network = draw_network(random);
    const Bag bag = draw_bag(network, random);
    std::vector<std::size_t> order(bag.instances);
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    shuffle(order, random);
    Bag other = bag;
    for (std::size_t k = 0; k < order.size(); ++k) {
      for (std::size_t i = 0; i < network.inputs; ++i)
        other.rows[k * network.inputs + i] = bag.rows[order[k] * network.inputs + i];
    }
    RC_ASSERT(std::abs(ask(network, bag).probability - ask(network, other).probability) <= 1e-15);
  }));
}

}  // namespace
}  // namespace capella::method::mln
