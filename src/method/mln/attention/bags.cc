#include "method/mln/attention/bags.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::method::mln {
namespace {

// Where a box lies: in pixels, or as shares of the image.
std::array<double, 4> box_numbers(const io::ImageObjects& image, std::size_t object, bool pixel_boxes) {
  std::array<double, 4> box = image.objects[object].box;
  if (pixel_boxes) return box;
  if (!(image.width > 0 && image.height > 0))
    throw DataError(
        fmt::format("image {}: its row of objects has no width and height, expected both; add them, or let "
                    "boxes be taken in pixels",
                    excerpt(image.image)));
  for (std::size_t i = 0; i < box.size(); ++i) box[i] /= i % 2 == 0 ? image.width : image.height;
  return box;
}

}  // namespace

std::vector<std::uint16_t> objects_called(const io::ImageObjects& image, std::string_view word) {
  constexpr std::size_t kMostObjects = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;
  if (image.objects.size() > kMostObjects)
    throw DataError(
        fmt::format("image {}: {} objects, expected {} or fewer; leave out those that the detector is "
                    "least sure of",
                    excerpt(image.image), image.objects.size(), kMostObjects));
  std::vector<std::uint16_t> found;
  for (std::size_t i = 0; i < image.objects.size(); ++i) {
    if (image.objects[i].is_called(word)) found.push_back(static_cast<std::uint16_t>(i));
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [&](std::uint16_t i) { return image.objects[i].score; });
  if (found.size() > kRegions) found.resize(kRegions);
  return found;
}

void fill_bag(const io::ImageObjects& image, const io::Matrix& features,
              std::span<const std::uint16_t> subjects, std::span<const std::uint16_t> objects,
              bool pixel_boxes, Bag& bag) {
  bag.instances = 0;
  bag.rows.clear();
  bag.pairs.clear();
  for (const std::size_t subject : subjects) {
    for (const std::size_t object : objects) {
      if (subject == object) continue;
      for (const std::size_t one : {subject, object}) {
        const auto row = features.row(one);
        bag.rows.insert(bag.rows.end(), row.begin(), row.end());
      }
      for (const std::size_t one : {subject, object}) {
        const auto box = box_numbers(image, one, pixel_boxes);
        bag.rows.insert(bag.rows.end(), box.begin(), box.end());
      }
      bag.pairs.emplace_back(subject, object);
      ++bag.instances;
    }
  }
}

Bag make_bag(const io::ImageObjects& image, const io::Matrix& features, const io::Triplet& atom,
             bool pixel_boxes) {
  Bag bag;
  fill_bag(image, features, objects_called(image, atom.subject), objects_called(image, atom.object),
           pixel_boxes, bag);
  return bag;
}

ToldImages::ToldImages(std::span<const io::ImageObjects> images, std::span<const io::TripletRow> rows)
    : images_(images), known_(images.size()) {
  std::map<std::string_view, std::uint32_t> places;
  for (std::uint32_t place = 0; place < images.size(); ++place) {
    places.emplace(images[place].image, place);
    add_words(place);
  }
  for (const io::TripletRow& row : rows) add_row(row, places);
  for (Image& image : known_) {
    std::ranges::sort(image.told);
    image.told.erase(std::unique(image.told.begin(), image.told.end()), image.told.end());
  }
}

std::uint32_t ToldImages::number(Numbers& numbers, const std::string& text) {
  return numbers.emplace(text, static_cast<std::uint32_t>(numbers.size())).first->second;
}

void ToldImages::add_words(std::uint32_t place) {
  std::map<std::string_view, bool> words;
  for (const io::DetectedObject& object : images_[place].objects) {
    for (const std::string& alias : object.aliases) words.emplace(alias, false);
  }
  for (const io::DetectedObject& object : images_[place].objects) words[object.label] = true;
  Image& image = known_[place];
  for (const auto& [word, is_label] : words)
    image.words.push_back(
        {number(words_, std::string(word)), is_label, objects_called(images_[place], word)});
  std::ranges::sort(image.words, {}, &Word::word);
}

void ToldImages::add_row(const io::TripletRow& row, const std::map<std::string_view, std::uint32_t>& places) {
  const bool train = row.split == "train" || row.split == "restval";
  const auto place = places.find(row.image);
  if (place == places.end() || (!train && row.split != "val")) return;
  Image& image = known_[place->second];
  const Part part = train ? Part::train : Part::held_out;
  if (image.used && image.part != part)
    throw DataError(
        fmt::format("image {}: its triplets are partly of split {} and partly of another; expected "
                    "one split for each image",
                    excerpt(row.image), row.split));
  image.used = true;
  image.part = part;
  for (const io::Triplet& triplet : row.triplets) {
    const auto subject = words_.find(triplet.subject);
    const auto object = words_.find(triplet.object);
    if (subject == words_.end() || object == words_.end()) continue;
    if (is_empty({place->second, subject->second, object->second})) continue;
    image.told.push_back({number(predicates_, triplet.predicate), subject->second, object->second});
  }
}

std::vector<std::string> ToldImages::predicates(std::size_t least) const {
  std::vector<std::size_t> counts(predicates_.size());
  for (const Image& image : known_) {
    if (image.part != Part::train) continue;
    for (const Told& told : image.told) ++counts[told.predicate];
  }
  std::vector<std::string> names;
  for (const auto& [name, predicate] : predicates_) {
    if (counts[predicate] >= least) names.push_back(name);
  }
  return names;
}

ToldImages::Domain ToldImages::domain(std::uint32_t predicate) const {
  Domain domain{std::vector<bool>(words_.size()), std::vector<bool>(words_.size())};
  for (const Image& image : known_) {
    if (image.part != Part::train) continue;
    for (const Told& told : image.told) {
      if (told.predicate != predicate) continue;
      domain.subjects[told.subject] = true;
      domain.objects[told.object] = true;
    }
  }
  return domain;
}

PlacedPairs ToldImages::pairs(std::string_view name, Part part, Negatives kind) const {
  PlacedPairs out;
  const auto predicate = predicates_.find(name);
  if (predicate == predicates_.end()) return out;
  const Domain seen = domain(predicate->second);
  for (std::uint32_t place = 0; place < known_.size(); ++place) {
    if (known_[place].used && known_[place].part == part)
      add_others(place, predicate->second, kind, seen, out);
  }
  return out;
}

void ToldImages::add_others(std::uint32_t place, std::uint32_t predicate, Negatives kind,
                            const Domain& domain, PlacedPairs& out) const {
  std::vector<PairPlace> told;
  for (const Told& one : known_[place].told) {
    if (one.predicate == predicate) told.push_back({place, one.subject, one.object});
  }
  for (const PairPlace& pair : candidates(place, predicate, kind, domain, told)) {
    const bool same_objects =
        std::ranges::any_of(told, [&](const PairPlace& other) { return overlap(pair, other); });
    if (!same_objects && !is_empty(pair)) out.others.push_back(pair);
  }
  out.told.insert(out.told.end(), told.begin(), told.end());
}

std::vector<PairPlace> ToldImages::candidates(std::uint32_t place, std::uint32_t predicate, Negatives kind,
                                              const Domain& domain, std::span<const PairPlace> told) const {
  const Image& image = known_[place];
  std::set<PairPlace> found;
  if (kind == Negatives::other_predicates || kind == Negatives::mentioned) {
    for (const Told& one : image.told) {
      const bool possible = domain.subjects[one.subject] && domain.objects[one.object];
      if (one.predicate != predicate && (possible || kind == Negatives::other_predicates))
        found.insert({place, one.subject, one.object});
    }
    return {found.begin(), found.end()};
  }
  if (kind == Negatives::mismatch && told.empty()) return {};
  for (const Word& a : image.words) {
    for (const Word& b : image.words) {
      const bool possible = domain.subjects[a.word] && domain.objects[b.word];
      if (kind == Negatives::mismatch ? a.is_label && b.is_label : possible)
        found.insert({place, a.word, b.word});
    }
  }
  return {found.begin(), found.end()};
}

std::span<const std::uint16_t> ToldImages::objects(std::uint32_t image, std::uint32_t word) const {
  const auto& words = known_[image].words;
  const auto found = std::ranges::lower_bound(words, word, {}, &Word::word);
  if (found == words.end() || found->word != word) return {};
  return found->objects;
}

bool ToldImages::is_empty(const PairPlace& pair) const {
  const auto subjects = objects(pair.image, pair.subject);
  const auto others = objects(pair.image, pair.object);
  if (subjects.empty() || others.empty()) return true;
  return subjects.size() == 1 && others.size() == 1 && subjects[0] == others[0];
}

// Whether an instance is in both bags: words may share objects.
bool ToldImages::overlap(const PairPlace& a, const PairPlace& b) const {
  for (const std::uint16_t subject : objects(a.image, a.subject)) {
    if (std::ranges::count(objects(b.image, b.subject), subject) == 0) continue;
    for (const std::uint16_t object : objects(a.image, a.object)) {
      if (object != subject && std::ranges::count(objects(b.image, b.object), object) > 0) return true;
    }
  }
  return false;
}

std::vector<std::uint32_t> ToldImages::used_images() const {
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; place < known_.size(); ++place) {
    if (known_[place].used && known_[place].words.size() > 0) places.push_back(place);
  }
  return places;
}

FeatureStore::FeatureStore(std::span<const io::ImageObjects> images, std::span<const std::uint32_t> places,
                           std::size_t bytes)
    : images_(images), kept_(images.size()) {
  for (const std::uint32_t place : places) {
    if (bytes == 0 && width_ > 0) break;
    const auto matrix = read(place);
    width_ = matrix->columns;
    if (bytes > 0) kept_[place] = matrix;
    bytes -= std::min(bytes, matrix->values.size() * sizeof(float));
  }
}

std::shared_ptr<const io::Matrix> FeatureStore::read(std::uint32_t place) const {
  auto matrix = std::make_shared<const io::Matrix>(io::read_object_features(images_[place]));
  if (width_ > 0 && matrix->columns != width_)
    throw DataError(fmt::format("{}: {} numbers for each object, expected {} as in the other files",
                                images_[place].features, matrix->columns, width_));
  return matrix;
}

std::shared_ptr<const io::Matrix> FeatureStore::of(std::uint32_t place) const {
  return kept_[place] ? kept_[place] : read(place);
}

}  // namespace capella::method::mln
