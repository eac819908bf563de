#include "io/benchmark_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/is_file.h"
#include "base/names.h"
#include "io/benchmark_records.h"

namespace capella::io {
namespace {

using RowFields = std::vector<std::string>;

struct Layout {
  std::string_view name;
  std::vector<std::string_view> own;      // a file of this layout has one of these at least
  std::vector<std::string_view> telling;  // a file that has one of these is of this layout
};

// Those that are one file.
const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all = {
      {"composite", {"human_rating", "candidate_no"}, {"human_rating"}},
      {"pascal50s", {"votes", "category", "HC", "HI", "HM", "MM"}, {"votes", "HC", "HI", "HM", "MM"}},
      {"foil", {"foil", "annotations"}, {"foil"}},
      {"challenge", {"kind", "better", "worse"}, {"better", "worse"}},
      {"nebula", {"mt", "cand", "score", "human_score"}, {"mt", "cand"}},
      {"polaris", {"mt", "cand", "score", "human_score"}, {"mt", "cand"}}};
  return all;
}

bool is_flickr8k(const std::string& path) {
  return is_file(path + "/ExpertAnnotations.txt") || is_file(path + "/CrowdFlowerAnnotations.txt");
}

bool has_one_of(const RowFields& names, const std::vector<std::string_view>& wanted) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return std::ranges::find(wanted, name) != wanted.end(); });
}

// What the first row has; nothing if it cannot be read.
RowFields names_of_first_row(const std::string& path) {
  RowFields names;
  bool first = true;
  try {
    const Source source = open_records(path, "rows");
    for_each_record(source, [&](const Record& record) {
      if (std::exchange(first, false)) names = record.names();
    });
  } catch (const Error&) {
  }
  return names;
}

std::string advice(const RowFields& names) {
  std::vector<std::string_view> alike;
  for (const Layout& layout : layouts()) {
    if (has_one_of(names, layout.telling)) alike.push_back(layout.name);
  }
  if (alike.empty()) return "give another file, or name its layout";
  return fmt::format("it looks like {}; name that layout", fmt::join(alike, " or "));
}

std::string doubt_of_fields(const Layout& layout, const std::string& path) {
  const RowFields names = names_of_first_row(path);
  if (names.empty() || has_one_of(names, layout.own)) return "";
  return fmt::format("{}: is it in the layout {}? Its first row has {}, expected {} among them; {}", path,
                     layout.name, excerpt(fmt::format("{}", fmt::join(names, ", "))),
                     fmt::join(layout.own, " or "), advice(names));
}

}  // namespace

std::string layout_doubt(std::string_view layout, const std::string& path) {
  const auto found = std::ranges::find(layouts(), layout, &Layout::name);
  if (found == layouts().end()) {
    if (!is_file(path) || !layout.starts_with("flickr8k")) return "";
    return fmt::format("{}: is it in the layout {}? It is a file, expected the folder of Flickr8k; {}", path,
                       layout, advice(names_of_first_row(path)));
  }
  if (is_flickr8k(path))
    return fmt::format(
        "{}: is it in the layout {}? It is a folder with Flickr8k's judgements, expected a file; name "
        "flickr8k-expert or flickr8k-cf",
        path, layout);
  return is_file(path) ? doubt_of_fields(*found, path) : "";
}

}  // namespace capella::io
