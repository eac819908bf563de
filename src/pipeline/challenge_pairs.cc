#include "pipeline/challenge_pairs.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "pipeline/prepared_run.h"
#include "resource/find.h"
#include "world/challenge/edits.h"

namespace capella::pipeline {
namespace {

using world::FoilNoun;
using world::challenge::AttributeSwap;
using world::challenge::Edit;
using world::challenge::ParsedCaption;

constexpr std::size_t kMostReferences = 4;
constexpr std::uint64_t kStream = 0xC4A11;

world::challenge::ChallengeNouns make_nouns(bool of_world) {
  using resource::WordRelations;
  return of_world ? world::challenge::make_world_challenge_nouns()
                  : world::challenge::make_caption_nouns(WordRelations(resource::need(WordRelations::kFile)));
}

// The words in lower case with a blank on both sides of each: what is told apart as captions.
std::string plain(std::string_view caption) {
  std::string out = " ";
  for (const char c : caption) {
    const char low = lower_ascii(c);
    const bool letter =
        (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9') || static_cast<unsigned char>(low) >= 0x80;
    if (letter) {
      out += low;
    } else if (c != '\'' && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.back() != ' ') out += ' ';
  return out;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin));
}

// Whether the caption may say so: the attribute stands within three words of the noun.
bool may_claim(std::string_view caption, const AttributeSwap::Claim& claim) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : plain(caption)) {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with(claim.noun.substr(0, std::max<std::size_t>(3, claim.noun.size() - 1))))
      continue;
    const std::size_t begin = i < 3 ? 0 : i - 3;
    const std::size_t end = std::min(words.size(), i + 4);
    for (std::size_t k = begin; k < end; ++k) {
      if (world::challenge::are_alike(words[k], claim.attribute)) return true;
    }
  }
  return false;
}

// Whether the word at the byte goes with a noun before it: a "subway car" is no "subway auto".
bool follows_noun(const ParsedCaption& caption, std::size_t begin) {
  for (std::size_t i = 1; i < caption.size(); ++i) {
    if (caption[i].begin == begin) return caption[i - 1].is_noun();
  }
  return false;
}

std::vector<Edit> as_list(std::optional<Edit> edit) {
  return edit ? std::vector{*std::move(edit)} : std::vector<Edit>();
}

// Those for which nothing but the caption need be known.
std::vector<Edit> grammar_edits(const ParsedCaption& caption, Challenge challenge, Random& random) {
  switch (challenge) {
    case Challenge::word_order:
      return as_list(reordered(caption, random));
    case Challenge::truncated:
      return as_list(truncated(caption));
    case Challenge::negation:
      return negations(caption);
    default:
      return swapped_roles(caption);
  }
}

// Whether the edited caption must be wrong as to what it says, and not only as to how.
bool must_be_wrong(Challenge challenge) {
  return challenge != Challenge::word_order && challenge != Challenge::negation &&
         challenge != Challenge::truncated;
}

}  // namespace

ChallengeMaker::ChallengeMaker(const Dataset& references, const WorldTruth* truth, std::uint64_t seed,
                               ThreadPool& pool)
    : references_(references),
      truth_(truth),
      seed_(seed),
      nouns_(make_nouns(truth != nullptr)),
      exchange_(references, nouns_.nouns, pool),
      lengths_(references, nouns_.nouns, pool),
      together_(references.size(), exchange_, pool),
      parser_(open_parser()) {}

bool ChallengeMaker::may_serve(std::string_view caption, bool has_noun,
                               std::span<const Challenge> challenges) const {
  return std::any_of(challenges.begin(), challenges.end(), [&](Challenge challenge) {
    if (challenge == Challenge::swapped_attributes) return world::challenge::has_two_attributes(caption);
    return has_noun || (challenge != Challenge::synonym && challenge != Challenge::wrong_object);
  });
}

std::vector<ChallengeMaker::View> ChallengeMaker::look_at(std::span<const std::size_t> images,
                                                          std::span<const Challenge> challenges) const {
  std::vector<View> views;
  std::vector<std::string_view> useful;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // of these: which view, which caption
  for (const std::size_t image : images) {
    View view{image, references_.references(image), {}, {}, exchange_.look_at(image)};
    if (truth_) truth_->add_present(image, view.things.mentioned);
    view.trees.resize(view.captions.size());
    view.parsed.resize(view.captions.size());
    std::vector<bool> has_noun(view.captions.size());
    for (const NounPlace& place : view.things.places) has_noun[place.caption] = true;
    for (std::size_t i = 0; i < view.captions.size(); ++i) {
      if (!may_serve(view.captions[i], has_noun[i], challenges)) continue;
      useful.push_back(view.captions[i]);
      places.emplace_back(views.size(), i);
    }
    views.push_back(std::move(view));
  }
  auto trees = parser_->parse(useful);
  for (std::size_t k = 0; k < useful.size(); ++k) {
    View& view = views[places[k].first];
    const std::size_t caption = places[k].second;
    view.trees[caption] = std::move(trees[k]);
    view.parsed[caption] = ParsedCaption::make(useful[k], view.trees[caption]);
  }
  return views;
}

Random ChallengeMaker::random_of(const View& view, Challenge challenge) const {
  const auto number = static_cast<std::uint64_t>(challenge);
  return Random(hash_combine(hash_combine(hash_combine(seed_, kStream), number),
                             hash_bytes(references_.id(view.image))));
}

// Captions are tried in an order that is drawn; the first draft that is beyond doubt is taken.
Attempt ChallengeMaker::make(const View& view, Challenge challenge) const {
  Attempt attempt;
  if (view.captions.size() < 2) return {{}, NoPair::few_captions};
  Random random = random_of(view, challenge);
  std::vector<std::size_t> order(view.captions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  shuffle(order, random);
  for (const std::size_t caption : order) {
    Drafts found = drafts(view, challenge, caption, random);
    shuffle(found, random);
    for (Draft& draft : found) {
      std::vector<std::string> references = references_for(view, draft);
      const bool sure = is_sure(view, challenge, draft);
      if (references.empty() || !sure) {
        attempt.why = sure ? NoPair::few_captions : NoPair::doubtful;
        continue;
      }
      attempt.pair = {std::string(references_.id(view.image)),
                      std::string(kChallenges[static_cast<std::size_t>(challenge)].kind),
                      trimmed(draft.better),
                      trimmed(draft.worse),
                      std::move(references),
                      std::move(draft.edit)};
      return attempt;
    }
  }
  return attempt;
}

ChallengeMaker::Drafts ChallengeMaker::drafts(const View& view, Challenge challenge, std::size_t caption,
                                              Random& random) const {
  if (!view.parsed[caption]) return {};
  switch (challenge) {
    case Challenge::synonym:
    case Challenge::wrong_object:
      return exchanges(view, caption, challenge == Challenge::synonym, random);
    case Challenge::hallucinated_object:
      return additions(view, caption, random);
    case Challenge::short_is_right:
    case Challenge::long_is_right:
      return lengths(view, caption, challenge == Challenge::short_is_right, random);
    case Challenge::swapped_attributes:
      return attribute_swaps(view, caption);
    default:
      break;
  }
  Drafts made;
  for (Edit& edit : grammar_edits(*view.parsed[caption], challenge, random))
    made.push_back(
        {caption, std::string(view.captions[caption]), std::move(edit.text), std::move(edit.note)});
  return made;
}

// In doubt is what another caption says.
ChallengeMaker::Drafts ChallengeMaker::attribute_swaps(const View& view, std::size_t caption) const {
  Drafts made;
  for (AttributeSwap& edit : swapped_attributes(*view.parsed[caption])) {
    const bool said = std::any_of(view.captions.begin(), view.captions.end(), [&](std::string_view other) {
      return other != view.captions[caption] &&
             (may_claim(other, edit.first) || may_claim(other, edit.second));
    });
    made.push_back(
        {caption, std::string(view.captions[caption]), std::move(edit.text), std::move(edit.note), said});
  }
  return made;
}

// A synonym that stands in no other caption, in whatever number: otherwise a metric need only count words.
// Empty if there is none.
std::string ChallengeMaker::drawn_synonym(const View& view, const NounPlace& place, Random& random) const {
  std::vector<std::string> fitting;
  for (const std::string& synonym : nouns_.synonyms[*place.mention.noun]) {
    const std::string begin = ' ' + synonym.substr(0, synonym.size() - (synonym.ends_with('s') ? 1 : 0));
    const bool said = std::any_of(view.captions.begin(), view.captions.end(), [&](std::string_view caption) {
      return plain(caption).find(begin) != std::string::npos;
    });
    if (!said) fitting.push_back(synonym);
  }
  return fitting.empty() ? "" : fitting[random.below(static_cast<std::uint32_t>(fitting.size()))];
}

ChallengeMaker::Drafts ChallengeMaker::exchanges(const View& view, std::size_t caption, bool with_synonym,
                                                 Random& random) const {
  Drafts made;
  const std::string_view text = view.captions[caption];
  for (const NounPlace& place : view.things.places) {
    if (place.caption != caption) continue;
    const FoilNoun& noun = exchange_.noun_of(place);
    const auto fitting = exchange_.replacements(view.things.mentioned, noun);
    if (fitting.empty()) continue;
    if (!is_noun_there(view.trees[caption], text, place.mention, noun)) continue;
    if (follows_noun(*view.parsed[caption], place.mention.begin)) continue;
    const std::string synonym = with_synonym ? drawn_synonym(view, place, random) : "";
    if (with_synonym && synonym.empty()) continue;
    const std::string& foil = nouns_.nouns.nouns()[exchange_.draw(fitting, random)].text;
    const std::string worse = world::exchange_noun(text, place.mention, foil);
    if (with_synonym) {
      made.push_back({caption, world::exchange_noun(text, place.mention, synonym), worse,
                      noun.text + " -> " + synonym + ", not " + foil});
    } else {
      made.push_back({caption, std::string(text), worse, noun.text + " -> " + foil});
    }
  }
  return made;
}

ChallengeMaker::Drafts ChallengeMaker::additions(const View& view, std::size_t caption,
                                                 Random& random) const {
  std::vector<std::uint32_t> fitting;
  for (const std::uint32_t noun : nouns_.addable) {
    const std::uint32_t category = nouns_.nouns.nouns()[noun].category;
    const bool may_be_there =
        view.things.mentioned[category] || (!truth_ && together_.is_usual(category, view.things.mentioned));
    if (!may_be_there) fitting.push_back(noun);
  }
  if (fitting.empty()) return {};
  const std::string& noun = nouns_.nouns.nouns()[exchange_.draw(fitting, random)].text;
  auto edit = world::challenge::with_added(*view.parsed[caption], noun, random);
  if (!edit) return {};
  return {{caption, std::string(view.captions[caption]), std::move(edit->text), std::move(edit->note)}};
}

ChallengeMaker::Drafts ChallengeMaker::lengths(const View& view, std::size_t caption, bool shortest,
                                               Random& random) const {
  Drafts made;
  if (lengths_.own(view.image, shortest) != caption) return made;
  for (const std::string_view other :
       lengths_.opposites(view.image, caption, shortest, view.things.mentioned, random)) {
    made.push_back({caption, std::string(view.captions[caption]), std::string(other),
                    shortest ? "short is right" : "long is right"});
  }
  return made;
}

bool ChallengeMaker::is_sure(const View& view, Challenge challenge, const Draft& draft) const {
  const std::string worse = plain(draft.worse);
  if (draft.doubtful || worse == plain(draft.better)) return false;
  const bool said = std::any_of(view.captions.begin(), view.captions.end(),
                                [&](std::string_view caption) { return plain(caption) == worse; });
  if (said) return false;
  if (!truth_ || !must_be_wrong(challenge)) return true;
  return truth_->is_true(view.image, draft.better) && truth_->is_wrong(view.image, draft.worse);
}

// Neither the edited caption nor one that reads the same.
std::vector<std::string> ChallengeMaker::references_for(const View& view, const Draft& draft) const {
  const std::string edited = plain(view.captions[draft.edited]);
  const std::string better = plain(draft.better);
  std::vector<std::string> references;
  for (const std::string_view caption : view.captions) {
    const std::string other = plain(caption);
    if (other == " " || other == edited || other == better || references.size() == kMostReferences) continue;
    references.emplace_back(trimmed(caption));
  }
  return references;
}

}  // namespace capella::pipeline
