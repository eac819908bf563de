// Captions to triplets: what captions claim between things, in base forms.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/file.h"
#include "io/karpathy.h"
#include "io/objects.h"
#include "io/read.h"
#include "io/triplets.h"
#include "method/mln/entailment/predicates.h"
#include "pipeline/claim_reader.h"

namespace capella {
namespace {

constexpr std::size_t kCommonShown = 10;

// Words for detected things become the things' labels.
class LabelTable {
 public:
  explicit LabelTable(const std::string& objects) {
    if (objects.empty()) return;
    for (const io::ImageObjects& image : io::read_objects(objects)) {
      Words& words = images_[image.image];
      for (const io::DetectedObject& object : image.objects)
        for (const std::string& alias : object.aliases) words.emplace(alias, object.label);
      for (const io::DetectedObject& object : image.objects) words[object.label] = object.label;
    }
  }

  void rename(const std::string& image, std::vector<Claim>& claims) const {
    const auto found = images_.find(image);
    if (found == images_.end()) return;
    for (Claim& claim : claims) {
      rename_word(found->second, claim.subject);
      rename_word(found->second, claim.object);
    }
  }

 private:
  using Words = std::map<std::string, std::string, std::less<>>;
  static void rename_word(const Words& words, std::string& word) {
    const auto found = words.find(word);
    if (found != words.end()) word = found->second;
  }
  std::map<std::string, Words, std::less<>> images_;
};

void use_plain_words(std::vector<Claim>& claims) {
  for (Claim& claim : claims) claim.predicate = method::mln::plain_predicate(claim.predicate);
  std::ranges::sort(claims);
  claims.erase(std::unique(claims.begin(), claims.end()), claims.end());
}

std::set<std::string, std::less<>> images_of(const std::string& path) {
  std::set<std::string, std::less<>> images;
  if (path.empty()) return images;
  const io::CaptionTable table = io::read_table_file(path, {});
  for (const io::CaptionRow& row : table.rows) images.emplace(row.id);
  return images;
}

struct SplitTable {
  std::string split;
  io::CaptionTable table;
};

std::vector<SplitTable> read_splits(const TripletOptions& options) {
  if (options.splits.empty()) {
    std::vector<SplitTable> tables;
    tables.push_back({"train", io::read_table_file(options.captions, {})});
    return tables;
  }
  std::vector<SplitTable> tables;
  for (const std::string& split : options.splits) {
    io::ReadOptions read;
    read.split = split;
    tables.push_back({split, io::read_table_file(options.captions, read)});
    if (tables.back().table.format != io::kKarpathyName)
      throw UsageError(
          fmt::format("{}: --split {} is given, but the file is no Karpathy dataset.json with "
                      "splits; leave it out",
                      options.captions, split));
  }
  return tables;
}

void count(const std::vector<io::TripletRow>& rows, TripletSummary& summary) {
  std::map<std::string, std::size_t> predicates;
  std::set<std::string_view> images;
  for (const io::TripletRow& row : rows) {
    images.insert(row.image);
    summary.triplets += row.triplets.size();
    summary.without += row.triplets.empty();
    for (const Claim& claim : row.triplets) ++predicates[claim.predicate];
  }
  summary.images = images.size();
  summary.captions = rows.size();
  summary.predicates = predicates.size();
  summary.common.assign(predicates.begin(), predicates.end());
  std::ranges::stable_sort(summary.common, std::greater<>(), &std::pair<std::string, std::size_t>::second);
  if (summary.common.size() > kCommonShown) summary.common.resize(kCommonShown);
}

}  // namespace

TripletSummary mln_triplets(const TripletOptions& options) {
  const std::vector<SplitTable> tables = read_splits(options);
  const auto excluded = images_of(options.exclude);
  const LabelTable labels(options.objects);
  const pipeline::ClaimReader reader;
  ThreadPool pool(options.threads);
  TripletSummary summary;
  std::vector<io::TripletRow> rows;
  std::vector<std::string_view> texts;
  std::set<std::string_view> left_out;
  for (const SplitTable& part : tables) {
    for (const io::CaptionRow& row : part.table.rows) {
      if (excluded.contains(row.id)) {
        left_out.insert(row.id);
        continue;
      }
      rows.push_back({std::string(row.id), part.split, std::to_string(rows.size()), {}});
      texts.push_back(row.caption);
    }
  }
  if (rows.empty() && !left_out.empty())
    throw DataError(
        fmt::format("{}: all of its {} images are left out, since {} has them; expected other "
                    "images to learn from",
                    options.captions, left_out.size(), options.exclude));
  summary.excluded_images = left_out.size();
  const auto claims = reader.read(texts, pool, options.progress);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].triplets = method::mln::EntailmentJudge::triplets(*claims[k]);
    if (!options.as_worded) use_plain_words(rows[k].triplets);
    labels.rename(rows[k].image, rows[k].triplets);
  }
  count(rows, summary);
  write_file_atomically(options.output, io::write_triplets(rows));
  return summary;
}

}  // namespace capella
