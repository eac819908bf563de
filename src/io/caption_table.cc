#include "io/caption_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace capella::io {

std::size_t CaptionTable::line(const CaptionRow& row) const {
  return locate ? locate(std::span(&row.position, 1)).front() : row.position;
}

std::string place(std::string_view source, std::size_t line) {
  return line == 0 ? std::string(source) : fmt::format("{}:{}", source, line);
}

std::string_view TextStore::copy(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > left_) {
    const std::size_t size = std::max(kBlockSize, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    free_ = blocks_.back().get();
    left_ = size;
  }
  char* const place = free_;
  std::memcpy(place, text.data(), text.size());
  free_ += text.size();
  left_ -= text.size();
  return {place, text.size()};
}

CaptionTableBuilder::CaptionTableBuilder(std::string source, std::string_view format)
    : owned_(std::make_shared<Owned>()) {
  table_.source = std::move(source);
  table_.format = format;
  table_.text = owned_;
}

void CaptionTableBuilder::add(std::string_view id, std::string_view caption, std::size_t line) {
  add_view(copy(id), copy(caption), line);
}

void CaptionTableBuilder::add_view(std::string_view id, std::string_view caption, std::size_t position) {
  table_.rows.push_back({id, caption, position});
}

}  // namespace capella::io
