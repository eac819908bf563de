// Sums are plain loops over lanes of a fixed number, so that the answers are the same bits on every machine;
// libraries for matrices cut their sums by the sizes of caches.
#include "method/mln/attention/attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace capella::method::mln {
namespace {

using Values = std::vector<double>;

// Eight sums side by side, joined at the end.
double dot(const double* a, const double* b, std::size_t count) {
  constexpr std::size_t kLanes = 8;
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += a[i + k] * b[i + k];
  }
  for (std::size_t k = 0; i + k < count; ++k) lanes[k] += a[i + k] * b[i + k];
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

void add_scaled(double* sum, const double* values, double factor, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += factor * values[i];
}

// What the network computes of a bag, kept for the way back.
struct Pass {
  Values h;     // instances x hidden
  Values t, s;  // instances x attention: tanh, gate (1 where there is none)
  Values a;     // instances
  Values z;     // hidden
  double logit = 0;
};

void embed(const AttentionNetwork& network, const Bag& bag, Pass& pass) {
  if (network.W1.empty()) {
    pass.h = bag.rows;
    return;
  }
  pass.h.resize(bag.instances * network.hidden);
  for (std::size_t m = 0; m < network.hidden; ++m) {
    const double* const weights = network.W1.data() + m * network.inputs;
    for (std::size_t k = 0; k < bag.instances; ++k) {
      const double sum = dot(weights, bag.rows.data() + k * network.inputs, network.inputs) + network.b1[m];
      pass.h[k * network.hidden + m] = std::max(0.0, sum);
    }
  }
}

// The score of an instance, before the softmax.
double attend(const AttentionNetwork& network, std::size_t k, Pass& pass) {
  const double* const h = pass.h.data() + k * network.hidden;
  double* const t = pass.t.data() + k * network.attention;
  double* const s = pass.s.data() + k * network.attention;
  double score = network.bw[0];
  for (std::size_t l = 0; l < network.attention; ++l) {
    const std::size_t row = l * network.hidden;
    t[l] = std::tanh(dot(network.V.data() + row, h, network.hidden) + network.bV[l]);
    s[l] = network.gated ? logistic(dot(network.U.data() + row, h, network.hidden) + network.bU[l]) : 1;
    score += network.w[l] * t[l] * s[l];
  }
  return score;
}

void softmax(Values& values) {
  const double highest = *std::ranges::max_element(values);
  double sum = 0;
  for (double& value : values) sum += value = std::exp(value - highest);
  for (double& value : values) value /= sum;
}

void go_forward(const AttentionNetwork& network, const Bag& bag, Pass& pass) {
  assert(bag.instances > 0 && bag.rows.size() == bag.instances * network.inputs);
  embed(network, bag, pass);
  pass.t.resize(bag.instances * network.attention);
  pass.s.resize(bag.instances * network.attention);
  pass.a.resize(bag.instances);
  for (std::size_t k = 0; k < bag.instances; ++k) pass.a[k] = attend(network, k, pass);
  softmax(pass.a);
  pass.z.assign(network.hidden, 0);
  for (std::size_t k = 0; k < bag.instances; ++k)
    add_scaled(pass.z.data(), pass.h.data() + k * network.hidden, pass.a[k], network.hidden);
  pass.logit = dot(network.c.data(), pass.z.data(), network.hidden) + network.bc[0];
}

// From the slope of an instance's score to the attention's weights and to the instance's embedding.
void attention_back(const AttentionNetwork& network, const Pass& pass, std::size_t k, double slope,
                    AttentionNetwork& gradient, double* dh) {
  const double* const h = pass.h.data() + k * network.hidden;
  gradient.bw[0] += slope;
  for (std::size_t l = 0; l < network.attention; ++l) {
    const double t = pass.t[k * network.attention + l];
    const double s = pass.s[k * network.attention + l];
    const std::size_t row = l * network.hidden;
    gradient.w[l] += slope * t * s;
    const double dt = slope * network.w[l] * (1 - t * t) * s;
    gradient.bV[l] += dt;
    add_scaled(gradient.V.data() + row, h, dt, network.hidden);
    add_scaled(dh, network.V.data() + row, dt, network.hidden);
    if (!network.gated) continue;
    const double ds = slope * network.w[l] * t * s * (1 - s);
    gradient.bU[l] += ds;
    add_scaled(gradient.U.data() + row, h, ds, network.hidden);
    add_scaled(dh, network.U.data() + row, ds, network.hidden);
  }
}

// The slope of relu at 0 is 0.
void embedding_back(const AttentionNetwork& network, const Bag& bag, const Pass& pass, std::size_t k,
                    const double* dh, AttentionNetwork& gradient) {
  if (network.W1.empty()) return;
  for (std::size_t m = 0; m < network.hidden; ++m) {
    if (pass.h[k * network.hidden + m] <= 0) continue;
    gradient.b1[m] += dh[m];
    add_scaled(gradient.W1.data() + m * network.inputs, bag.rows.data() + k * network.inputs, dh[m],
               network.inputs);
  }
}

void go_back(const AttentionNetwork& network, const Bag& bag, const Pass& pass, double slope,
             AttentionNetwork& gradient) {
  gradient.bc[0] += slope;
  add_scaled(gradient.c.data(), pass.z.data(), slope, network.hidden);
  Values pull(bag.instances);  // the slope in each instance's attention
  for (std::size_t k = 0; k < bag.instances; ++k)
    pull[k] = slope * dot(network.c.data(), pass.h.data() + k * network.hidden, network.hidden);
  const double mean = dot(pass.a.data(), pull.data(), bag.instances);
  Values dh(network.hidden);
  for (std::size_t k = 0; k < bag.instances; ++k) {
    std::ranges::fill(dh, 0.0);
    add_scaled(dh.data(), network.c.data(), pass.a[k] * slope, network.hidden);
    attention_back(network, pass, k, pass.a[k] * (pull[k] - mean), gradient, dh.data());
    embedding_back(network, bag, pass, k, dh.data(), gradient);
  }
}

}  // namespace

std::array<std::vector<double>*, AttentionNetwork::kArrays> AttentionNetwork::arrays() {
  return {&W1, &b1, &V, &bV, &U, &bU, &w, &c, &bw, &bc};
}

std::array<const std::vector<double>*, AttentionNetwork::kArrays> AttentionNetwork::arrays() const {
  return {&W1, &b1, &V, &bV, &U, &bU, &w, &c, &bw, &bc};
}

AttentionAnswer ask(const AttentionNetwork& network, const Bag& bag) {
  if (bag.instances == 0) {
    const double rate = network.base_rate;
    return {rate, std::log(rate) - std::log1p(-rate), {}};
  }
  Pass pass;
  go_forward(network, bag, pass);
  return {logistic(pass.logit / network.temperature + network.shift), pass.logit, std::move(pass.a)};
}

double add_gradient(const AttentionNetwork& network, const Bag& bag, bool positive,
                    AttentionNetwork& gradient) {
  constexpr double kLeast = 1e-5;
  thread_local Pass pass;
  go_forward(network, bag, pass);
  const double p = logistic(pass.logit);
  go_back(network, bag, pass, p - (positive ? 1 : 0), gradient);
  return -std::log(std::clamp(positive ? p : 1 - p, kLeast, 1 - kLeast));
}

}  // namespace capella::method::mln
