#include "resource/word_vectors_writer.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "resource/word_vectors_layout.h"

namespace capella::resource {
namespace {

namespace layout = vectors_layout;

template <class T>
std::string_view bytes_of(std::span<const T> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size_bytes()};
}
template <class T>
std::string_view bytes_of(const std::vector<T>& items) {
  return bytes_of(std::span<const T>(items));
}

// The table of slots for words whose records begin at these offsets.
template <class Seen>
std::vector<layout::Slot> place(const Seen& seen) {
  constexpr std::size_t kFill = layout::kGroup / 2 + 1;  // words per group, on average, at most
  const std::size_t groups = std::max<std::size_t>(2, std::bit_ceil(seen.size() / kFill + 1));
  std::vector<layout::Slot> slots(groups * layout::kGroup, {0, layout::kFree});
  const unsigned shift = layout::shift_for(slots.size());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> words(seen.begin(), seen.end());
  std::sort(words.begin(), words.end());  // so that the same words give the same table
  for (const auto& [hash, offset] : words) {
    std::size_t slot = (hash >> shift) * layout::kGroup;
    while (slots[slot].offset != layout::kFree) slot = (slot + 1) % slots.size();
    slots[slot] = {layout::tag_of(hash), offset};
  }
  return slots;
}

}  // namespace

WordVectorsWriter::WordVectorsWriter(const std::string& path, std::size_t dimensions, bool eight_bit,
                                     std::string source)
    : file_(path, layout::kKind, layout::kVersion, eight_bit ? 6 : 5),
      source_(source.empty() ? path : std::move(source)),
      dimensions_(dimensions),
      eight_bit_(eight_bit) {
  XXH3_64bits_reset(&sum_);
  file_.begin(layout::kNumbers);
}

bool WordVectorsWriter::add(std::string_view word, std::span<const float> numbers) {
  assert(numbers.size() == dimensions_ && word.size() <= layout::kLongestWord);
  if (!add_record(word)) return false;
  if (eight_bit_) {
    add_eight_bit(numbers);
  } else {
    add_floats(numbers);
  }
  return true;
}

bool WordVectorsWriter::add_record(std::string_view word) {
  const auto [found, is_new] =
      seen_.try_emplace(layout::word_hash(word), static_cast<std::uint32_t>(records_.size()));
  const auto length = static_cast<std::uint16_t>(word.size());
  if (!is_new) {
    const std::string_view known =
        std::string_view(records_).substr(found->second + sizeof(std::uint32_t), sizeof length + word.size());
    if (std::memcmp(known.data(), &length, sizeof length) == 0 && known.substr(sizeof length) == word) {
      return false;
    }
    throw DataError(
        fmt::format("{}: the word '{}' has the same hash as another one, so it cannot be kept; "
                    "leave it out of the file",
                    source_, excerpt(word)));
  }
  const auto number = static_cast<std::uint32_t>(offsets_.size());
  offsets_.push_back(static_cast<std::uint32_t>(records_.size()));
  records_.append(reinterpret_cast<const char*>(&number), sizeof number);
  records_.append(reinterpret_cast<const char*>(&length), sizeof length);
  records_ += word;
  if (records_.size() >= layout::kFree) {
    throw DataError(source_ +
                    ": the words have more than 4 GiB of text; convert only the most frequent ones "
                    "with --most-words");
  }
  XXH3_64bits_update(&sum_, &length, sizeof length);
  XXH3_64bits_update(&sum_, word.data(), word.size());
  return true;
}

void WordVectorsWriter::add_floats(std::span<const float> numbers) {
  const std::string_view bytes = bytes_of(numbers);
  XXH3_64bits_update(&sum_, bytes.data(), bytes.size());
  file_.append(bytes);
}

// The largest number becomes 127, and the others steps of the same size.
void WordVectorsWriter::add_eight_bit(std::span<const float> numbers) {
  float largest = 0;
  for (const float number : numbers) largest = std::max(largest, std::abs(number));
  const float scale = largest / 127.0F;
  row_.clear();
  for (const float number : numbers) {
    const float steps = scale > 0 ? std::nearbyint(number / scale) : 0.0F;
    row_ += static_cast<char>(static_cast<std::int8_t>(std::clamp(steps, -127.0F, 127.0F)));
  }
  scales_.push_back(scale);
  XXH3_64bits_update(&sum_, &scale, sizeof scale);
  XXH3_64bits_update(&sum_, row_.data(), row_.size());
  file_.append(row_);
}

void WordVectorsWriter::finish() {
  const layout::Shape shape{.words = offsets_.size(),
                            .dimensions = dimensions_,
                            .bits = eight_bit_ ? 8u : 32u,
                            .hash = hash_combine(XXH3_64bits_digest(&sum_), dimensions_)};
  if (eight_bit_) {
    file_.begin(layout::kScales);
    file_.append(bytes_of(scales_));
  }
  file_.begin(layout::kShape);
  file_.append(bytes_of(std::span<const layout::Shape>(&shape, 1)));
  file_.begin(layout::kSlots);
  file_.append(bytes_of(place(seen_)));
  file_.begin(layout::kOffsets);
  file_.append(bytes_of(offsets_));
  file_.begin(layout::kRecords);
  file_.append(records_);
  file_.finish();
}

}  // namespace capella::resource
