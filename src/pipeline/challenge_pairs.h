// One pair of a challenge set at a time: an image's captions, a kind, and what is drawn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/challenge_set.h"

#include "base/random.h"
#include "base/thread_pool.h"
#include "pipeline/challenge_lengths.h"
#include "pipeline/challenge_truth.h"
#include "pipeline/noun_exchange.h"
#include "pipeline/seen_together.h"
#include "syntax/caption_parser.h"
#include "world/challenge/nouns.h"
#include "world/challenge/parsed_caption.h"

namespace capella::pipeline {

/// How pairs are made. Length goes both ways, in two ways of making that have one name.
enum class Challenge : std::uint8_t {
  synonym,
  word_order,
  negation,
  swapped_attributes,
  swapped_roles,
  hallucinated_object,
  wrong_object,
  short_is_right,
  long_is_right,
  truncated
};

struct ChallengeInfo {
  Challenge id;
  std::string_view kind;
  std::string_view needs;  ///< what a caption must have
};
inline constexpr std::array<ChallengeInfo, 10> kChallenges{{
    {Challenge::synonym, "synonym", "a noun with a synonym that no reference has"},
    {Challenge::word_order, "word-order", "four words to exchange"},
    {Challenge::negation, "negation", "a statement to negate"},
    {Challenge::swapped_attributes, "swapped-attributes", "two things with attributes of one sort"},
    {Challenge::swapped_roles, "swapped-roles", "two things in a relation that goes one way"},
    {Challenge::hallucinated_object, "hallucinated-object",
     "a thing at its end to which another can be added"},
    {Challenge::wrong_object, "wrong-object", "a noun of COCO's categories that can be exchanged"},
    {Challenge::short_is_right, "length", "few words and a thing that a long caption of another image names"},
    {Challenge::long_is_right, "length",
     "many words and a thing that a short caption of another image names"},
    {Challenge::truncated, "truncated", "a place near the middle to break off"},
}};

/// Why there is no pair.
enum class NoPair : std::uint8_t { few_captions, lacking, doubtful };

struct Attempt {
  std::optional<ChallengePair> pair;
  NoPair why = NoPair::lacking;
};

/// Immutable, so many threads may make pairs with it.
class ChallengeMaker {
 public:
  /// All must outlive it. `truth` may be null: what is true is then known from the captions alone.
  ChallengeMaker(const Dataset& references, const WorldTruth* truth, std::uint64_t seed, ThreadPool& pool);

  /// An image on whose captions pairs are tried.
  struct View {
    std::size_t image;
    std::span<const std::string_view> captions;
    std::vector<std::vector<syntax::Tree>> trees;
    std::vector<std::optional<world::challenge::ParsedCaption>> parsed;
    NamedThings things;  ///< with what is known to be there
  };
  /// Captions that are of no use for any of the challenges are not parsed.
  std::vector<View> look_at(std::span<const std::size_t> images, std::span<const Challenge> challenges) const;

  Attempt make(const View& view, Challenge challenge) const;

 private:
  /// A pair before it is checked; `edited` is a place among the image's captions.
  struct Draft {
    std::size_t edited;
    std::string better, worse;
    std::string edit;
    bool doubtful = false;
  };
  using Drafts = std::vector<Draft>;

  bool may_serve(std::string_view caption, bool has_noun, std::span<const Challenge> challenges) const;
  Random random_of(const View& view, Challenge challenge) const;
  Drafts drafts(const View& view, Challenge challenge, std::size_t caption, Random& random) const;
  Drafts exchanges(const View& view, std::size_t caption, bool with_synonym, Random& random) const;
  Drafts additions(const View& view, std::size_t caption, Random& random) const;
  Drafts attribute_swaps(const View& view, std::size_t caption) const;
  Drafts lengths(const View& view, std::size_t caption, bool shortest, Random& random) const;
  std::string drawn_synonym(const View& view, const NounPlace& place, Random& random) const;
  bool is_sure(const View& view, Challenge challenge, const Draft& draft) const;
  std::vector<std::string> references_for(const View& view, const Draft& draft) const;

  const Dataset& references_;
  const WorldTruth* truth_;
  std::uint64_t seed_;
  world::challenge::ChallengeNouns nouns_;
  NounExchange exchange_;
  CaptionLengths lengths_;
  SeenTogether together_;
  std::unique_ptr<const syntax::CaptionParser> parser_;
};

}  // namespace capella::pipeline
