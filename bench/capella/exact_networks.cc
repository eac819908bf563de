// Exact inference on the networks of images that the authors of the Markov-logic paper published: log Z and
// all marginals of each, from networks in memory. Networks that are small enough are enumerated first, and
// both answers must agree.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "logic/exact/elimination.h"
#include "measure.h"

namespace capella::bench {
namespace {

constexpr std::size_t kMostEnumerated = 16;  // atoms
constexpr double kMostDifference = 1e-12;

using Order = nlohmann::ordered_json;

// {"s:p:o,s:p:o": [w0, w1], ...}: w0 is the weight of both atoms being true.
logic::GroundNetwork network_of(const Order& rules) {
  logic::GroundNetwork network;
  std::map<std::string, logic::AtomId> atoms;
  for (const auto& [rule, weights] : rules.items()) {
    const double weight = weights.at(0).get<double>();
    if (weight == 0) continue;
    std::vector<logic::Literal> literals;
    for (std::size_t start = 0; start <= rule.size();) {
      const std::size_t end = std::min(rule.find(',', start), rule.size());
      const auto [at, is_new] = atoms.try_emplace(rule.substr(start, end - start), network.atoms());
      if (is_new) network.add_atom(at->first);
      literals.emplace_back(at->second);
      start = end + 1;
    }
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    network.formulas.push_back({rule, weight, 0});
    network.add(logic::GroundFormula::Kind::conjunction,
                static_cast<std::uint32_t>(network.formulas.size() - 1), 1, literals);
  }
  return network;
}

std::vector<logic::GroundNetwork> read_networks(const std::string& path) {
  std::vector<logic::GroundNetwork> networks;
  std::ifstream file(path);
  const Order images = Order::parse(file);
  for (const auto& image : images.items()) {
    logic::GroundNetwork network = network_of(image.value());
    if (network.size() > 0) networks.push_back(std::move(network));
  }
  return networks;
}

class Exact {
 public:
  double solve(const logic::GroundNetwork& network) {
    simplifier_.run(network, {}, simplified_);
    return solve(simplified_.graph);
  }
  double solve(const logic::FactorGraph& graph) {
    if (!elimination_.compile(graph)) throw std::runtime_error("a network is too wide");
    return elimination_.solve(marginals_);
  }
  double marginal(logic::AtomId atom) const {
    const logic::AtomPlace place = simplified_.places[atom];
    return place.is_variable() ? marginals_[place.variable] : 0.5;
  }

 private:
  logic::Simplifier simplifier_;
  logic::Simplified simplified_;
  logic::Elimination elimination_;
  std::vector<double> marginals_;
};

void compare(const logic::GroundNetwork& network, Exact& exact) {
  double z = 0;
  std::vector<double> sums(network.atoms(), 0);
  for (std::size_t world = 0; world < std::size_t{1} << network.atoms(); ++world) {
    double log_weight = 0;
    for (std::size_t k = 0; k < network.size(); ++k) {
      std::size_t all = 0;
      for (const logic::Literal literal : network[k].literals) all |= std::size_t{1} << literal.atom();
      if ((world & all) == all) log_weight += network.weight(k);
    }
    const double weight = std::exp(log_weight);
    z += weight;
    for (std::size_t atom = 0; atom < sums.size(); ++atom) sums[atom] += (world >> atom & 1) ? weight : 0;
  }
  double difference = std::abs(exact.solve(network) - std::log(z)) / std::log(z);
  for (logic::AtomId atom = 0; atom < sums.size(); ++atom)
    difference = std::max(difference, std::abs(exact.marginal(atom) / (sums[atom] / z) - 1));
  if (!(difference <= kMostDifference))
    throw std::runtime_error(fmt::format("elimination differs from enumeration by {}", difference));
}

}  // namespace

nlohmann::json run_exact_networks(const Job& job) {
  const std::vector<logic::GroundNetwork> networks = read_networks(job.references);
  Exact exact;
  std::size_t compared = 0;
  for (const auto& network : networks) {
    if (network.atoms() > kMostEnumerated) continue;
    compare(network, exact);
    ++compared;
  }
  std::vector<logic::FactorGraph> graphs;
  for (const auto& network : networks) graphs.push_back(logic::simplify(network).graph);
  constexpr std::size_t kRounds = 50;  // one takes milliseconds
  double sum = 0;
  const auto all = [&](const auto& inputs) {
    return time_each(job.repetitions, [&](std::size_t) {
      sum = 0;
      for (std::size_t round = 0; round < kRounds; ++round) {
        for (const auto& input : inputs) sum += exact.solve(input);
      }
    });
  };
  const auto rate = [&](const Times& times) {
    const double best = *std::min_element(times.processor.begin(), times.processor.end());
    return static_cast<double>(kRounds * networks.size()) / best;
  };
  const double graphs_per_second = rate(all(graphs));
  const Times times = all(networks);
  nlohmann::json answer = measured(times);
  answer["values"] = {{"networks", networks.size()},
                      {"compared_with_enumeration", compared},
                      {"sum_log_z", sum / kRounds},
                      {"networks_per_second", rate(times)},
                      {"simplified_networks_per_second", graphs_per_second}};
  return answer;
}

}  // namespace capella::bench
