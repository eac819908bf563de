#include "metric/token_vectors.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/replace_all.h"

namespace capella::metric {

using encoder::TokenizedTexts;

// Equal texts count as often as they come.
TokenRarity::TokenRarity(const TokenizedTexts& texts, std::size_t vocabulary) {
  std::vector<std::size_t> times(texts.tokens.size());
  for (const std::size_t k : texts.of) ++times[k];
  std::vector<std::size_t> found(vocabulary);
  for (std::size_t k = 0; k < times.size(); ++k) {
    std::vector<std::int32_t> ids(
        texts.tokens.ids.begin() + static_cast<std::ptrdiff_t>(texts.tokens.begin(k)),
        texts.tokens.ids.begin() + static_cast<std::ptrdiff_t>(texts.tokens.end(k)));
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const std::int32_t id : ids) found[static_cast<std::size_t>(id)] += times[k];
  }
  tells_nothing_ = std::ranges::all_of(found, [&](std::size_t n) { return n == 0 || n == texts.size(); });
  for (const std::size_t n : found)
    values_.push_back(std::log(static_cast<double>(texts.size() + 1) / static_cast<double>(n + 1)));
}

TokenState::TokenState(const References& references, const Resources& resources,
                       const encoder::StateReading& how, bool rarity, std::size_t most_bytes)
    : encoder_(*resources.encoder),
      reading_(how),
      texts_(references, resources.items),
      cut_(references, resources) {
  const encoder::EncodeWork work{resources.pool, resources.progress};
  if (rarity) rarity_.emplace(*encoder_.tokenize(references.raw, work), encoder_.tokenizer().size());
  const auto tokens = encoder_.tokenize(texts_.texts(), work);
  cut_.add_references(texts_.first(), tokens->cut);
  if (tokens->tokens.ids.size() * encoder_.width(reading_) * sizeof(float) <= most_bytes)
    references_ = encoder_.encode(texts_.texts(), reading_, work);
}

std::vector<std::string> TokenState::warnings(std::string_view metric) const {
  std::vector<std::string> all = cut_.warnings(metric, encoder_.most_tokens());
  if (rarity_ && rarity_->tells_nothing())
    all.push_back(
        fmt::format("{}: with idf=yes no token of the references weighs anything, since each stands "
                    "in all of them; take more references, or leave idf out",
                    metric));
  return all;
}

TokenBatchVectors::TokenBatchVectors(const Batch& batch, const TokenState& state, bool counted)
    : batch_(batch), captions_(state.encoder_.encode(batch.captions, state.reading_)) {
  if (counted) state.cut_.add_captions(batch, captions_->texts->cut);
  if (state.references_ != nullptr && state.texts_.has(batch)) {
    references_ = state.references_;
    for (std::size_t k = 0; k < batch.size(); ++k) places_.push_back(state.texts_.place(batch, k));
    return;
  }
  BatchReferences own = references_of(batch);
  references_ = state.encoder_.encode(own.texts, state.reading_);
  places_ = std::move(own.places);
}

std::string shown_token(const encoder::Tokenizer& tokenizer, std::int32_t token) {
  return replace_all(tokenizer.piece(token), "\u0120", " ");
}

}  // namespace capella::metric
