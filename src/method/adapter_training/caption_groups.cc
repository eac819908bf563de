#include "method/adapter_training/caption_groups.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/hash_values.h"
#include "base/random.h"
#include "method/training_loop.h"

namespace capella::method::adapter_training {
namespace {

// The same for the same captions in any order, and for no others.
std::string group_name(std::vector<std::string_view> captions) {
  std::ranges::sort(captions);
  std::string name;
  for (const std::string_view bytes : captions) {
    const std::uint64_t size = bytes.size();
    name.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes);
  }
  return name;
}

// The bytes of its tokens.
std::string_view bytes_of(const encoder::TokenBatch& captions, std::size_t k) {
  const auto* ids = reinterpret_cast<const char*>(captions.ids.data() + captions.begin(k));
  return {ids, captions.length(k) * sizeof(captions.ids[0])};
}

// `count` of these, in an order that is drawn.
std::vector<std::uint32_t> some_of(std::span<const std::uint32_t> all, std::size_t count, Random& random) {
  std::vector<std::uint32_t> left(all.begin(), all.end());
  for (std::size_t k = 0; k < count; ++k)
    std::swap(left[k], left[k + random.below(static_cast<std::uint32_t>(left.size() - k))]);
  left.resize(count);
  return left;
}

}  // namespace

std::uint32_t CaptionGroups::place_of(std::string_view bytes) {
  const auto [known, is_new] = places_.emplace(bytes, static_cast<std::uint32_t>(captions_.size()));
  const auto* ids = reinterpret_cast<const std::int32_t*>(bytes.data());
  if (is_new) captions_.add({ids, bytes.size() / sizeof(*ids)});
  return known->second;
}

void CaptionGroups::add_rated(const encoder::TokenBatch& texts, double rating) {
  std::vector<std::uint32_t> places;
  for (std::size_t k = 0; k < texts.size(); ++k) places.push_back(place_of(bytes_of(texts, k)));
  rated_.add(places[0], std::span(places).subspan(1), rating);
}

CaptionGroups::Added CaptionGroups::add(const encoder::TokenBatch& captions, std::size_t least) {
  std::vector<std::string_view> different;  // bytes of tokens
  for (std::size_t k = 0; k < captions.size(); ++k) {
    const std::string_view bytes = bytes_of(captions, k);
    if (std::ranges::find(different, bytes) == different.end()) different.push_back(bytes);
  }
  if (different.size() < least) return Added::too_few;
  if (!images_.insert(group_name(different)).second) return Added::again;
  for (const std::string_view bytes : different) members_.push_back(place_of(bytes));
  ends_.push_back(members_.size());
  return Added::yes;
}

std::uint64_t CaptionGroups::fingerprint() const {
  std::uint64_t hash = hash_values(captions_.ids);
  for (const std::uint64_t next :
       {hash_values(captions_.ends), hash_values(members_), hash_values(ends_), hash_of(rated_)})
    hash = hash_combine(hash, next);
  return hash;
}

std::uint64_t hash_of(const RatedRows& rows) {
  std::uint64_t hash = hash_values(rows.candidates);
  for (const std::uint64_t next :
       {hash_values(rows.references), hash_values(rows.ends), hash_values(rows.ratings)})
    hash = hash_combine(hash, next);
  return hash;
}

Drawn draw_step(const CaptionGroups& groups, const Recipe& recipe, std::uint64_t seed, std::size_t step) {
  Drawn drawn;
  drawn.images = epoch_rows(groups.images(), recipe.batch, seed, step);
  Random random(hash_combine(epoch_seed(seed, step), 1));  // not that of a shuffle
  for (const std::uint32_t image : drawn.images) {
    const auto own = some_of(groups.of(image), 1 + recipe.references, random);
    drawn.captions.insert(drawn.captions.end(), own.begin(), own.end());
  }
  const RatedRows& rated = groups.rated();
  for (const std::uint32_t row : epoch_rows(rated.size(), recipe.rated_batch, hash_combine(seed, 2), step)) {
    const auto all = rated.references_of(row);
    const std::size_t count = 1 + random.below(static_cast<std::uint32_t>(all.size()));
    drawn.rated.add(rated.candidates[row], some_of(all, count, random), rated.ratings[row]);
  }
  return drawn;
}

}  // namespace capella::method::adapter_training
