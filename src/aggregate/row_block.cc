#include "aggregate/row_block.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/pairwise_sum.h"

namespace capella::aggregate {
namespace {

void check_same_run(const RowBlock& first, const RowBlock& other, const std::string& first_name,
                    const std::string& name) {
  const auto complain = [&](std::string_view what) {
    throw DataError(fmt::format("{}: its {} differ from those in {}; merge only shards of one run", name,
                                what, first_name));
  };
  if (other.metrics != first.metrics) complain("metrics or their settings");
  if (other.systems != first.systems) complain("systems");
  if (other.total_items != first.total_items) complain("numbers of items");
  if (other.fingerprint != first.fingerprint) complain("references or captions");
}

void check_follows(const RowBlock& whole, const RowBlock& next, const std::string& name) {
  if (next.first_item == whole.ids.size()) return;
  throw DataError(fmt::format("{}: begins at item {}, expected item {}; a shard is {}", name,
                              next.first_item + 1, whole.ids.size() + 1,
                              next.first_item < whole.ids.size() ? "given twice" : "missing"));
}

// Gives parts, which do not know where they belong, their places one after the other.
void place_parts(std::vector<RowBlock>& parts) {
  std::size_t items = 0;
  for (RowBlock& part : parts) {
    part.first_item = items;
    items += part.ids.size();
  }
  for (RowBlock& part : parts) part.total_items = part.total_items == kOpenEnd ? items : part.total_items;
}

// A block of the same run without items.
RowBlock empty_like(const RowBlock& block) {
  RowBlock empty = block;
  empty.ids.clear();
  empty.first_item = 0;
  empty.warnings.clear();
  empty.skipped.clear();
  for (std::vector<double>& rows : empty.rows) rows.clear();
  return empty;
}

// Adds what is not there yet: shards of one run all tell of the same things, parts each of their own.
template <class T, class Same>
void append_new(std::vector<T>& all, const std::vector<T>& more, Same same) {
  const std::size_t known = all.size();
  for (const T& entry : more) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(known);
    if (std::none_of(all.begin(), end, [&](const T& other) { return same(entry, other); }))
      all.push_back(entry);
  }
}

void append_block(RowBlock& whole, const RowBlock& next) {
  whole.ids.insert(whole.ids.end(), next.ids.begin(), next.ids.end());
  for (std::size_t i = 0; i < whole.rows.size(); ++i) {
    whole.rows[i].insert(whole.rows[i].end(), next.rows[i].begin(), next.rows[i].end());
  }
  append_new(whole.warnings, next.warnings, std::equal_to<>());
  append_new(whole.skipped, next.skipped,
             [](const Skipped& a, const Skipped& b) { return a.id == b.id && a.why == b.why; });
}

}  // namespace

std::vector<double> sum_rows(std::span<const double> rows, std::size_t width) {
  std::vector<double> sums(width);
  for (std::size_t column = 0; column < width; ++column) {
    sums[column] = pairwise_sum(rows.data() + column, rows.size() / width, width);
  }
  return sums;
}

RowBlock join_blocks(std::vector<RowBlock> blocks, std::span<const std::string> names) {
  if (blocks.empty()) throw DataError("no statistics to merge");
  if (blocks[0].total_items == kOpenEnd) place_parts(blocks);
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  // Of shards that begin at the same item all but one are empty; they come first.
  const auto place = [&](std::size_t k) { return std::pair(blocks[k].first_item, blocks[k].ids.size()); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  RowBlock whole = empty_like(blocks[0]);
  for (const std::size_t k : order) {
    check_same_run(whole, blocks[k], names[0], names[k]);
    check_follows(whole, blocks[k], names[k]);
    append_block(whole, blocks[k]);
  }
  if (whole.ids.size() != whole.total_items) {
    throw DataError(fmt::format("the shards hold {} of {} items; give all shards of the run",
                                whole.ids.size(), whole.total_items));
  }
  return whole;
}

}  // namespace capella::aggregate
