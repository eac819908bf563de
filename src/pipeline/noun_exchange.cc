#include "pipeline/noun_exchange.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"

namespace capella::pipeline {
namespace {

using world::FoilMention;
using world::FoilNoun;

constexpr std::size_t kExchangesPerPiece = 1024;  // captions that one thread does together

std::vector<double> count_nouns(const Dataset& references, const world::FoilNouns& nouns, ThreadPool& pool) {
  const std::span<const std::string_view> captions = references.all_references();
  const std::size_t pieces = (captions.size() + kExchangesPerPiece - 1) / kExchangesPerPiece;
  std::vector<std::vector<std::uint32_t>> found(pieces);
  pool.parallel_for(pieces, [&](std::size_t piece) {
    const auto mine =
        captions.subspan(piece * kExchangesPerPiece,
                         std::min(kExchangesPerPiece, captions.size() - piece * kExchangesPerPiece));
    for (const std::string_view caption : mine) {
      for (const FoilMention& mention : nouns.find(caption)) {
        if (mention.noun) found[piece].push_back(*mention.noun);
      }
    }
  });
  std::vector<double> counts(nouns.nouns().size());
  for (const auto& piece : found) {
    for (const std::uint32_t noun : piece) ++counts[noun];
  }
  return counts;
}

std::string_view last_word(const FoilNoun& noun) {
  return std::string_view(noun.text).substr(noun.text.rfind(' ') + 1);  // 0 for a single word
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

}  // namespace

NounExchange::NounExchange(const Dataset& references, const world::FoilNouns& nouns, ThreadPool& pool)
    : references_(references), nouns_(nouns), counts_(count_nouns(references, nouns, pool)) {}

NamedThings NounExchange::look_at(std::size_t image) const {
  NamedThings things{std::vector<bool>(nouns_.categories()), {}};
  const auto captions = references_.references(image);
  for (std::size_t caption = 0; caption < captions.size(); ++caption) {
    std::vector<std::size_t> times(nouns_.categories());
    std::vector<FoilMention> mentions = nouns_.find(captions[caption]);
    for (const FoilMention& mention : mentions) {
      for (const std::uint32_t category : mention.categories) {
        things.mentioned[category] = true;
        ++times[category];
      }
    }
    for (FoilMention& mention : mentions) {
      if (!mention.noun) continue;
      const FoilNoun& noun = nouns_.nouns()[*mention.noun];
      if (noun.exchangeable && times[noun.category] == 1)
        things.places.push_back({caption, std::move(mention)});
    }
  }
  return things;
}

std::vector<std::uint32_t> NounExchange::replacements(const std::vector<bool>& mentioned,
                                                      const FoilNoun& noun) const {
  std::vector<std::uint32_t> fitting;
  for (std::uint32_t other = 0; other < nouns_.nouns().size(); ++other) {
    const FoilNoun& foil = nouns_.nouns()[other];
    if (foil.super_category == noun.super_category && foil.category != noun.category &&
        foil.plural == noun.plural && foil.words() == noun.words() && !mentioned[foil.category]) {
      fitting.push_back(other);
    }
  }
  return fitting;
}

std::uint32_t NounExchange::draw(std::span<const std::uint32_t> fitting, Random& random) const {
  double sum = 0;
  for (const std::uint32_t foil : fitting) sum += counts_[foil];
  if (sum == 0) return fitting[random.below(static_cast<std::uint32_t>(fitting.size()))];
  double left = random.uniform() * sum;
  std::uint32_t drawn = fitting.front();
  for (const std::uint32_t foil : fitting) {
    if (counts_[foil] == 0) continue;
    drawn = foil;
    if ((left -= counts_[foil]) < 0) break;
  }
  return drawn;
}

// It is found by counting, as the parser's words have no places.
bool is_noun_there(std::span<const syntax::Tree> trees, std::string_view caption, const FoilMention& mention,
                   const FoilNoun& noun) {
  std::size_t occurrence = occurrences_before(caption, mention, noun);
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

std::vector<std::size_t> drawn_order(const Dataset& references, std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  for (std::size_t image = 0; image < references.size(); ++image) {
    keys.emplace_back(hash_combine(hash_combine(seed, 0x5E7), hash_bytes(references.id(image))), image);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> images;
  for (const auto& [key, image] : keys) images.push_back(image);
  return images;
}

}  // namespace capella::pipeline
