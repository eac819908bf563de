// Composite: three captions for each of 3,995 images, the first written by a person, rated 1 to 5.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/ascii.h"
#include "base/names.h"
#include "io/benchmark_builder.h"
#include "io/benchmark_readers.h"
#include "io/benchmark_records.h"

namespace capella::io {
namespace {

// The reference from which the rated human caption was copied: the nearest by edit distance, case aside. The
// copies lost capitals and punctuation, so that equal texts are not enough. Empty if none is near.
std::string copied_reference(const std::vector<std::string>& references, std::string_view human) {
  std::vector<std::string> lower;
  for (const std::string& reference : references) lower.push_back(lowered_ascii(reference));
  const Texts candidates(lower.begin(), lower.end());
  const std::string_view nearest = nearest_name(lowered_ascii(human), candidates);
  const auto found = std::find(candidates.begin(), candidates.end(), nearest);
  if (found == candidates.end()) return "";
  return references[static_cast<std::size_t>(found - candidates.begin())];
}

// By image, the reference that is a rated caption itself.
tsl::robin_map<std::string, std::string> copied_references(const Source& source) {
  tsl::robin_map<std::string, std::string> copied;
  for_each_record(source, [&](const Record& record) {
    if (record.whole({"candidate_no"}, 100) != 0) return;
    copied[record.id({"image"})] = copied_reference(record.texts({"references"}), record.text({"caption"}));
  });
  return copied;
}

// The references less one that is equal to `text`.
Texts without(Texts references, std::string_view text) {
  const auto found = std::find(references.begin(), references.end(), text);
  if (found != references.end()) references.erase(found);
  return references;
}

// Which of the data sets that Composite is made of are left out.
class LeftOutParts {
 public:
  explicit LeftOutParts(const std::vector<std::string>& names) : names_(names.begin(), names.end()) {}

  /// Whether the record, the next of the file, is left out.
  bool has(const Record& record, Benchmark& benchmark) {
    if (names_.empty()) return false;
    const std::string part(record.text({"dataset"}));
    ++rows_of_[part];
    const bool left_out = names_.contains(part);
    if (!left_out) benchmark.kept.push_back(static_cast<std::uint32_t>(benchmark.file_rows));
    ++benchmark.file_rows;
    return left_out;
  }

  /// Throws UsageError if a name stands for nothing.
  void settle(Benchmark& benchmark) const {
    std::vector<std::string_view> known;
    for (const auto& [part, rows] : rows_of_) known.push_back(part);
    for (const std::string& name : names_) {
      if (!rows_of_.contains(name))
        throw UsageError(unknown_name_message("part of the benchmark", name, known));
      benchmark.notes.push_back(
          fmt::format("the {} rows of {} are left out", grouped(rows_of_.at(name)), name));
    }
  }

 private:
  std::set<std::string> names_;
  std::map<std::string, std::size_t> rows_of_;
};

}  // namespace

Benchmark read_composite(const std::string& path, const BenchmarkOptions& options) {
  const Source source = open_records(path, "ratings");
  const auto copied = copied_references(source);
  BenchmarkBuilder builder;
  Benchmark& benchmark = builder.benchmark();
  CarriedScores fleur{"FLEUR", {}};
  std::size_t whole = 0;
  LeftOutParts left_out(options.without);
  for_each_record(source, [&](const Record& record) {
    if (left_out.has(record, benchmark)) return;
    const std::string image = record.id({"image"});
    const Texts references = builder.copy(record.texts({"references"}));
    const double rating = record.number({"human_rating"}, {1, 5});
    const auto found = copied.find(image);
    const Texts left = found == copied.end() ? references : without(references, found->second);
    whole += left.size() == references.size() ? 1 : 0;
    builder.add_row(image, builder.copy(record.text({"caption"})), left);
    benchmark.ratings.push_back(rating);
    if (record.has({"fleur_score"})) fleur.values.push_back(record.number({"fleur_score"}));
  });
  if (fleur.values.size() == builder.rows()) benchmark.carried.push_back(std::move(fleur));
  benchmark.version = "correctness ratings 1-5";
  benchmark.notes.push_back(
      fmt::format("the reference that is the rated human caption is left out; {} rows have none like it",
                  grouped(whole)));
  left_out.settle(benchmark);
  return builder.build(options.without.empty() ? 11985 : 0);
}

}  // namespace capella::io
