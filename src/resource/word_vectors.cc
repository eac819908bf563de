#include "resource/word_vectors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/names.h"
#include "resource/word_vectors_check.h"

namespace capella::resource {
namespace {

namespace layout = vectors_layout;

layout::Shape shape_of(const SectionFile& file) {
  const auto shapes = file.section<layout::Shape>(layout::kShape);
  if (shapes.size() != 1) file.reject("it has no shape");
  const layout::Shape shape = shapes[0];
  const bool possible = shape.words > 0 && shape.words < WordVectors::kNone && shape.dimensions > 0 &&
                        shape.dimensions <= layout::kMostDimensions && (shape.bits == 8 || shape.bits == 32);
  if (!possible) {
    file.reject(fmt::format("found {} x {} numbers of {} bits", shape.words, shape.dimensions, shape.bits));
  }
  return shape;
}

// A section that must have a certain number of items.
template <class T>
std::span<const T> sized_section(const SectionFile& file, std::string_view name, std::size_t size) {
  const auto items = file.section<T>(name);
  if (items.size() != size) {
    file.reject(fmt::format("the section {} has {} items, expected {}", name, items.size(), size));
  }
  return items;
}

}  // namespace

WordVectors::WordVectors(const std::string& path, std::string name, std::string remedy)
    : file_(path, layout::kKind, layout::kVersion, std::move(remedy)), name_(std::move(name)) {
  const layout::Shape shape = shape_of(file_);
  words_ = shape.words;
  dimensions_ = shape.dimensions;
  hash_ = shape.hash;
  slots_ = file_.section<layout::Slot>(layout::kSlots);
  if (slots_.size() < 2 * layout::kGroup || !std::has_single_bit(slots_.size())) {
    file_.reject(fmt::format("a table of {} slots", slots_.size()));
  }
  shift_ = layout::shift_for(slots_.size());
  offsets_ = sized_section<std::uint32_t>(file_, layout::kOffsets, words_);
  records_ = file_.section<char>(layout::kRecords);
  if (shape.bits == 32) {
    floats_ = sized_section<float>(file_, layout::kNumbers, words_ * dimensions_);
  } else {
    bytes_ = sized_section<std::int8_t>(file_, layout::kNumbers, words_ * dimensions_);
    scales_ = sized_section<float>(file_, layout::kScales, words_);
  }
}

WordVectors::Record WordVectors::record_at(std::size_t offset) const {
  const std::size_t room = records_.size() - std::min(offset, records_.size());
  Record record{};
  std::uint16_t length = 0;
  if (room >= layout::kRecordHead) {
    std::memcpy(&record.number, records_.data() + offset, sizeof record.number);
    std::memcpy(&length, records_.data() + offset + sizeof record.number, sizeof length);
  }
  if (room < layout::kRecordHead + length || record.number >= words_) {
    file_.reject("a word's record lies outside the table");
  }
  record.word = {records_.data() + offset + layout::kRecordHead, length};
  return record;
}

std::uint32_t WordVectors::find(std::string_view word) const {
  const std::uint64_t hash = layout::word_hash(word);
  std::size_t place = (hash >> shift_) * layout::kGroup;
  for (std::size_t tried = 0; tried < slots_.size(); ++tried) {
    const layout::Slot slot = slots_[place];
    if (slot.offset == layout::kFree) return kNone;
    if (slot.tag == layout::tag_of(hash)) {
      const Record record = record_at(slot.offset);
      if (record.word == word) return record.number;
    }
    place = (place + 1) % slots_.size();
  }
  return kNone;
}

std::string_view WordVectors::word(std::uint32_t number) const {
  assert(number < words_);
  return record_at(offsets_[number]).word;
}

void WordVectors::read(std::uint32_t number, std::span<float> out) const {
  assert(number < words_ && out.size() == dimensions_);
  const std::size_t begin = number * dimensions_;
  if (!floats_.empty()) {
    std::ranges::copy(floats_.subspan(begin, dimensions_), out.begin());
  } else {
    const float scale = scales_[number];
    std::ranges::transform(bytes_.subspan(begin, dimensions_), out.begin(),
                           [scale](std::int8_t step) { return static_cast<float>(step) * scale; });
  }
  if (const std::string problem = vector_problem(out, kLongestConvertedVector); !problem.empty()) {
    file_.reject(fmt::format("the word '{}' {}", excerpt(word(number)), problem));
  }
}

std::string WordVectors::description() const {
  return fmt::format("{}({}x{},#{:08x})", name_, words_, dimensions_, static_cast<std::uint32_t>(hash_));
}

}  // namespace capella::resource
