#include "method/mln/rules/training_images.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/hash.h"
#include "base/names.h"

namespace capella::method::mln {
namespace {

using NumberOfWord = tsl::robin_map<std::string_view, std::uint32_t, StringHash>;

template <class Item>
void tidy(std::vector<Item>& items) {
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

/// Translates words into the network's numbers.
class Reader {
 public:
  explicit Reader(const logic::Network& network) {
    for (std::uint32_t k = 0; k < network.predicates.size(); ++k) {
      if (network.predicates[k].types.size() == 2) predicates_.try_emplace(network.predicates[k].label, k);
    }
    for (std::uint32_t k = 0; k < network.constants.size(); ++k)
      constants_.try_emplace(network.constants[k].label, k);
  }

  void read(const io::Triplet& triplet, TrainingImage& image) const {
    const auto predicate = predicates_.find(triplet.predicate);
    const auto subject = constants_.find(triplet.subject);
    const auto object = constants_.find(triplet.object);
    if (subject != constants_.end()) image.constants.push_back(subject->second);
    if (object != constants_.end()) image.constants.push_back(object->second);
    if (predicate == predicates_.end() || subject == constants_.end() || object == constants_.end()) return;
    image.atoms.push_back({predicate->second, subject->second, object->second});
  }

 private:
  NumberOfWord predicates_, constants_;
};

[[noreturn]] void nothing_known(const logic::Network& network, std::span<const io::TripletRow> rows) {
  std::string example;
  for (const io::TripletRow& row : rows) {
    if (row.triplets.empty()) continue;
    const io::Triplet& first = row.triplets[0];
    example = fmt::format(", the first being {} {} {}", excerpt(first.subject), excerpt(first.predicate),
                          excerpt(first.object));
    break;
  }
  throw DataError(fmt::format(
      "none of the triplets in {} rows{} is known to {}, expected words that its //@pred and //@const "
      "lines hold; learn the structure from such triplets first",
      rows.size(), example, network.source.empty() ? "the network" : network.source));
}

}  // namespace

std::vector<TrainingImage> read_images(const logic::Network& network, std::span<const io::TripletRow> rows,
                                       bool merged) {
  const Reader reader(network);
  NumberOfWord places;
  std::vector<TrainingImage> images;
  for (const io::TripletRow& row : rows) {
    const std::string_view name = merged ? std::string_view("all images") : row.image;
    const auto [at, is_new] = places.try_emplace(name, static_cast<std::uint32_t>(images.size()));
    if (is_new) images.push_back({std::string(name), {}, {}});
    for (const io::Triplet& triplet : row.triplets) reader.read(triplet, images[at->second]);
  }
  bool known = false;
  for (TrainingImage& image : images) {
    tidy(image.constants);
    tidy(image.atoms);
    known = known || !image.atoms.empty();
  }
  if (!known) nothing_known(network, rows);
  return images;
}

}  // namespace capella::method::mln
