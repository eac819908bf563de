// The authors' published networks: each image's rules with its own weights, one small network per image.
#include <algorithm>
#include <cmath>
#include <map>

#include "capella/logic.h"

#include "base/hash.h"
#include "base/step_counter.h"
#include "base/stopwatch.h"
#include "base/thread_pool.h"
#include "io/published_rules.h"
#include "logic/exact/elimination.h"
#include "logic/factor_graph.h"
#include "logic/gibbs/gibbs_sum_exp.h"
#include "pipeline/logic_run.h"

namespace capella {
namespace pipeline {
namespace {

// The network of an image: its triplets, and the rules whose first weight is not 0.
struct ImageNetwork {
  std::vector<std::uint32_t> atoms;       // of the file, ascending
  std::vector<logic::Literal> literals;   // of all rules, one behind the other
  std::vector<std::size_t> starts = {0};  // of each rule's literals
  std::vector<double> weights;

  std::size_t rules() const { return weights.size(); }
  std::span<const logic::Literal> rule(std::size_t k) const {
    return std::span(literals).subspan(starts[k], starts[k + 1] - starts[k]);
  }
};

ImageNetwork network_of(const io::PublishedImage& image) {
  ImageNetwork network;
  for (const io::PublishedRule& rule : image.rules) {
    if (rule.w0 != 0) network.atoms.insert(network.atoms.end(), rule.atoms.begin(), rule.atoms.end());
  }
  std::ranges::sort(network.atoms);
  network.atoms.erase(std::unique(network.atoms.begin(), network.atoms.end()), network.atoms.end());
  for (const io::PublishedRule& rule : image.rules) {
    if (rule.w0 == 0) continue;
    const auto start = static_cast<std::ptrdiff_t>(network.literals.size());
    for (const std::uint32_t atom : rule.atoms) {
      const auto place = std::ranges::lower_bound(network.atoms, atom) - network.atoms.begin();
      network.literals.emplace_back(static_cast<logic::AtomId>(place));
    }
    std::sort(network.literals.begin() + start, network.literals.end());
    network.literals.erase(std::unique(network.literals.begin() + start, network.literals.end()),
                           network.literals.end());
    network.starts.push_back(network.literals.size());
    network.weights.push_back(rule.w0);
  }
  return network;
}

logic::GroundNetwork ground(const ImageNetwork& image, const std::vector<std::string>& names) {
  logic::GroundNetwork ground;
  for (const std::uint32_t atom : image.atoms) ground.add_atom(names[atom]);
  for (std::size_t k = 0; k < image.rules(); ++k) {
    ground.formulas.push_back({"", image.weights[k], 0});
    ground.add(logic::GroundFormula::Kind::conjunction, static_cast<std::uint32_t>(k), 1, image.rule(k));
  }
  return ground;
}

// Solves one network after the other; memory is kept from one to the next.
class ImageSolver {
 public:
  ImageSolver(const logic::SolverOptions& options, const std::vector<std::string>& names)
      : options_(options), names_(names) {
    options_.gibbs.threads = 1;
    options_.gibbs.progress = {};
  }

  /// `sum_exp`: the authors' own formula, too.
  PublishedNetworks::Image solve(const std::string& id, const ImageNetwork& image, bool sum_exp) {
    PublishedNetworks::Image result;
    result.id = id;
    const logic::GroundNetwork network = ground(image, names_);
    std::vector<double> p(network.atoms());
    if (!eliminate(network, p, result)) ask(network, p, result);
    for (std::size_t atom = 0; atom < p.size(); ++atom)
      result.marginals.emplace_back(names_[image.atoms[atom]], p[atom]);
    if (sum_exp) result.sum_exp = logic::sum_exp_neutral(network);
    return result;
  }

 private:
  // False if another method is wanted, or the tables are too large.
  bool eliminate(const logic::GroundNetwork& network, std::vector<double>& p,
                 PublishedNetworks::Image& result) {
    const bool automatic = options_.method == logic::Method::automatic;
    if (!automatic && options_.method != logic::Method::exact) return false;
    simplifier_.run(network, {}, simplified_);
    if (!elimination_.compile(simplified_.graph,
                              automatic ? options_.most_entries : options_.hard_most_entries))
      return false;
    result.log_z = elimination_.solve(by_variable_);
    result.method = logic::method_name(logic::Method::exact);
    for (std::size_t atom = 0; atom < p.size(); ++atom) {
      const logic::AtomPlace place = simplified_.places[atom];
      p[atom] = place.is_variable() ? by_variable_[place.variable] : .5;
    }
    return true;
  }

  void ask(const logic::GroundNetwork& network, std::vector<double>& p, PublishedNetworks::Image& result) {
    logic::SolverOptions options = options_;
    options.gibbs.seed = hash_combine(options_.gibbs.seed, hash_bytes(result.id));
    logic::Solver solver(network, options);
    result.method = logic::method_name(solver.method());
    result.log_z = solver.log_z();
    p = solver.marginals();
    if (const logic::GibbsResult* sampled = solver.sampling()) result.mcse = sampled->mcse;
  }

  logic::SolverOptions options_;
  const std::vector<std::string>& names_;
  logic::Simplifier simplifier_;
  logic::Simplified simplified_;
  logic::Elimination elimination_;
  std::vector<double> by_variable_;
};

void count_methods(PublishedNetworks& result) {
  std::map<std::string, std::size_t> counts;
  for (const PublishedNetworks::Image& image : result.images) {
    ++counts[image.method];
    result.most_atoms = std::max(result.most_atoms, image.marginals.size());
  }
  result.methods.assign(counts.begin(), counts.end());
}

void compare_with_sum_exp(PublishedNetworks& result) {
  double sum = 0;
  double atoms = 0;
  for (const PublishedNetworks::Image& image : result.images) {
    for (std::size_t atom = 0; atom < image.marginals.size(); ++atom) {
      const double difference = std::abs(image.sum_exp[atom] - image.marginals[atom].second);
      sum += difference;
      ++atoms;
      result.most_difference = std::max(result.most_difference, difference);
    }
  }
  if (atoms > 0) result.mean_difference = sum / atoms;
}

}  // namespace
}  // namespace pipeline

PublishedNetworks infer_published(const std::string& rules, const std::string& parameters,
                                  const InferenceOptions& options) {
  constexpr std::size_t kPiece = 64;  // images that one call does
  InferenceOptions inference = options;
  inference.sum_exp = false;  // is computed beside the probabilities
  const logic::SolverOptions solver_options = pipeline::solver_options(inference);
  const io::PublishedParameters read = io::read_published_rules(rules, parameters);
  PublishedNetworks result;
  result.networks = read.images.size();
  result.rules = read.rules;
  result.unknown_rules = read.unknown_rules;
  const Stopwatch watch;
  ThreadPool pool(options.threads);
  const std::size_t pieces = (read.images.size() + kPiece - 1) / kPiece;
  std::vector<PublishedNetworks::Image> images(read.images.size());
  StepCounter steps(options.progress, "networks", pieces);
  pool.parallel_for(pieces, [&](std::size_t piece) {
    pipeline::ImageSolver solver(solver_options, read.atoms);
    for (std::size_t k = piece * kPiece; k < std::min((piece + 1) * kPiece, images.size()); ++k) {
      const pipeline::ImageNetwork network = pipeline::network_of(read.images[k]);
      if (network.rules() > 0) images[k] = solver.solve(read.images[k].id, network, options.sum_exp);
    }
    steps.done();
  });
  result.seconds = watch.seconds();
  std::erase_if(images, [](const PublishedNetworks::Image& image) { return image.method.empty(); });
  result.images = std::move(images);
  pipeline::count_methods(result);
  if (options.sum_exp) pipeline::compare_with_sum_exp(result);
  return result;
}

}  // namespace capella
