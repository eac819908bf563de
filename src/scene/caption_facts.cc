#include "scene/caption_facts.h"

#include <optional>

#include "capella/error.h"

#include "scene/fact_codec.h"

namespace capella::scene {
namespace {

std::vector<TextKey> keys_of(std::span<const std::string_view> texts) {
  std::vector<TextKey> keys;
  keys.reserve(texts.size());
  for (const std::string_view text : texts) keys.push_back(text_key(text));
  return keys;
}

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
  // The parser takes care that no sentence is parsed twice.
  std::vector<std::vector<Fact>> parsed;
  for (const auto& trees : parser_.parse(unknown)) parsed.push_back(extract_facts(trees));
  remember(keys_of(unknown), parsed);

  std::vector<std::vector<Fact>> facts(texts.size());
  auto next = parsed.begin();
  for (std::size_t i = 0; i < texts.size(); ++i) facts[i] = std::move(found[i] ? *found[i] : *next++);
  return facts;
}

void CaptionFacts::remember(std::span<const TextKey> keys, std::span<const std::vector<Fact>> facts) const {
  std::vector<std::string> encoded;
  for (const std::vector<Fact>& own : facts) encoded.push_back(encode_facts(own));
  FactEntries full;
  {
    const std::lock_guard lock(mutex_);
    if (memory_.size() + keys.size() > most_kept_) {
      if (to_be_saved_) full.assign(memory_.begin(), memory_.end());
      memory_.clear();
    }
    for (std::size_t i = 0; i < keys.size(); ++i) memory_.insert_or_assign(keys[i], std::move(encoded[i]));
  }
  write(std::move(full));
}

void CaptionFacts::write(FactEntries entries) const {
  if (entries.empty()) return;
  try {
    cache_->add(std::move(entries));
  } catch (const FileError& problem) {
    const std::lock_guard lock(mutex_);
    write_problem_ = problem.what();
  }
}

std::size_t CaptionFacts::kept() const {
  const std::lock_guard lock(mutex_);
  return memory_.size();
}

std::string CaptionFacts::save() const {
  FactEntries entries;
  {
    const std::lock_guard lock(mutex_);
    if (!to_be_saved_) return "";
    to_be_saved_ = false;
    entries.assign(memory_.begin(), memory_.end());
  }
  write(std::move(entries));
  const std::lock_guard lock(mutex_);
  return write_problem_;
}

}  // namespace capella::scene
