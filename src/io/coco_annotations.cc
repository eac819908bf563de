#include "io/coco_annotations.h"

#include <algorithm>

#include <tsl/robin_map.h>

#include "io/json_members.h"
#include "io/json_rows.h"
#include "io/problems.h"

namespace capella::io {
namespace {

using Order = tsl::robin_map<std::string_view, std::size_t>;

// The place of each image in the list `images`.
Order image_order(const Source& source, CaptionTableBuilder& builder) {
  Order order;
  const auto images = find_list(source.json->root, "images");
  if (!images) return order;
  for (const element image : images->list) {
    element id;
    std::string_view text;
    if (!image["id"].get(id) && take_id(id, {builder}, text).empty()) order.emplace(text, order.size());
  }
  return order;
}

// Sorts rows by image; rows of images that are not listed keep their order behind the others.
void sort_rows(const Order& order, std::vector<CaptionRow>& rows) {
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

bool is_coco_annotations(const Source& source) {
  return source.json && find_list(source.json->root, "annotations");
}

CaptionTable read_coco_annotations(const Source& source, const ReadOptions& options) {
  const auto annotations = find_list(source.json->root, "annotations");
  CaptionTableBuilder builder(source.name);
  builder.keep(source.json);
  builder.set_locator(json_locator(source.text, source.content, {annotations->ordinal}));
  Problems problems(options.skip_bad);
  std::size_t ordinal = 0;
  for (const element row : annotations->list) {
    std::string_view id;
    std::string problem = add_row(row, ordinal, {builder}, id);
    if (!problem.empty()) problems.add(ordinal, id, std::move(problem));
    ++ordinal;
  }
  builder.set_skipped(problems.settle(source.name, builder.table().locate));
  const Order order = image_order(source, builder);
  CaptionTable table = builder.build();
  sort_rows(order, table.rows);
  return table;
}

}  // namespace capella::io
