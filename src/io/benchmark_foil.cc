// FOIL: captions of COCO and the same captions with one noun exchanged for a wrong one.
#include <array>
#include <optional>

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/benchmark_builder.h"
#include "io/benchmark_readers.h"
#include "io/benchmark_records.h"
#include "io/json_members.h"

namespace capella::io {
namespace {

// Adds pairs: the true caption first, the references without it.
class FoilPairs {
 public:
  explicit FoilPairs(const BenchmarkOptions& options) {
    if (!options.references.empty()) table_.emplace(options.references);
  }

  bool has_references() const { return table_.has_value(); }

  template <class Text>
  void add(std::string_view image, std::string_view caption, std::string_view foil,
           const std::vector<Text>& references) {
    Texts others;
    for (const auto& reference : references) {
      if (reference != caption) others.push_back(builder_.copy(reference));
    }
    const std::array captions{builder_.copy(caption), builder_.copy(foil)};
    builder_.add_pair(image, captions, others, {0, 0});
  }

  void add(std::string_view image, std::string_view caption, std::string_view foil) {
    const auto references = table_->of(image);
    add(image, caption, foil, Texts(references.begin(), references.end()));
  }

  Benchmark build(std::string_view version) {
    Benchmark& benchmark = builder_.benchmark();
    benchmark.categories = {"FOIL"};
    benchmark.version = fmt::format("{}; all references that differ from the true caption", version);
    return builder_.build();
  }

 private:
  BenchmarkBuilder builder_;
  std::optional<ReferenceTable> table_;
};

[[noreturn]] void fail_without_references(const Source& source) {
  throw DataError(
      fmt::format("{}: the file has no references; name a file of COCO's captions that has them, e.g. "
                  "captions_val2014.json",
                  source.name));
}

// One pair per row: {"image_id", "caption", "foil", "references"}.
Benchmark read_pairs(const Source& source, const BenchmarkOptions& options) {
  FoilPairs pairs(options);
  for_each_record(source, [&](const Record& record) {
    const std::string image = record.id({"image_id", "image"});
    const std::string_view caption = record.text({"caption"});
    const std::string_view foil = record.text({"foil"});
    if (caption == foil) throw RowProblem{"the caption and its foil are the same, expected one other word"};
    if (pairs.has_references()) return pairs.add(image, caption, foil);
    if (!record.has({"references"})) fail_without_references(source);
    pairs.add(image, caption, foil, record.texts({"references"}));
  });
  return pairs.build("pairs of captions and foils, not the public FOIL file");
}

// The true caption of each annotation id. Its foils have the same id.
tsl::robin_map<std::string, std::string> true_captions(const Source& source) {
  tsl::robin_map<std::string, std::string> captions;
  for_each_member_record(source, "annotations", [&](const Record& record) {
    if (record.boolean({"foil"})) return;
    const std::string id = record.id({"id"});
    if (!captions.emplace(id, record.text({"caption"})).second) {
      throw RowProblem{fmt::format("the annotation {} has a second true caption, expected one", excerpt(id))};
    }
  });
  return captions;
}

// The public file: annotations {"id", "image_id", "caption", "foil": true or false, ...}.
Benchmark read_annotations(const Source& source, const BenchmarkOptions& options) {
  FoilPairs pairs(options);
  if (!pairs.has_references()) fail_without_references(source);
  const auto captions = true_captions(source);
  for_each_member_record(source, "annotations", [&](const Record& record) {
    if (!record.boolean({"foil"})) return;
    const std::string id = record.id({"id"});
    const auto found = captions.find(id);
    if (found == captions.end()) {
      throw RowProblem{
          fmt::format("the foil {} has no true caption, expected one of the same id", excerpt(id))};
    }
    pairs.add(record.id({"image_id"}), found->second, record.text({"caption"}));
  });
  Benchmark benchmark = pairs.build("FOIL annotations, each foil with the true caption of its id");
  if (benchmark.pairs.empty()) throw DataError(fmt::format("{}: there is no foil in it", source.name));
  benchmark.published = true;
  return benchmark;
}

}  // namespace

Benchmark read_foil(const std::string& path, const BenchmarkOptions& options) {
  const Source source = open_records(path, "captions and foils");
  const bool public_file = source.json && find_list(source.json->root, "annotations");
  return public_file ? read_annotations(source, options) : read_pairs(source, options);
}

}  // namespace capella::io
