#include "scene/caption_facts.h"

#include <optional>

#include "capella/error.h"

#include "scene/fact_codec.h"

namespace capella::scene {
namespace {

// A run that goes on for days, as a reward's does, forgets what it parsed from time to time. Entries have
// about 150 bytes.
constexpr std::size_t kMostKept = 1'000'000;

std::vector<TextKey> keys_of(std::span<const std::string_view> texts) {
  std::vector<TextKey> keys;
  keys.reserve(texts.size());
  for (const std::string_view text : texts) keys.push_back(text_key(text));
  return keys;
}

// The distinct ones among texts, and for each text its place among them.
struct Distinct {
  explicit Distinct(std::span<const std::string_view> texts) {
    tsl::robin_map<TextKey, std::size_t, TextKeyHash> known;
    for (const std::string_view text : texts) {
      const auto [place, added] = known.emplace(text_key(text), views.size());
      if (added) views.push_back(text);
      places.push_back(place->second);
    }
  }
  std::vector<std::string_view> views;
  std::vector<std::size_t> places;
};

}  // namespace

std::vector<std::vector<Fact>> CaptionFacts::find(std::span<const std::string_view> texts) const {
  const std::vector<TextKey> keys = keys_of(texts);
  std::vector<std::optional<std::vector<Fact>>> found(texts.size());
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (const auto place = memory_.find(keys[i]); place != memory_.end()) {
        found[i] = decode_facts(place->second);
      }
    }
  }
  std::vector<std::string_view> unknown;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (const auto bytes = !found[i] && cache_ ? cache_->find(keys[i]) : std::nullopt)
      found[i] = decode_facts(*bytes);
    if (!found[i]) unknown.push_back(texts[i]);
  }
  const Distinct distinct(unknown);
  std::vector<std::vector<Fact>> parsed;
  for (const auto& trees : parser_.parse(distinct.views)) parsed.push_back(extract_facts(trees));
  remember(keys_of(distinct.views), parsed);

  std::vector<std::vector<Fact>> facts(texts.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    facts[i] = found[i] ? std::move(*found[i]) : parsed[distinct.places[next++]];
  }
  return facts;
}

void CaptionFacts::remember(std::span<const TextKey> keys, std::span<const std::vector<Fact>> facts) const {
  std::vector<std::string> encoded;
  for (const std::vector<Fact>& own : facts) encoded.push_back(encode_facts(own));
  const std::lock_guard lock(mutex_);
  if (!to_be_saved_ && memory_.size() + keys.size() > kMostKept) memory_.clear();
  for (std::size_t i = 0; i < keys.size(); ++i) memory_.insert_or_assign(keys[i], std::move(encoded[i]));
}

std::string CaptionFacts::save() const {
  FactEntries entries;
  {
    const std::lock_guard lock(mutex_);
    if (!to_be_saved_) return "";
    to_be_saved_ = false;
    entries.assign(memory_.begin(), memory_.end());
  }
  if (entries.empty()) return "";
  try {
    cache_->add(std::move(entries));
    return "";
  } catch (const FileError& problem) {
    return problem.what();
  }
}

}  // namespace capella::scene
