#include "io/item_ids.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/ascii.h"

namespace capella::io {
namespace {

constexpr std::size_t kCocoDigits = 12;
constexpr std::string_view kDecimalZero = ".0";

bool is_whole_decimal(std::string_view id) {
  if (!id.ends_with(kDecimalZero)) return false;
  id.remove_suffix(kDecimalZero.size());
  if (id.starts_with('-')) id.remove_prefix(1);
  return is_digits(id);
}

// The name of an image file without folders and extension.
std::string_view image_stem(std::string_view path) {
  constexpr std::array<std::string_view, 4> kImageExtensions{".jpg", ".jpeg", ".png", ".webp"};
  path.remove_prefix(path.rfind('/') + 1);
  for (const std::string_view extension : kImageExtensions) {
    if (path.size() <= extension.size()) continue;
    const std::string_view stem = path.substr(0, path.size() - extension.size());
    if (lowered_ascii(path.substr(stem.size())) == extension) return stem;
  }
  return path;
}

template <class Change>
void change_ids(CaptionTable& table, Change change) {
  for (CaptionRow& row : table.rows) row.id = change(row.id);
  for (Skipped& row : table.skipped) row.id = std::string(change(row.id));
  if (!table.tests) return;
  CaptionTable tests = *table.tests;
  change_ids(tests, change);
  table.tests = std::make_shared<const CaptionTable>(std::move(tests));
}

}  // namespace

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

std::optional<std::string_view> coco_number(std::string_view stem) {
  if (stem.starts_with('0') && is_digits(stem)) return without_zeros(stem);
  if (stem.size() < kCocoDigits) return std::nullopt;
  const std::string_view digits = stem.substr(stem.size() - kCocoDigits);
  const std::string_view before = stem.substr(0, stem.size() - kCocoDigits);
  const bool known = before.empty() || (before.starts_with("COCO_") && before.ends_with('_'));
  if (!known || !is_digits(digits)) return std::nullopt;
  return without_zeros(digits);
}

std::string_view coco_id(std::string_view id) {
  const std::string_view stem = image_stem(id);
  if (is_digits(stem)) return without_zeros(stem);
  return coco_number(stem).value_or(id);
}

void number_ids(CaptionTable& table) {
  change_ids(table, coco_id);
}

void drop_decimal_zeros(CaptionTable& table) {
  const auto decimal = [](const CaptionRow& row) { return is_whole_decimal(row.id); };
  if (table.rows.empty() || !std::ranges::all_of(table.rows, decimal)) return;
  change_ids(table, [](std::string_view id) {
    return is_whole_decimal(id) ? id.substr(0, id.size() - kDecimalZero.size()) : id;
  });
}

}  // namespace capella::io
