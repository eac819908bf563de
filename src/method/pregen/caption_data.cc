#include "method/pregen/caption_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/hash_values.h"
#include "base/names.h"

namespace capella::method::pregen {
namespace {

void check_feature(const io::CaptionSets& sets, const io::Matrix& features, std::size_t image) {
  const std::span<const float> row = features.row(image);
  double squares = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!std::isfinite(row[k])) {
      throw DataError(fmt::format("{}: row {} (image {}), number {}: found {}, expected a finite number",
                                  features.source, image + 1, excerpt(sets.images[image]), k + 1, row[k]));
    }
    squares += static_cast<double>(row[k]) * row[k];
  }
  if (squares >= std::numeric_limits<float>::min() && squares <= std::numeric_limits<float>::max()) return;
  throw DataError(fmt::format("{}: row {} (image {}): {}; features are scaled to length 1", features.source,
                              image + 1, excerpt(sets.images[image]),
                              squares == 0
                                  ? "all numbers are 0, expected some that are not"
                                  : fmt::format("the numbers are too {}", squares > 1 ? "large" : "small")));
}

}  // namespace

void check_rows(const io::CaptionSets& sets, const io::Matrix& features) {
  if (features.rows == sets.images.size()) return;
  throw DataError(fmt::format("{}: features of {} images, expected {}, one per image of {}", features.source,
                              features.rows, sets.images.size(), sets.source));
}

std::vector<std::size_t> images_of_split(const io::CaptionSets& sets, std::string_view split) {
  std::vector<std::size_t> images;
  std::map<std::string_view, std::size_t> counts;
  for (std::size_t i = 0; i < sets.images.size(); ++i) {
    const std::string& own = sets.splits[sets.split[i]];
    ++counts[own];
    if (own == split) images.push_back(i);
  }
  if (!images.empty()) return images;
  std::vector<std::string> list;
  for (const auto& [name, count] : counts)
    list.push_back(fmt::format("{} ({} images)", excerpt(name), count));
  throw DataError(fmt::format("{}: there is no split '{}'; the file has: {}", sets.source, excerpt(split),
                              fmt::join(list, ", ")));
}

void check_share(double share) {
  if (!(share > 0 && share <= 1))
    throw UsageError(fmt::format("a share of {}, expected above 0 to 1", share));
}

std::vector<std::size_t> take_share(std::span<const std::size_t> images, double share) {
  check_share(share);
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto before = std::ceil(static_cast<double>(i) * share);
    if (std::ceil(static_cast<double>(i + 1) * share) > before) taken.push_back(images[i]);
  }
  return taken;
}

CaptionData caption_data(const io::CaptionSets& sets, const io::Matrix& features,
                         const Vocabulary& vocabulary, std::span<const std::size_t> images) {
  check_rows(sets, features);
  std::vector<std::int32_t> word_ids;
  for (const std::string& word : sets.words) word_ids.push_back(vocabulary.id(word));
  CaptionData data;
  data.width = features.columns;
  data.features.reserve(images.size() * features.columns);
  for (const std::size_t image : images) {
    check_feature(sets, features, image);
    const std::span<const float> row = features.row(image);
    data.features.insert(data.features.end(), row.begin(), row.end());
    for (std::size_t c = sets.captions[image]; c < sets.captions[image + 1]; ++c) {
      for (const std::uint32_t word : sets.caption(c)) data.ids.push_back(word_ids[word]);
      data.words.push_back(data.ids.size());
    }
    data.captions.push_back(data.caption_count());
  }
  return data;
}

CaptionData first_captions(const CaptionData& data) {
  CaptionData first;
  first.features = data.features;
  first.width = data.width;
  for (std::size_t i = 0; i < data.image_count(); ++i) {
    const std::span<const std::int32_t> caption = data.caption(data.captions[i]);
    first.ids.insert(first.ids.end(), caption.begin(), caption.end());
    first.words.push_back(first.ids.size());
    first.captions.push_back(first.caption_count());
  }
  return first;
}

std::size_t longest_caption(const CaptionData& data) {
  std::size_t longest = 0;
  for (std::size_t k = 0; k < data.caption_count(); ++k) longest = std::max(longest, data.caption(k).size());
  return longest + 1;
}

std::uint64_t fingerprint(const CaptionData& data) {
  std::uint64_t hash = data.width;
  for (const std::uint64_t next : {hash_values(data.features), hash_values(data.captions),
                                   hash_values(data.words), hash_values(data.ids)})
    hash = hash_combine(hash, next);
  return hash;
}

}  // namespace capella::method::pregen
