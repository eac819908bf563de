// FOIL-style sets: see include/capella/foil_set.h.
//
// Each image has its own stream of random numbers, so what happens to one depends on no other, on no order
// and on no number of threads. An image's possible exchanges are tried in the order its stream gives; the
// first whose noun the parser, too, takes for a noun is used.
#include "capella/foil_set.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/hash.h"
#include "base/json_text.h"
#include "base/random.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "pipeline/noun_exchange.h"
#include "pipeline/prepared_run.h"
#include "world/foil_nouns.h"

namespace capella {
namespace {

using pipeline::NamedThings;
using pipeline::NounPlace;
using world::FoilNoun;

constexpr std::size_t kImagesPerPiece = 256;  // images that one thread does together
constexpr std::size_t kBlock = 8192;          // images after which it is seen whether there are enough pairs

class FoilMaker {
 public:
  FoilMaker(const Dataset& references, std::uint64_t seed, ThreadPool& pool)
      : references_(references),
        seed_(seed),
        exchange_(references, nouns_, pool),
        parser_(pipeline::open_parser()) {}

  /// The pairs of some images, nothing where there can be none.
  void make(std::span<const std::size_t> images, std::span<std::optional<FoilPair>> pairs) const;

 private:
  /// An image on its way to a pair.
  struct Candidate {
    std::size_t image;
    std::size_t place;  // among the images that were asked for
    Random random;
    NamedThings things;  // the places that are left to be tried, the next one last
  };

  Random random_of(std::size_t image) const {
    return Random(hash_combine(hash_combine(seed_, 0xF011), hash_bytes(references_.id(image))));
  }
  Candidate look_at(std::size_t image, std::size_t place) const;
  FoilPair exchange(Candidate& candidate, const NounPlace& place) const;

  const Dataset& references_;
  std::uint64_t seed_;
  world::FoilNouns nouns_;
  pipeline::NounExchange exchange_;
  std::unique_ptr<const syntax::CaptionParser> parser_;
};

// What can be exchanged is what has a replacement.
FoilMaker::Candidate FoilMaker::look_at(std::size_t image, std::size_t place) const {
  Candidate candidate{image, place, random_of(image), exchange_.look_at(image)};
  NamedThings& things = candidate.things;
  if (references_.references(image).size() < 2) things.places.clear();
  std::erase_if(things.places, [&](const NounPlace& one) {
    return exchange_.replacements(things.mentioned, exchange_.noun_of(one)).empty();
  });
  shuffle(things.places, candidate.random);
  std::reverse(things.places.begin(), things.places.end());
  return candidate;
}

FoilPair FoilMaker::exchange(Candidate& candidate, const NounPlace& place) const {
  const auto captions = references_.references(candidate.image);
  const std::string_view caption = captions[place.caption];
  const FoilNoun& noun = exchange_.noun_of(place);
  const auto fitting = exchange_.replacements(candidate.things.mentioned, noun);
  const FoilNoun& foil = nouns_.nouns()[exchange_.draw(fitting, candidate.random)];
  FoilPair pair{std::string(references_.id(candidate.image)),
                std::string(caption),
                world::exchange_noun(caption, place.mention, foil.text),
                {},
                noun.text,
                foil.text};
  for (const std::string_view other : captions) {
    if (other != caption) pair.references.emplace_back(other);
  }
  return pair;
}

// In rounds: all images' next exchanges are parsed together, and those that fail go into the next round.
void FoilMaker::make(std::span<const std::size_t> images, std::span<std::optional<FoilPair>> pairs) const {
  std::vector<Candidate> open;
  for (std::size_t place = 0; place < images.size(); ++place) open.push_back(look_at(images[place], place));
  while (true) {
    std::erase_if(open, [](const Candidate& candidate) { return candidate.things.places.empty(); });
    if (open.empty()) return;
    std::vector<std::string_view> captions;
    for (const Candidate& candidate : open) {
      captions.push_back(references_.references(candidate.image)[candidate.things.places.back().caption]);
    }
    const auto trees = parser_->parse(captions);
    for (std::size_t i = 0; i < open.size(); ++i) {
      std::vector<NounPlace>& places = open[i].things.places;
      const NounPlace next = std::move(places.back());
      places.pop_back();
      if (!pipeline::is_noun_there(trees[i], captions[i], next.mention, exchange_.noun_of(next))) continue;
      FoilPair pair = exchange(open[i], next);
      if (pair.references.empty()) continue;
      pairs[open[i].place] = std::move(pair);
      places.clear();
    }
  }
}

// Makes the pairs of the images, in pieces.
std::vector<std::optional<FoilPair>> make_pairs(const FoilMaker& maker, std::span<const std::size_t> images,
                                                ThreadPool& pool) {
  std::vector<std::optional<FoilPair>> pairs(images.size());
  pool.parallel_for((images.size() + kImagesPerPiece - 1) / kImagesPerPiece, [&](std::size_t piece) {
    const std::size_t first = piece * kImagesPerPiece;
    const std::size_t count = std::min(kImagesPerPiece, images.size() - first);
    maker.make(images.subspan(first, count), std::span(pairs).subspan(first, count));
  });
  return pairs;
}

}  // namespace

std::vector<FoilPair> make_foil_set(const Dataset& references, const FoilSetOptions& options) {
  ThreadPool pool(options.threads);
  const FoilMaker maker(references, options.seed, pool);
  const std::vector<std::size_t> order = pipeline::drawn_order(references, options.seed);
  const std::size_t wanted = options.pairs == 0 ? order.size() : options.pairs;
  const std::size_t blocks = (order.size() + kBlock - 1) / kBlock;
  StepCounter steps(options.progress, "exchanging", blocks);
  std::vector<std::pair<std::size_t, FoilPair>> made;
  for (std::size_t block = 0; block < blocks && made.size() < wanted; ++block) {
    const auto images =
        std::span(order).subspan(block * kBlock, std::min(kBlock, order.size() - block * kBlock));
    std::vector<std::optional<FoilPair>> pairs = make_pairs(maker, images, pool);
    for (std::size_t i = 0; i < pairs.size() && made.size() < wanted; ++i) {
      if (pairs[i]) made.emplace_back(images[i], *std::move(pairs[i]));
    }
    steps.done();
  }
  if (made.empty()) {
    throw DataError(
        "no caption has a noun that can be exchanged: expected English captions, two or more per image, that "
        "name things of COCO's categories");
  }
  std::sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<FoilPair> set;
  for (auto& [image, pair] : made) set.push_back(std::move(pair));
  return set;
}

std::string foil_set_lines(std::span<const FoilPair> pairs) {
  std::string lines;
  for (const FoilPair& pair : pairs) {
    const nlohmann::ordered_json row = {
        {"image_id", pair.image},        {"caption", pair.caption},         {"foil", pair.foil},
        {"references", pair.references}, {"target_word", pair.target_word}, {"foil_word", pair.foil_word}};
    lines += json_text(row) + '\n';
  }
  return lines;
}

}  // namespace capella
