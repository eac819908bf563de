// FOIL-style sets: see include/capella/foil_set.h.
//
// Each image has its own stream of random numbers, so what happens to one depends on no other, on no order
// and on no number of threads. An image's possible exchanges are tried in the order its stream gives; the
// first whose noun the parser, too, takes for a noun is used.
#include "capella/foil_set.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "pipeline/prepared_run.h"
#include "world/foil_nouns.h"

namespace capella {
namespace {

using world::FoilMention;
using world::FoilNoun;
using world::FoilNouns;

constexpr std::size_t kPiece = 256;   // images that one thread does together
constexpr std::size_t kBlock = 8192;  // images after which it is seen whether there are enough pairs

// A noun of a caption that may be exchanged.
struct Exchange {
  std::size_t caption;
  FoilMention mention;
};

class FoilMaker {
 public:
  FoilMaker(const Dataset& references, std::uint64_t seed, ThreadPool& pool)
      : references_(references), seed_(seed), parser_(pipeline::open_parser()), counts_(count_nouns(pool)) {}

  /// The images in the order in which they are taken if not all are.
  std::vector<std::size_t> order() const;

  /// The pairs of some images, nothing where there can be none.
  void make(std::span<const std::size_t> images, std::span<std::optional<FoilPair>> pairs) const;

 private:
  /// An image on its way to a pair.
  struct Candidate {
    std::size_t image;
    std::size_t place;  // among the images that were asked for
    Random random;
    std::vector<bool> mentioned;  // per category, by any of the captions
    std::vector<Exchange> exchanges;
  };

  Random random_of(std::size_t image) const {
    return Random(hash_combine(hash_combine(seed_, 0xF011), hash_bytes(references_.id(image))));
  }
  std::vector<double> count_nouns(ThreadPool& pool) const;
  Candidate look_at(std::size_t image, std::size_t place) const;
  std::vector<std::uint32_t> replacements(const Candidate& candidate, const FoilNoun& noun) const;
  std::uint32_t draw_noun(Candidate& candidate, const FoilNoun& noun) const;
  FoilPair exchange(Candidate& candidate, const Exchange& exchange) const;

  const Dataset& references_;
  std::uint64_t seed_;
  FoilNouns nouns_;
  std::unique_ptr<const syntax::CaptionParser> parser_;
  std::vector<double> counts_;  // per noun, in all captions
};

std::vector<double> FoilMaker::count_nouns(ThreadPool& pool) const {
  const std::span<const std::string_view> captions = references_.all_references();
  const std::size_t pieces = (captions.size() + kPiece - 1) / kPiece;
  std::vector<std::vector<std::uint32_t>> found(pieces);
  pool.parallel_for(pieces, [&](std::size_t piece) {
    const auto mine = captions.subspan(piece * kPiece, std::min(kPiece, captions.size() - piece * kPiece));
    for (const std::string_view caption : mine) {
      for (const FoilMention& mention : nouns_.find(caption)) {
        if (mention.noun) found[piece].push_back(*mention.noun);
      }
    }
  });
  std::vector<double> counts(nouns_.nouns().size());
  for (const auto& piece : found) {
    for (const std::uint32_t noun : piece) ++counts[noun];
  }
  return counts;
}

std::vector<std::size_t> FoilMaker::order() const {
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  for (std::size_t image = 0; image < references_.size(); ++image) {
    keys.emplace_back(hash_combine(hash_combine(seed_, 0x5E7), hash_bytes(references_.id(image))), image);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> images;
  for (const auto& [key, image] : keys) images.push_back(image);
  return images;
}

// What can be exchanged: a noun whose category its caption mentions once, with a replacement to be had.
FoilMaker::Candidate FoilMaker::look_at(std::size_t image, std::size_t place) const {
  Candidate candidate{image, place, random_of(image), std::vector<bool>(nouns_.categories()), {}};
  const auto captions = references_.references(image);
  std::vector<Exchange> all;
  for (std::size_t caption = 0; caption < captions.size(); ++caption) {
    std::vector<std::size_t> times(nouns_.categories());
    std::vector<FoilMention> mentions = nouns_.find(captions[caption]);
    for (const FoilMention& mention : mentions) {
      for (const std::uint32_t category : mention.categories) {
        candidate.mentioned[category] = true;
        ++times[category];
      }
    }
    for (FoilMention& mention : mentions) {
      if (!mention.noun) continue;
      const FoilNoun& noun = nouns_.nouns()[*mention.noun];
      if (noun.exchangeable && times[noun.category] == 1) all.push_back({caption, std::move(mention)});
    }
  }
  if (captions.size() < 2) return candidate;
  for (Exchange& exchange : all) {
    if (replacements(candidate, nouns_.nouns()[*exchange.mention.noun]).empty()) continue;
    candidate.exchanges.push_back(std::move(exchange));
  }
  shuffle(candidate.exchanges, candidate.random);
  std::reverse(candidate.exchanges.begin(), candidate.exchanges.end());
  return candidate;
}

std::vector<std::uint32_t> FoilMaker::replacements(const Candidate& candidate, const FoilNoun& noun) const {
  std::vector<std::uint32_t> fitting;
  for (std::uint32_t other = 0; other < nouns_.nouns().size(); ++other) {
    const FoilNoun& foil = nouns_.nouns()[other];
    if (foil.super_category == noun.super_category && foil.category != noun.category &&
        foil.plural == noun.plural && foil.words() == noun.words() && !candidate.mentioned[foil.category]) {
      fitting.push_back(other);
    }
  }
  return fitting;
}

// By frequency; where no caption has any of them, each is as likely.
std::uint32_t FoilMaker::draw_noun(Candidate& candidate, const FoilNoun& noun) const {
  const std::vector<std::uint32_t> fitting = replacements(candidate, noun);
  double sum = 0;
  for (const std::uint32_t foil : fitting) sum += counts_[foil];
  if (sum == 0) return fitting[candidate.random.below(static_cast<std::uint32_t>(fitting.size()))];
  double left = candidate.random.uniform() * sum;
  std::uint32_t drawn = fitting.front();
  for (const std::uint32_t foil : fitting) {
    if (counts_[foil] == 0) continue;
    drawn = foil;
    if ((left -= counts_[foil]) < 0) break;
  }
  return drawn;
}

std::string_view last_word(const FoilNoun& noun) {
  return std::string_view(noun.text).substr(noun.text.rfind(' ') + 1);  // 0 for a single word
}

// Whether the noun is one to the parser, of the right number and no part of a longer name ("dog food"). It is
// found by counting, as the parser's words have no places.
bool is_noun_there(const std::vector<syntax::Tree>& trees, const FoilNoun& noun, std::size_t occurrence) {
  for (const syntax::Tree& tree : trees) {
    for (std::size_t i = 0; i < tree.tokens.size(); ++i) {
      const syntax::Token& token = tree.tokens[i];
      if (lowered_ascii(token.word) != last_word(noun) || occurrence-- > 0) continue;
      const bool followed = i + 1 < tree.tokens.size() && tree.tokens[i + 1].tag.starts_with("NN");
      return token.tag == (noun.plural ? "NNS" : "NN") && token.relation != "compound" && !followed;
    }
  }
  return false;
}

// How often the noun's last word stands in the caption before the mention.
std::size_t occurrences_before(std::string_view caption, const FoilMention& mention, const FoilNoun& noun) {
  const std::string before = lowered_ascii(caption.substr(0, mention.begin));
  const std::string_view word = last_word(noun);
  const auto is_letter = [&](std::size_t at) {
    return at < before.size() && before[at] >= 'a' && before[at] <= 'z';
  };
  std::size_t count = 0;
  for (std::size_t at = before.find(word); at != std::string::npos; at = before.find(word, at + 1)) {
    count += !is_letter(at - 1) && !is_letter(at + word.size()) ? 1 : 0;  // at 0 the place before is no place
  }
  return count;
}

FoilPair FoilMaker::exchange(Candidate& candidate, const Exchange& exchange) const {
  const auto captions = references_.references(candidate.image);
  const std::string_view caption = captions[exchange.caption];
  const FoilNoun& noun = nouns_.nouns()[*exchange.mention.noun];
  const FoilNoun& foil = nouns_.nouns()[draw_noun(candidate, noun)];
  FoilPair pair{std::string(references_.id(candidate.image)),
                std::string(caption),
                world::exchange_noun(caption, exchange.mention, foil.text),
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
    std::erase_if(open, [](const Candidate& candidate) { return candidate.exchanges.empty(); });
    if (open.empty()) return;
    std::vector<std::string_view> captions;
    for (const Candidate& candidate : open) {
      captions.push_back(references_.references(candidate.image)[candidate.exchanges.back().caption]);
    }
    const auto trees = parser_->parse(captions);
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Exchange next = std::move(open[i].exchanges.back());
      open[i].exchanges.pop_back();
      const FoilNoun& noun = nouns_.nouns()[*next.mention.noun];
      if (!is_noun_there(trees[i], noun, occurrences_before(captions[i], next.mention, noun))) continue;
      FoilPair pair = exchange(open[i], next);
      if (pair.references.empty()) continue;
      pairs[open[i].place] = std::move(pair);
      open[i].exchanges.clear();
    }
  }
}

// Makes the pairs of the images, in pieces.
std::vector<std::optional<FoilPair>> make_pairs(const FoilMaker& maker, std::span<const std::size_t> images,
                                                ThreadPool& pool) {
  std::vector<std::optional<FoilPair>> pairs(images.size());
  pool.parallel_for((images.size() + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const std::size_t first = piece * kPiece;
    const std::size_t count = std::min(kPiece, images.size() - first);
    maker.make(images.subspan(first, count), std::span(pairs).subspan(first, count));
  });
  return pairs;
}

}  // namespace

std::vector<FoilPair> make_foil_set(const Dataset& references, const FoilSetOptions& options) {
  ThreadPool pool(options.threads);
  const FoilMaker maker(references, options.seed, pool);
  const std::vector<std::size_t> order = maker.order();
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
    lines += row.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  }
  return lines;
}

}  // namespace capella
