#include "method/mln/image_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::method::mln {
namespace {

constexpr double kSurest = 1e-6;  // no box makes a relation certain

double log_odds(double p) {
  p = std::clamp(p, kSurest, 1 - kSurest);
  return std::log(p / (1 - p));
}

// What the boxes add to how probable the relation is without them. The rules' own weights know how often a
// relation is told, so that must not count again.
double said_by_boxes(double p, double base_rate, double tau) {
  const double odds = tau * (log_odds(p) - log_odds(base_rate));
  return std::clamp(1 / (1 + std::exp(-odds)), kSurest, 1 - kSurest);
}

// Claims are about two things.
void check_predicate(const logic::Predicate& predicate, const std::string& source) {
  if (predicate.types.size() == 2) return;
  throw DataError(fmt::format(
      "{}:{}: predicate {} has {} argument{}, expected 2: a subject and an object; images are described by "
      "relations of two things",
      source, predicate.line, excerpt(predicate.name), predicate.types.size(),
      predicate.types.size() == 1 ? "" : "s"));
}

}  // namespace

ImageGrounder::ImageGrounder(const logic::Network& network, const AttentionModels* models,
                             const ImageGroundOptions& options)
    : models_(models), options_(options), grounder_(network) {
  for (logic::ConstantId id = 0; id < network.constants.size(); ++id) {
    constants_.emplace(network.constants[id].label, id);
    constant_labels_.push_back(network.constants[id].label);
  }
  for (const logic::Predicate& predicate : network.predicates) {
    check_predicate(predicate, network.source);
    predicate_labels_.push_back(predicate.label);
  }
}

Claim ImageGrounder::claim_of(std::span<const std::uint32_t> parts) const {
  return {constant_labels_[parts[1]], predicate_labels_[parts[0]], constant_labels_[parts[2]]};
}

void ImageGrounder::ask_objects(const io::ImageObjects& image, ImageNetwork& made) const {
  if (models_ == nullptr || options_.tau == 0 || made.atoms.empty()) return;
  if (image.features.empty())
    throw DataError(fmt::format(
        "image {}: its row of objects names no file of features, which networks of attention look at; add "
        "them, or ground without such networks",
        excerpt(image.image)));
  const io::Matrix features = io::read_object_features(image);
  for (logic::AtomId atom = 0; atom < made.atoms.size(); ++atom) {
    const AtomAnswer answer = ask_atom(*models_, image, features, made.atoms[atom]);
    if (answer.source == AtomSource::empty_bag) ++made.empty_bags;
    if (answer.source != AtomSource::network) continue;
    const double base_rate = models_->networks.find(made.atoms[atom].predicate)->second.base_rate;
    made.network.set_probability(atom, said_by_boxes(answer.probability, base_rate, options_.tau));
  }
}

ImageNetwork ImageGrounder::ground(const io::ImageObjects& image) const {
  std::set<std::string> things;
  std::set<logic::ConstantId> constants;
  const auto add = [&](const std::string& word) {
    const auto found = constants_.find(word);
    if (found != constants_.end()) constants.insert(found->second);
  };
  for (const io::DetectedObject& object : image.objects) {
    things.insert(object.label);
    add(object.label);
    if (options_.aliases) std::ranges::for_each(object.aliases, add);
  }
  logic::GroundOptions options;
  options.constants.emplace(constants.begin(), constants.end());
  options.list_all_atoms = false;
  ImageNetwork made;
  made.image = image.image;
  made.things.assign(things.begin(), things.end());
  made.network = grounder_.ground(nullptr, options);
  for (logic::AtomId atom = 0; atom < made.network.atoms(); ++atom)
    made.atoms.push_back(claim_of(made.network.parts(atom)));
  ask_objects(image, made);
  return made;
}

std::size_t ImageGrounder::without_model(const ImageNetwork& image) const {
  if (models_ == nullptr) return image.atoms.size();
  return static_cast<std::size_t>(std::ranges::count_if(
      image.atoms, [&](const Claim& claim) { return !models_->networks.contains(claim.predicate); }));
}

AtomIndex::AtomIndex(const ImageNetwork& image) : order_(image.atoms.size()), atoms_(image.atoms) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, {}, [&](std::size_t k) -> const Claim& { return atoms_[k]; });
}

std::size_t AtomIndex::find(const Claim& claim) const {
  const auto found =
      std::ranges::lower_bound(order_, claim, {}, [&](std::size_t k) -> const Claim& { return atoms_[k]; });
  return found != order_.end() && atoms_[*found] == claim ? *found : atoms_.size();
}

}  // namespace capella::method::mln
