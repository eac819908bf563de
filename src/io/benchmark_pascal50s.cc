// PASCAL-50S: pairs of captions of 1,000 images, of which people preferred one. Two files are known, with
// labels from two collections of votes; docs/human-judgement.md tells them apart.
#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/benchmark_builder.h"
#include "io/benchmark_readers.h"
#include "io/benchmark_records.h"
#include "io/json_members.h"

namespace capella::io {
namespace {

constexpr std::array<std::string_view, 4> kCategories{"HC", "HI", "HM", "MM"};
constexpr std::size_t kPublishedRows = 8000;

std::optional<std::uint32_t> category_number(std::string_view name) {
  const auto found = std::find(kCategories.begin(), kCategories.end(), name);
  if (found == kCategories.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - kCategories.begin());
}

// Whether the text is an object with lists of pairs by category.
bool is_by_category(const Source& source) {
  return source.json && std::any_of(kCategories.begin(), kCategories.end(), [&](std::string_view category) {
           return find_list(source.json->root, category).has_value();
         });
}

// Calls visit(record, category) for all pairs, in file order.
template <class Visit>
void for_each_labelled_pair(const Source& source, Visit visit) {
  std::array<bool, kCategories.size()> seen{};
  for (const auto& [name, list] : simdjson::dom::object(source.json->root)) {
    const auto category = category_number(name);
    if (!category) {
      throw DataError(fmt::format("{}: the category \"{}\" is not known, expected HC, HI, HM and MM",
                                  source.name, excerpt(name)));
    }
    if (std::exchange(seen[*category], true)) {
      throw DataError(fmt::format(
          "{}: the category \"{}\" stands there twice, expected it once; join the lists", source.name, name));
    }
    for_each_member_record(source, name, [&](const Record& record) { visit(record, *category); });
  }
}

// Without one of the categories there is no mean over them.
void check_categories(const Source& source, const Benchmark& benchmark) {
  std::vector<std::string_view> missing(kCategories.begin(), kCategories.end());
  for (const Benchmark::Pair& pair : benchmark.pairs) std::erase(missing, kCategories[pair.category]);
  if (missing.empty()) return;
  throw DataError(fmt::format("{}: there are no pairs of {}, expected {}; get the file again", source.name,
                              fmt::join(missing, " and "), fmt::join(kCategories, ", ")));
}

Benchmark read_labelled_pairs(const Source& source) {
  BenchmarkBuilder builder;
  for_each_labelled_pair(source, [&](const Record& record, std::uint32_t category) {
    const std::vector<std::string> captions = record.texts({"captions"});
    if (captions.size() != 2) {
      throw RowProblem{fmt::format("there are {} captions, expected 2", captions.size())};
    }
    const auto preferred = static_cast<std::uint32_t>(record.whole({"label"}, 2));
    builder.add_pair(record.id({"image"}), builder.copy(captions), builder.copy(record.texts({"references"})),
                     {category, preferred});
  });
  builder.benchmark().version = "labels and the draw of references as published with FLEUR";
  return builder.build(kPublishedRows);
}

// References by image for a file that has none: a labelled file's, or captions by image.
class PairReferences {
 public:
  PairReferences(const std::string& path, BenchmarkBuilder& builder) {
    const Source source = open_records(path, "references");
    if (!is_by_category(source)) {
      table_.emplace(source);
      return;
    }
    for_each_labelled_pair(source, [&](const Record& record, std::uint32_t) {
      const std::string image = record.id({"image"});
      const auto [found, is_new] = of_image_.emplace(builder.copy(base_name(image)), Texts{});
      if (is_new) found.value() = builder.copy(record.texts({"references"}));
    });
  }

  Texts of(std::string_view image, BenchmarkBuilder& builder) const {
    if (table_) {
      const auto texts = table_->of(image);
      return builder.copy(std::vector<std::string>(texts.begin(), texts.end()));
    }
    const auto found = of_image_.find(base_name(image));
    if (found != of_image_.end()) return found->second;
    throw RowProblem{
        fmt::format("the image {} has no references, expected it in the file of references", excerpt(image))};
  }

 private:
  std::optional<ReferenceTable> table_;
  tsl::robin_map<std::string_view, Texts> of_image_;
};

std::string references_beside(const std::string& path, const BenchmarkOptions& options) {
  if (!options.references.empty()) return options.references;
  const auto beside = std::filesystem::path(path).parent_path() / "pascal_50s.json";
  if (std::filesystem::exists(beside)) return beside.string();
  throw DataError(
      fmt::format("{}: the file has no references, and pascal_50s.json, which has them, is not beside it; "
                  "put it there or name a file of references",
                  path));
}

// A vote of 1 is for the first caption, -1 for the second. As many of one as of the other count for the
// first.
std::uint32_t majority(const std::vector<double>& votes) {
  for (const double vote : votes) {
    if (vote != 1 && vote != -1) throw RowProblem{fmt::format("a vote is {}, expected 1 or -1", vote)};
  }
  return std::accumulate(votes.begin(), votes.end(), 0.0) >= 0 ? 0 : 1;
}

Benchmark read_voted_pairs(const Source& source, const std::string& path, const BenchmarkOptions& options) {
  BenchmarkBuilder builder;
  const PairReferences references(references_beside(path, options), builder);
  std::size_t votes_read = 0;
  std::size_t ties = 0;
  for_each_record(source, [&](const Record& record) {
    const auto category = category_number(record.text({"category"}));
    if (!category) {
      throw RowProblem{fmt::format("the category is \"{}\", expected HC, HI, HM or MM",
                                   excerpt(record.text({"category"})))};
    }
    const std::vector<double> votes = record.numbers({"votes"});
    const std::uint32_t preferred = majority(votes);
    const std::array captions{builder.copy(record.text({"sent1"})), builder.copy(record.text({"sent2"}))};
    const std::string image = record.id({"image"});
    builder.add_pair(image, captions, references.of(image, builder), {*category, preferred});
    votes_read += votes.size();
    ties += std::accumulate(votes.begin(), votes.end(), 0.0) == 0 ? 1 : 0;
  });
  builder.benchmark().version =
      fmt::format("majority of {} single votes, the second collection", grouped(votes_read));
  builder.benchmark().notes.push_back(
      fmt::format("{} pairs have as many votes for one caption as for the other; the first counts as "
                  "preferred",
                  grouped(ties)));
  return builder.build(kPublishedRows);
}

}  // namespace

Benchmark read_pascal50s(const std::string& path, const BenchmarkOptions& options) {
  const Source source = open_records(path, "pairs of captions");
  Benchmark benchmark =
      is_by_category(source) ? read_labelled_pairs(source) : read_voted_pairs(source, path, options);
  check_categories(source, benchmark);
  benchmark.categories.assign(kCategories.begin(), kCategories.end());
  return benchmark;
}

}  // namespace capella::io
