#include "pipeline/challenge_lengths.h"

#include <algorithm>

namespace capella::pipeline {
namespace {

constexpr std::size_t kLengthsPerPiece = 512;  // images that one thread does together
constexpr std::size_t kTries = 200;
constexpr std::size_t kMost = 5;  // opposites
constexpr double kShort = 1. / 3;
constexpr double kLong = .8;

// Pieces between blanks that have a letter.
std::size_t count_words(std::string_view caption) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : caption) {
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    if (c == ' ') inside = false;
    if (letter && !inside) {
      inside = true;
      ++count;
    }
  }
  return count;
}

}  // namespace

CaptionLengths::CaptionLengths(const Dataset& references, const world::FoilNouns& nouns, ThreadPool& pool)
    : references_(references), nouns_(nouns), shorts_(nouns.categories()), longs_(nouns.categories()) {
  entries_.resize(references.all_references().size());
  for (std::size_t image = 0, next = 0; image < references.size(); ++image) {
    first_.push_back(next);
    next += references.references(image).size();
  }
  pool.parallel_for((references.size() + kLengthsPerPiece - 1) / kLengthsPerPiece, [&](std::size_t piece) {
    const std::size_t end = std::min(references.size(), (piece + 1) * kLengthsPerPiece);
    for (std::size_t image = piece * kLengthsPerPiece; image < end; ++image) {
      const auto captions = references.references(image);
      for (std::size_t i = 0; i < captions.size(); ++i)
        entries_[first_[image] + i] = entry_of(image, captions[i]);
    }
  });
  if (entries_.empty()) return;
  std::vector<std::uint32_t> words;
  for (const Entry& entry : entries_) words.push_back(entry.words);
  std::sort(words.begin(), words.end());
  const auto at = [&](double share) {
    return words[static_cast<std::size_t>(share * double(words.size() - 1))];
  };
  short_ = at(kShort);
  long_ = std::max({at(kLong), short_ + 4, short_ * 3 / 2});
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    for (const std::uint32_t category : entries_[i].categories) {
      if (is_short(entries_[i])) shorts_[category].push_back(i);
      if (is_long(entries_[i])) longs_[category].push_back(i);
    }
  }
}

CaptionLengths::Entry CaptionLengths::entry_of(std::size_t image, std::string_view caption) const {
  Entry entry{
      static_cast<std::uint32_t>(image), static_cast<std::uint32_t>(count_words(caption)), caption, {}};
  for (const world::FoilMention& mention : nouns_.find(caption)) {
    if (!mention.noun || !nouns_.nouns()[*mention.noun].exchangeable) continue;
    const std::uint32_t category = nouns_.nouns()[*mention.noun].category;
    if (std::find(entry.categories.begin(), entry.categories.end(), category) == entry.categories.end())
      entry.categories.push_back(category);
  }
  return entry;
}

std::optional<std::size_t> CaptionLengths::own(std::size_t image, bool shortest) const {
  std::optional<std::size_t> best;
  const std::size_t first = first_[image];
  for (std::size_t i = 0; i < references_.references(image).size(); ++i) {
    const Entry& entry = entries_[first + i];
    if (entry.categories.empty() || !(shortest ? is_short(entry) : is_long(entry))) continue;
    const std::uint32_t words = best ? entries_[first + *best].words : 0;
    if (!best || (shortest ? entry.words < words : entry.words > words)) best = i;
  }
  return best;
}

std::vector<std::string_view> CaptionLengths::opposites(std::size_t image, std::size_t caption, bool shortest,
                                                        const std::vector<bool>& mentioned,
                                                        Random& random) const {
  const Entry& own = entries_[first_[image] + caption];
  std::vector<std::string_view> found;
  for (std::size_t tries = 0; tries < kTries && found.size() < kMost; ++tries) {
    const std::uint32_t shared =
        own.categories[random.below(static_cast<std::uint32_t>(own.categories.size()))];
    const std::vector<std::uint32_t>& list = (shortest ? longs_ : shorts_)[shared];
    if (list.empty()) continue;
    const Entry& other = entries_[list[random.below(static_cast<std::uint32_t>(list.size()))]];
    const bool wrong = std::any_of(other.categories.begin(), other.categories.end(),
                                   [&](std::uint32_t category) { return !mentioned[category]; });
    if (other.image != image && wrong) found.push_back(other.text);
  }
  return found;
}

}  // namespace capella::pipeline
