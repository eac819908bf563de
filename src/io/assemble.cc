#include "io/assemble.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/item_ids.h"

namespace capella::io {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

using Names = std::vector<std::string_view>;
using Rows = std::vector<const CaptionRow*>;

struct Items {
  Names ids;
  tsl::robin_map<std::string_view, std::size_t> index;
  std::vector<std::size_t> of_row;  // the item of each row of references
};

// The rows of one item mostly follow each other, so the last id is compared before it is looked up.
Items number_items(const CaptionTable& references) {
  Items items;
  items.of_row.reserve(references.rows.size());
  for (const CaptionRow& row : references.rows) {
    std::size_t item = items.of_row.empty() ? kNone : items.of_row.back();
    if (item == kNone || items.ids[item] != row.id) {
      const auto [found, is_new] = items.index.emplace(row.id, items.ids.size());
      if (is_new) items.ids.push_back(row.id);
      item = found->second;
    }
    items.of_row.push_back(item);
  }
  return items;
}

// A system's captions by item, and what does not fit.
struct Match {
  std::vector<std::size_t> row_of_item;
  Names missing;
  Rows unknown;
  Rows doubled;
};

// The item of each row; kNone for an id that the references do not have.
std::vector<std::size_t> items_of_rows(const CaptionTable& table, const Items& items) {
  std::vector<std::size_t> of_row;
  of_row.reserve(table.rows.size());
  for (const CaptionRow& row : table.rows) {
    if (table.aligned) {
      const bool same = !of_row.empty() && row.id == table.rows[of_row.size() - 1].id;
      of_row.push_back(of_row.empty() ? 0 : of_row.back() + (same ? 0 : 1));
    } else {
      const auto found = items.index.find(row.id);
      of_row.push_back(found == items.index.end() ? kNone : found->second);
    }
  }
  return of_row;
}

// Without ids there must be as many captions as items.
void check_count(const CaptionTable& table, std::size_t count, const CaptionTable& references,
                 const Items& items) {
  if (count == items.ids.size()) return;
  throw DataError(
      fmt::format("{}: {} captions without ids, expected {}, one for each item of {}; make the "
                  "numbers equal, or use a format with ids",
                  table.source, count, items.ids.size(), references.source));
}

Match match_rows(const CaptionTable& table, const CaptionTable& references, const Items& items) {
  const std::vector<std::size_t> of_row = items_of_rows(table, items);
  if (table.aligned) check_count(table, of_row.empty() ? 0 : of_row.back() + 1, references, items);
  Match match;
  match.row_of_item.assign(items.ids.size(), kNone);
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    if (of_row[i] == kNone) {
      match.unknown.push_back(&table.rows[i]);
    } else if (match.row_of_item[of_row[i]] != kNone) {
      match.doubled.push_back(&table.rows[i]);
    } else {
      match.row_of_item[of_row[i]] = i;
    }
  }
  for (std::size_t item = 0; item < items.ids.size(); ++item) {
    if (match.row_of_item[item] == kNone) match.missing.push_back(items.ids[item]);
  }
  return match;
}

Names distinct_ids(const Rows& rows) {
  Names ids;
  tsl::robin_set<std::string_view> seen;
  for (const CaptionRow* row : rows) {
    if (seen.insert(row->id).second) ids.push_back(row->id);
  }
  return ids;
}

// The ids under which a table lists malformed rows.
tsl::robin_set<std::string_view> malformed_ids(const CaptionTable& table) {
  tsl::robin_set<std::string_view> ids;
  for (const Skipped& row : table.skipped) ids.insert(row.id);
  return ids;
}

std::string ids_text(std::size_t count) {
  return count == 1 ? "1 id" : fmt::format("{} ids", count);
}

void check_doubled(const CaptionTable& table, const Rows& doubled) {
  if (doubled.empty()) return;
  const Names ids = distinct_ids(doubled);
  throw DataError(
      fmt::format("{}: {} with more than one caption, expected one caption per id: {}; "
                  "keep one caption of each",
                  place(table.source, table.line(*doubled.front())), ids_text(ids.size()), list_names(ids)));
}

// Throws if most ids have several captions where one is expected, and one reference where several may be: the
// files are given in the wrong order. The ids themselves may differ.
void check_swapped(const CaptionTable& table, const CaptionTable& references, const Items& items,
                   const Match& match) {
  const bool single = items.ids.size() == references.rows.size();
  if (!single || (match.doubled.empty() && match.unknown.empty())) return;
  tsl::robin_map<std::string_view, std::size_t> counts;
  for (const CaptionRow& row : table.rows) ++counts[row.id];
  const auto several = static_cast<std::size_t>(
      std::ranges::count_if(counts, [](const auto& count) { return count.second > 1; }));
  if (2 * several <= counts.size()) return;
  throw DataError(fmt::format(
      "{0}: {2} with more than one caption, expected one caption per id, and {1} has one reference "
      "for each id; REFS and HYPS look swapped, so give the references first: {0} {1}",
      table.source, references.source, ids_text(several)));
}

// Says that `--ids coco` helps, if it does.
std::string coco_hint(const Items& items, std::span<const Match> matches) {
  tsl::robin_map<std::string_view, std::string_view> numbers;
  for (const std::string_view id : items.ids) numbers.emplace(coco_id(id), id);
  std::size_t count = 0;
  std::string example;
  for (const Match& match : matches) {
    for (const std::string_view id : distinct_ids(match.unknown)) {
      const auto found = numbers.find(coco_id(id));
      if (found == numbers.end()) continue;
      if (count++ == 0) example = fmt::format("{} as {}", excerpt(id), excerpt(found->second));
    }
  }
  if (count == 0) return "";
  return fmt::format("{} would match as COCO's numbers, such as {}: give --ids coco\n", ids_text(count),
                     example);
}

std::string misfit_message(const CaptionTable& table, const CaptionTable& references, const Items& items,
                           const Match& match) {
  std::string message;
  if (!match.missing.empty()) {
    message += fmt::format("{}: no caption for {} of the {} in {}: {}\n", table.source, match.missing.size(),
                           ids_text(items.ids.size()), references.source, list_names(match.missing));
  }
  if (!match.unknown.empty()) {
    const Names unknown = distinct_ids(match.unknown);
    message += fmt::format("{}: {} not in {}: {}\n", place(table.source, table.line(*match.unknown.front())),
                           ids_text(unknown.size()), references.source, list_names(unknown));
  }
  if (match.missing.size() == items.ids.size())
    message += "no id is in both files; do they belong together?\n";
  return message;
}

void check_misfits(const CaptionTable& references, std::span<const NamedTable> systems, const Items& items,
                   std::span<const Match> matches) {
  std::string message;
  for (std::size_t k = 0; k < systems.size(); ++k) {
    message += misfit_message(*systems[k].table, references, items, matches[k]);
  }
  if (message.empty()) return;
  throw DataError(message + coco_hint(items, matches) +
                  "complete the files, or score the items that all of them have with --missing skip");
}

// Marks the items that every system has and lists the others. A caption that is missing because its row is
// malformed has been listed already.
std::vector<bool> keep_common(std::span<const NamedTable> systems, const Items& items,
                              std::span<const Match> matches, std::vector<Skipped>& skipped) {
  std::vector<bool> keep(items.ids.size(), true);
  std::vector<std::string> lacking(items.ids.size());
  for (std::size_t k = 0; k < systems.size(); ++k) {
    const auto malformed = malformed_ids(*systems[k].table);
    for (std::size_t item = 0; item < keep.size(); ++item) {
      if (matches[k].row_of_item[item] != kNone) continue;
      keep[item] = false;
      if (malformed.contains(items.ids[item])) continue;
      lacking[item] += (lacking[item].empty() ? "" : ", ") + systems[k].table->source;
    }
  }
  for (std::size_t item = 0; item < keep.size(); ++item) {
    if (!lacking[item].empty())
      skipped.push_back({std::string(items.ids[item]), "no caption in " + lacking[item]});
  }
  return keep;
}

// Lists the ids that are in no reference, but for those whose references are malformed and listed already.
void list_unknown(const CaptionTable& references, std::span<const NamedTable> systems,
                  std::span<const Match> matches, std::vector<Skipped>& skipped) {
  const auto malformed = malformed_ids(references);
  for (std::size_t k = 0; k < systems.size(); ++k) {
    for (const std::string_view id : distinct_ids(matches[k].unknown)) {
      if (malformed.contains(id)) continue;
      skipped.push_back({std::string(id),
                         fmt::format("in {}, but not in {}", systems[k].table->source, references.source)});
    }
  }
}

void check_any_kept(const CaptionTable& references, const std::vector<bool>& keep, const Items& items,
                    std::span<const Match> matches) {
  if (std::find(keep.begin(), keep.end(), true) != keep.end()) return;
  throw DataError(
      fmt::format("{}{}: no item has a caption from every system, so nothing is left to score; "
                  "do the files belong together?",
                  coco_hint(items, matches), references.source));
}

// Groups the references by item, keeping their order within each.
void add_references(const CaptionTable& table, const Items& items, const std::vector<bool>& keep,
                    Dataset::Parts& parts) {
  std::vector<std::size_t> ends(items.ids.size(), 0);
  for (const std::size_t item : items.of_row) ends[item] += keep[item] ? 1 : 0;
  std::size_t total = 0;
  for (std::size_t item = 0; item < ends.size(); ++item) {
    total += std::exchange(ends[item], total);
    if (!keep[item]) continue;
    parts.ids.push_back(items.ids[item]);
    parts.reference_ends.push_back(total);
  }
  parts.references.resize(total);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::size_t item = items.of_row[i];
    if (keep[item]) parts.references[ends[item]++] = table.rows[i].caption;
  }
}

Dataset::System make_system(const NamedTable& named, const Match& match, const std::vector<bool>& keep) {
  Dataset::System system{named.name, {}};
  for (std::size_t item = 0; item < keep.size(); ++item) {
    if (keep[item]) system.captions.push_back(named.table->rows[match.row_of_item[item]].caption);
  }
  return system;
}

}  // namespace

Dataset assemble(const CaptionTable& references, std::span<const NamedTable> systems,
                 const AssembleOptions& options) {
  const Items items = number_items(references);
  std::vector<Match> matches;
  for (const NamedTable& system : systems) {
    matches.push_back(match_rows(*system.table, references, items));
  }
  for (std::size_t k = 0; k < systems.size(); ++k) {
    check_swapped(*systems[k].table, references, items, matches[k]);
    check_doubled(*systems[k].table, matches[k].doubled);
  }
  if (options.missing == Missing::error) check_misfits(references, systems, items, matches);

  Dataset::Parts parts;
  auto texts = std::make_shared<std::vector<std::shared_ptr<const void>>>(1, references.text);
  parts.skipped = references.skipped;
  for (const NamedTable& system : systems) {
    texts->push_back(system.table->text);
    parts.skipped.insert(parts.skipped.end(), system.table->skipped.begin(), system.table->skipped.end());
  }
  parts.text = std::move(texts);
  const std::vector<bool> keep = keep_common(systems, items, matches, parts.skipped);
  list_unknown(references, systems, matches, parts.skipped);
  check_any_kept(references, keep, items, matches);
  add_references(references, items, keep, parts);
  for (std::size_t k = 0; k < systems.size(); ++k) {
    parts.systems.push_back(make_system(systems[k], matches[k], keep));
  }
  return Dataset(std::move(parts));
}

}  // namespace capella::io
