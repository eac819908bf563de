// Challenge sets: pairs of a better and a worse caption, by kinds. `capella meta challenge-set` makes such
// files; anybody may write one, with kinds of their own.
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/benchmark_builder.h"
#include "io/benchmark_readers.h"
#include "io/benchmark_records.h"

namespace capella::io {
namespace {

constexpr std::size_t kMostKinds = 100;
constexpr std::string_view kMean = "mean";  // the column beside the kinds

class ChallengePairs {
 public:
  explicit ChallengePairs(const BenchmarkOptions& options) {
    if (!options.references.empty()) table_.emplace(options.references);
  }

  void add(const Record& record) {
    const std::uint32_t kind = kind_number(record.text({"kind"}));
    const std::string image = record.id({"image_id", "image"});
    const std::string_view better = record.text({"better"});
    const std::string_view worse = record.text({"worse"});
    if (better == worse) throw RowProblem{"better and worse are the same caption, expected two"};
    Texts references;
    const auto keep = [&](std::string_view reference) {
      if (reference != better) references.push_back(builder_.copy(reference));
    };
    if (table_) {
      for (const std::string_view reference : table_->of(image)) keep(reference);
    } else {
      for (const std::string& reference : record.texts({"references"})) keep(reference);
    }
    const std::array captions{builder_.copy(better), builder_.copy(worse)};
    builder_.add_pair(image, captions, references, {kind, 0});
  }

  Benchmark build() {
    Benchmark& benchmark = builder_.benchmark();
    benchmark.half_ties = true;
    benchmark.version = fmt::format("{} kind{} of pairs; all references that differ from the better caption",
                                    benchmark.categories.size(), benchmark.categories.size() == 1 ? "" : "s");
    return builder_.build();
  }

 private:
  // Kinds are numbered as they are first seen. A row that fails later has named its kind for nothing; then
  // the whole file fails.
  std::uint32_t kind_number(std::string_view kind) {
    std::vector<std::string>& kinds = builder_.benchmark().categories;
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found != kinds.end()) return static_cast<std::uint32_t>(found - kinds.begin());
    if (kind.empty() || kind == kMean)
      throw RowProblem{fmt::format("kind is \"{}\", expected a name other than that of the mean", kind)};
    if (kinds.size() == kMostKinds)
      throw RowProblem{fmt::format("kind is \"{}\", one more than the {} that can be told apart",
                                   excerpt(kind), kMostKinds)};
    kinds.emplace_back(kind);
    return static_cast<std::uint32_t>(kinds.size() - 1);
  }

  BenchmarkBuilder builder_;
  std::optional<ReferenceTable> table_;
};

}  // namespace

Benchmark read_challenge(const std::string& path, const BenchmarkOptions& options) {
  ChallengePairs pairs(options);
  for_each_record(open_records(path, "pairs of a better and a worse caption"),
                  [&](const Record& record) { pairs.add(record); });
  return pairs.build();
}

}  // namespace capella::io
