#include "metric/hwcm_texts.h"

namespace capella::metric {

std::vector<HwcmTexts::Text> HwcmTexts::find(std::span<const std::string_view> texts) const {
  std::vector<scene::TextKey> keys;
  for (const std::string_view text : texts) keys.push_back(scene::text_key(text));
  std::vector<Text> found(texts.size());
  std::vector<std::size_t> unknown;
  std::vector<std::string_view> to_parse;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (const auto place = memory_.find(keys[i]); place != memory_.end()) {
        found[i] = place->second;
      } else {
        unknown.push_back(i);
        to_parse.push_back(texts[i]);
      }
    }
  }
  // The parser takes care that no sentence is parsed twice.
  const auto parsed = parser_.parse(to_parse);
  for (std::size_t i = 0; i < unknown.size(); ++i)
    found[unknown[i]] = std::make_shared<const HwcmText>(parsed[i], join_);
  const std::lock_guard lock(mutex_);
  if (memory_.size() + unknown.size() > most_kept_) memory_.clear();
  for (const std::size_t i : unknown) memory_.insert_or_assign(keys[i], found[i]);
  return found;
}

}  // namespace capella::metric
