#include "metric/clip_features.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::metric {

std::string clip_prompt(const Settings& settings) {
  std::string prompt = settings.text("prompt");
  const auto odd = [](char c) { return c == '|' || c == '"' || static_cast<unsigned char>(c) < ' '; };
  if (std::ranges::any_of(prompt, odd))
    throw UsageError(
        fmt::format("{}.prompt: found '{}', expected a text without |, quotation marks and line breaks",
                    settings.metric(), excerpt(prompt)));
  if (!prompt.empty() && prompt.back() != ' ') prompt += ' ';
  return prompt;
}

ClipState::ClipState(const References& references, const Resources& resources, ClipItems wanted,
                     std::string prompt, std::string_view metric)
    : clip_(*resources.clip),
      prompt_(std::move(prompt)),
      metric_(metric),
      paths_(resources.images),
      raw_(references.raw.data()),
      cut_(references, resources) {
  const bool all = wanted == ClipItems::all_with_references;
  first_item_ = all ? 0 : std::min(resources.items.begin, references.items());
  const std::size_t end_item = all ? references.items() : std::min(resources.items.end, references.items());
  const encoder::EncodeWork work{resources.pool, resources.progress};
  pictures_ = clip_.images(paths_.subspan(first_item_, end_item - first_item_), work);
  warn_of_pictures(metric);
  if (wanted == ClipItems::pictures || end_item == first_item_) return;
  first_reference_ = references.begin(first_item_);
  const std::size_t count = references.end(end_item - 1) - first_reference_;
  references_ = clip_.texts(references.raw.subspan(first_reference_, count), prompt_, work);
  cut_.add_references(first_reference_, references_->cut);
}

void ClipState::warn_of_pictures(std::string_view metric) {
  if (pictures_->cut.empty()) return;
  std::vector<std::string_view> names;
  for (const std::size_t row : pictures_->cut) names.push_back(paths_[first_item_ + row]);
  const bool one = names.size() == 1;
  warnings_.push_back(fmt::format("{}: {} picture{} before {} complete and {} filled up: {}", metric,
                                  names.size(), one ? " ends" : "s end", one ? "it is" : "they are",
                                  one ? "is" : "are", list_names(names)));
}

std::span<const float> ClipState::picture(const Batch& batch, std::size_t k) const {
  if (batch.references.raw.data() != raw_)
    throw UsageError(fmt::format(
        "{} looks at the pictures of items, so captions need the items' ids, not references of their own",
        metric_));
  return picture(batch.items[k]);
}

const std::string& ClipState::picture_path(const Batch& batch, std::size_t k) const {
  return paths_[batch.items[k]];
}

std::shared_ptr<const encoder::Features> ClipState::captions(const Batch& batch, bool counted) const {
  auto features = clip_.texts(batch.captions, prompt_);
  if (counted) cut_.add_captions(batch, features->cut);
  return features;
}

std::string ClipState::choices() const {
  const std::string_view prompt =
      std::string_view(prompt_).substr(0, prompt_.empty() ? 0 : prompt_.size() - 1);
  return fmt::format("model:{}|prompt:{}", clip_.fingerprint(),
                     prompt.empty() ? "none" : fmt::format("\"{}\"", prompt));
}

std::vector<std::string> ClipState::warnings() const {
  std::vector<std::string> all = warnings_;
  for (std::string& warning : cut_.warnings(metric_, clip_.most_tokens())) all.push_back(std::move(warning));
  return all;
}

}  // namespace capella::metric
