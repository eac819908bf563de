#include "reference/attention_reference.h"

#include <cmath>

namespace capella::reference {
namespace {

using Row = std::vector<long double>;
using Rows = std::vector<Row>;

struct Sums {
  Rows embedding, before_relu;  // [instance][hidden]
  Rows tangent, gate;           // [instance][attention]
  Row score;
};

long double sigmoid(long double x) {
  return 1 / (1 + std::exp(-x));
}

// weights of row `output` times x, plus its bias.
long double linear(const std::vector<double>& weights, const std::vector<double>& biases, std::size_t output,
                   const Row& x) {
  long double sum = biases[output];
  for (std::size_t i = 0; i < x.size(); ++i) sum += weights[output * x.size() + i] * x[i];
  return sum;
}

Sums sums_of(const method::mln::AttentionNetwork& network, const method::mln::Bag& bag) {
  Sums sums;
  for (std::size_t k = 0; k < bag.instances; ++k) {
    Row u, h, t, s;
    for (std::size_t i = 0; i < network.inputs; ++i) u.push_back(bag.rows[k * network.inputs + i]);
    for (std::size_t m = 0; m < network.hidden; ++m)
      h.push_back(network.W1.empty() ? u[m] : linear(network.W1, network.b1, m, u));
    sums.before_relu.push_back(h);
    if (!network.W1.empty()) {
      for (long double& x : h) x = x > 0 ? x : 0;
    }
    long double score = network.bw[0];
    for (std::size_t l = 0; l < network.attention; ++l) {
      t.push_back(std::tanh(linear(network.V, network.bV, l, h)));
      s.push_back(network.gated ? sigmoid(linear(network.U, network.bU, l, h)) : 1);
      score += network.w[l] * t[l] * s[l];
    }
    sums.embedding.push_back(h);
    sums.tangent.push_back(t);
    sums.gate.push_back(s);
    sums.score.push_back(score);
  }
  return sums;
}

enum Array { kW1, kB1, kV, kBV, kU, kBU, kW, kC, kBW, kBC };

// The share of one instance in the gradient. `g` is the slope in the logit, `ge` that in its score.
void add_instance(const method::mln::AttentionNetwork& network, const method::mln::Bag& bag, const Sums& sums,
                  std::size_t k, long double a, long double g, long double ge, Rows& out) {
  const std::size_t hidden = network.hidden;
  const Row& h = sums.embedding[k];
  Row dh(hidden);
  for (std::size_t m = 0; m < hidden; ++m) {
    dh[m] = a * g * network.c[m];
    out[kC][m] += g * a * h[m];
  }
  out[kBW][0] += ge;
  for (std::size_t l = 0; l < network.attention; ++l) {
    const long double t = sums.tangent[k][l];
    const long double s = sums.gate[k][l];
    const long double dv = ge * network.w[l] * (1 - t * t) * s;
    const long double du = network.gated ? ge * network.w[l] * t * s * (1 - s) : 0;
    out[kW][l] += ge * t * s;
    out[kBV][l] += dv;
    if (network.gated) out[kBU][l] += du;
    for (std::size_t m = 0; m < hidden; ++m) {
      out[kV][l * hidden + m] += dv * h[m];
      dh[m] += network.V[l * hidden + m] * dv;
      if (!network.gated) continue;
      out[kU][l * hidden + m] += du * h[m];
      dh[m] += network.U[l * hidden + m] * du;
    }
  }
  for (std::size_t m = 0; m < hidden && !network.W1.empty(); ++m) {
    if (sums.before_relu[k][m] <= 0) continue;
    out[kB1][m] += dh[m];
    for (std::size_t i = 0; i < network.inputs; ++i)
      out[kW1][m * network.inputs + i] += dh[m] * bag.rows[k * network.inputs + i];
  }
}

}  // namespace

AttentionReference attention_reference(const method::mln::AttentionNetwork& network,
                                       const method::mln::Bag& bag, bool positive) {
  const Sums sums = sums_of(network, bag);
  AttentionReference out;
  long double total = 0;
  for (const long double score : sums.score) total += std::exp(score);
  for (const long double score : sums.score) out.attention.push_back(std::exp(score) / total);
  Row worth(bag.instances);  // c . h of each instance
  out.logit = network.bc[0];
  for (std::size_t k = 0; k < bag.instances; ++k) {
    for (std::size_t m = 0; m < network.hidden; ++m) worth[k] += network.c[m] * sums.embedding[k][m];
    out.logit += out.attention[k] * worth[k];
  }
  out.probability = sigmoid(out.logit);
  out.loss = -std::log(positive ? out.probability : 1 - out.probability);
  for (const auto* const values : network.arrays()) out.gradient.emplace_back(values->size());
  const long double g = out.probability - (positive ? 1 : 0);
  long double mean = 0;
  for (std::size_t k = 0; k < bag.instances; ++k) mean += out.attention[k] * worth[k];
  out.gradient[kBC][0] = g;
  for (std::size_t k = 0; k < bag.instances; ++k)
    add_instance(network, bag, sums, k, out.attention[k], g, out.attention[k] * g * (worth[k] - mean),
                 out.gradient);
  return out;
}

}  // namespace capella::reference
