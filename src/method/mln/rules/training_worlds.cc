#include "method/mln/rules/training_worlds.h"

#include <algorithm>
#include <string_view>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "logic/ground/ground.h"
#include "method/mln/rules/training_images.h"
#include "method/mln/rules/training_rows.h"

namespace capella::method::mln {
namespace {

constexpr std::size_t kImagesPerPiece = 64;

// Which atoms the image's triplets make true. Those that no grounding mentions are not there.
std::vector<bool> truth_of(const logic::GroundNetwork& ground, const logic::Network& network,
                           const TrainingImage& image) {
  tsl::robin_map<std::string_view, logic::AtomId, StringHash> atoms;
  for (logic::AtomId atom = 0; atom < ground.atoms(); ++atom) atoms.emplace(ground.name(atom), atom);
  std::vector<bool> truth(ground.atoms());
  for (const TrueAtom& fact : image.atoms) {
    const logic::ConstantId arguments[] = {fact.subject, fact.object};
    const auto found = atoms.find(logic::atom_name(network, fact.predicate, arguments));
    if (found != atoms.end()) truth[found->second] = true;
  }
  return truth;
}

logic::GroundNetwork ground_image(const logic::Network& network, const TrainingImage& image) {
  logic::GroundOptions options;
  options.constants = image.constants;
  options.list_all_atoms = false;
  return logic::ground(network, nullptr, options);
}

// Calls work(image, rows) for all images, and puts their rows one behind the other.
template <class Work>
logic::PseudoRows rows_of_images(const logic::Network& network, const std::vector<TrainingImage>& images,
                                 const WorldOptions& options, Work work) {
  const std::size_t pieces = (images.size() + kImagesPerPiece - 1) / kImagesPerPiece;
  std::vector<logic::PseudoRows> parts(pieces, logic::PseudoRows(network.formulas.size()));
  ThreadPool pool(options.threads);
  StepCounter steps(options.progress, "worlds", pieces);
  pool.parallel_for(pieces, [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kImagesPerPiece, images.size());
    for (std::size_t k = piece * kImagesPerPiece; k < end; ++k) work(images[k], parts[piece]);
    steps.done();
  });
  logic::PseudoRows rows(network.formulas.size());
  for (logic::PseudoRows& part : parts) {
    rows.append(part);
    part = logic::PseudoRows(0);
  }
  return rows;
}

}  // namespace

GroundWorlds training_worlds(const logic::Network& network, std::span<const io::TripletRow> rows,
                             const WorldOptions& options) {
  const std::vector<TrainingImage> images = read_images(network, rows, options.merged);
  GroundWorlds out;
  out.networks.resize(images.size());
  out.worlds.resize(images.size());
  ThreadPool pool(options.threads);
  StepCounter steps(options.progress, "worlds", images.size());
  pool.parallel_for(images.size(), [&](std::size_t k) {
    out.networks[k] = std::make_unique<logic::GroundNetwork>(ground_image(network, images[k]));
    out.worlds[k] = {images[k].name, out.networks[k].get(), truth_of(*out.networks[k], network, images[k])};
    steps.done();
  });
  return out;
}

logic::PseudoRows training_rows(const logic::Network& network, std::span<const io::TripletRow> rows,
                                const WorldOptions& options) {
  const std::optional<ConjunctionNetwork> conjunctions = ConjunctionNetwork::make(network);
  if (conjunctions) {
    const std::vector<TrainingImage> images = read_images(network, rows, options.merged);
    return rows_of_images(network, images, options, [&](const TrainingImage& image, logic::PseudoRows& part) {
      conjunctions->add_world(image, options.per_predicate, part);
    });
  }
  const GroundWorlds worlds = training_worlds(network, rows, options);
  ThreadPool pool(options.threads);
  return logic::collect_rows(worlds.worlds, options.per_predicate, pool);
}

std::vector<double> formula_weights(const logic::Network& network) {
  std::vector<double> weights;
  for (const logic::Formula& formula : network.formulas) weights.push_back(formula.weight.value_or(0));
  return weights;
}

}  // namespace capella::method::mln
