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
std::string name_of(std::vector<std::string_view> captions) {
  std::ranges::sort(captions);
  std::string name;
  for (const std::string_view bytes : captions) {
    const std::uint64_t size = bytes.size();
    name.append(reinterpret_cast<const char*>(&size), sizeof size).append(bytes);
  }
  return name;
}

}  // namespace

CaptionGroups::Added CaptionGroups::add(const encoder::TokenBatch& captions, std::size_t least) {
  std::vector<std::string_view> different;  // bytes of tokens
  for (std::size_t k = 0; k < captions.size(); ++k) {
    const auto* ids = reinterpret_cast<const char*>(captions.ids.data() + captions.begin(k));
    const std::string_view bytes(ids, captions.length(k) * sizeof(captions.ids[0]));
    if (std::ranges::find(different, bytes) == different.end()) different.push_back(bytes);
  }
  if (different.size() < least) return Added::too_few;
  if (!images_.insert(name_of(different)).second) return Added::again;
  for (const std::string_view bytes : different) {
    const auto* ids = reinterpret_cast<const std::int32_t*>(bytes.data());
    const auto place = static_cast<std::uint32_t>(captions_.size());
    const auto [known, is_new] = places_.emplace(bytes, place);
    if (is_new) captions_.add({ids, bytes.size() / sizeof(*ids)});
    members_.push_back(known->second);
  }
  ends_.push_back(members_.size());
  return Added::yes;
}

std::uint64_t CaptionGroups::fingerprint() const {
  std::uint64_t hash = hash_values(captions_.ids);
  for (const std::uint64_t next : {hash_values(captions_.ends), hash_values(members_), hash_values(ends_)})
    hash = hash_combine(hash, next);
  return hash;
}

Drawn draw_step(const CaptionGroups& groups, const Recipe& recipe, std::uint64_t seed, std::size_t step) {
  Drawn drawn;
  drawn.images = epoch_rows(groups.images(), recipe.batch, seed, step);
  Random random(hash_combine(epoch_seed(seed, step), 1));  // not that of a shuffle
  for (const std::uint32_t image : drawn.images) {
    const auto own = groups.of(image);
    std::vector<std::uint32_t> left(own.begin(), own.end());
    for (std::size_t k = 0; k < 1 + recipe.references; ++k) {
      const std::size_t chosen = k + random.below(static_cast<std::uint32_t>(left.size() - k));
      std::swap(left[k], left[chosen]);
      drawn.captions.push_back(left[k]);
    }
  }
  return drawn;
}

}  // namespace capella::method::adapter_training
