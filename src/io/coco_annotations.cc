#include "io/coco_annotations.h"

#include <algorithm>

#include <tsl/robin_map.h>

#include "io/json_members.h"
#include "io/json_rows.h"
#include "io/json_table.h"

namespace capella::io {
namespace {

using Order = tsl::robin_map<std::string_view, std::size_t>;

// The place of each image in the list `images`. `names` holds the ids that are numbers.
Order image_order(const Source& source, CaptionTableBuilder& names) {
  Order order;
  const auto images = find_list(source.json->root, "images");
  if (!images) return order;
  for (const element image : images->list) {
    element id;
    std::string_view text;
    if (!image["id"].get(id) && take_id(id, {names}, text).empty()) order.emplace(text, order.size());
  }
  return order;
}

// Sorts rows by image; rows of images that are not listed keep their order behind the others.
void sort_rows(const Source& source, std::vector<CaptionRow>& rows) {
  CaptionTableBuilder names(source.name);
  const Order order = image_order(source, names);
  std::vector<std::size_t> keys;
  keys.reserve(rows.size());
  for (const CaptionRow& row : rows) {
    const auto found = order.find(row.id);
    keys.push_back(found == order.end() ? order.size() : found->second);
  }
  if (std::is_sorted(keys.begin(), keys.end())) return;
  std::vector<std::size_t> begins(order.size() + 2, 0);
  for (const std::size_t key : keys) ++begins[key + 1];
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::vector<CaptionRow> sorted(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) sorted[begins[keys[i]]++] = rows[i];
  rows = std::move(sorted);
}

}  // namespace

bool is_coco_annotations(const Source& source, const ReadOptions&) {
  return source.json && find_list(source.json->root, "annotations");
}

CaptionTable read_coco_annotations(const Source& source, const ReadOptions& options) {
  const auto annotations = find_list(source.json->root, "annotations");
  const auto add = [&](element row, std::size_t ordinal, CaptionTableBuilder& builder, std::string_view& id) {
    return add_row(row, ordinal, {builder, false, options.columns()}, id);
  };
  CaptionTable table =
      read_json_rows(source, {annotations->ordinal}, annotations->list, options.skip_bad, add);
  sort_rows(source, table.rows);
  return table;
}

}  // namespace capella::io
