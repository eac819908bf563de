#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/hash.h"
#include "base/names.h"
#include "base/step_counter.h"
#include "base/utf8.h"
#include "metric/given.h"
#include "pipeline/prepared_run.h"
#include "pipeline/rows.h"

namespace capella::pipeline {
namespace {

constexpr std::size_t kMostInBatch = 256;
constexpr std::size_t kLeastInBatch = 32;  // but for the last

// Where batches end: the fewer captions are left, the smaller they are, so that no thread waits long for the
// last. An encoder takes about a second for a large one.
std::vector<std::size_t> batch_ends(std::size_t items, std::size_t threads) {
  std::vector<std::size_t> ends;
  for (std::size_t begin = 0; begin < items; begin = ends.back()) {
    const std::size_t share = (items - begin) / (2 * threads);
    ends.push_back(std::min(begin + std::clamp(share, kLeastInBatch, kMostInBatch), items));
  }
  return ends;
}

// Fills a block's rows for one system.
class SystemScorer {
 public:
  SystemScorer(const PreparedRun& run, std::size_t system, ThreadPool& pool, aggregate::RowBlock& block)
      : run_(run),
        system_(run.dataset().systems()[system]),
        captions_(std::span(system_.captions).subspan(block.first_item, block.ids.size())),
        tokens_(run.tokens_of(captions_, pool)),
        block_(block),
        system_index_(system) {}

  void score(std::span<const std::size_t> ends, ThreadPool& pool, StepCounter& steps) {
    pool.parallel_for(ends.size(), [&](std::size_t batch) {
      const std::size_t first = batch == 0 ? 0 : ends[batch - 1];
      score_batch(first, ends[batch] - first);
      steps.done();
    });
  }

  // Captions without words are scored as the reference programs do, but rarely meant.
  void warn_of_empty_captions(std::vector<std::string>& warnings) const {
    std::vector<std::string_view> ids;
    for (std::size_t i = 0; i < captions_.size(); ++i) {
      const std::string_view text = tokens_.size() == 0 ? captions_[i] : tokens_[i];
      if (python_rstrip(text).empty()) ids.push_back(block_.ids[i]);
    }
    if (ids.empty()) return;
    warnings.push_back(fmt::format("{}: {} empty caption{} scored as such: {}", system_.name, ids.size(),
                                   ids.size() == 1 ? "" : "s", list_names(ids)));
  }

  // Captions of other words altogether score next to nothing, mostly because they are of another language.
  void warn_of_foreign_captions(std::vector<std::string>& warnings) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      tsl::robin_set<std::string_view> words;
      for_each_python_word(tokens_[i], [&](std::string_view word) { words.insert(word); });
      if (words.empty()) continue;
      if (occurs(words, block_.first_item + i)) return;
      ++count;
    }
    if (count == 0) return;
    warnings.push_back(
        fmt::format("{}: no word of {} occurs in its references; check that both are in the same "
                    "language, with spaces between words, and that equal ids mean the same image",
                    system_.name, count == 1 ? "the caption" : fmt::format("any of the {} captions", count)));
  }

 private:
  // Whether one of the words is in a reference of the item.
  bool occurs(const tsl::robin_set<std::string_view>& words, std::size_t item) const {
    const metric::References& references = run_.references();
    bool found = false;
    for (std::size_t r = references.begin(item); r < references.end(item); ++r)
      for_each_python_word(references.tokens.text(r),
                           [&](std::string_view word) { found = found || words.contains(word); });
    return found;
  }

  void score_batch(std::size_t first, std::size_t count) {
    std::vector<std::uint32_t> items(count);
    std::iota(items.begin(), items.end(), static_cast<std::uint32_t>(block_.first_item + first));
    text::StringColumn tokens;
    for (std::size_t k = first; k < first + count; ++k)
      tokens.push_back(tokens_.size() == 0 ? "" : tokens_[k]);
    const text::TextSet texts(std::move(tokens), &run_.references().tokens);
    const auto rows = run_.rows({run_.references(), items, captions_.subspan(first, count), texts});
    for (std::size_t m = 0; m < run_.asked(); ++m) {
      const std::size_t width = run_.metrics()[m].metric->info().row_width;
      std::ranges::copy(rows[m], block_.rows_of(system_index_, m).data() + first * width);
    }
  }

  const PreparedRun& run_;
  const Dataset::System& system_;
  std::span<const std::string_view> captions_;
  text::StringColumn tokens_;
  aggregate::RowBlock& block_;
  std::size_t system_index_;
};

// A reference without words counts as one, as in the reference programs, but is rarely meant.
void warn_of_empty_references(const Dataset& dataset, aggregate::RowBlock& block) {
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < block.ids.size(); ++i) {
    const auto references = dataset.references(block.first_item + i);
    if (std::ranges::any_of(references, [](std::string_view one) { return python_rstrip(one).empty(); }))
      ids.push_back(block.ids[i]);
  }
  if (ids.empty()) return;
  block.warnings.push_back(fmt::format("{} item{} an empty reference, which counts as one: {}", ids.size(),
                                       ids.size() == 1 ? " has" : "s have", list_names(ids)));
}

// Scores from elsewhere are rows {value, 1} behind those of the metrics.
void add_given(const GivenScores& given, const Dataset& dataset, aggregate::RowBlock& block) {
  const std::size_t before = block.metrics.size();
  std::vector<std::vector<double>> rows;
  if (given.values.size() != block.systems.size()) {
    throw UsageError(fmt::format("{}: values for {} systems, expected {}", given.name, given.values.size(),
                                 block.systems.size()));
  }
  for (std::size_t system = 0; system < block.systems.size(); ++system) {
    const std::vector<double>& values = given.values[system];
    if (values.size() != dataset.size()) {
      throw UsageError(
          fmt::format("{}: {} values, expected {}, one per item", given.name, values.size(), dataset.size()));
    }
    for (std::size_t m = 0; m < before; ++m) rows.push_back(std::move(block.rows[system * before + m]));
    std::vector<double>& out = rows.emplace_back();
    for (std::size_t i = 0; i < block.ids.size(); ++i)
      out.insert(out.end(), {values[block.first_item + i], 1.0});
  }
  block.rows = std::move(rows);
  block.metrics.push_back(
      {std::string(metric::kGivenPrefix) + given.name, {}, 2, fmt::format("given|capella:{}", kVersion)});
}

// A number that changes with every id, reference and caption.
std::uint64_t fingerprint(const Dataset& dataset) {
  std::uint64_t hash = 0;
  const auto add = [&hash](std::string_view text) { hash = hash_combine(hash, hash_bytes(text)); };
  for (std::size_t item = 0; item < dataset.size(); ++item) add(dataset.id(item));
  for (const std::size_t end : dataset.reference_ends()) hash = hash_combine(hash, end);
  for (const std::string_view reference : dataset.all_references()) add(reference);
  for (const Dataset::System& system : dataset.systems()) {
    for (const std::string_view caption : system.captions) add(caption);
  }
  return hash;
}

// A block with room for the rows of the run's metrics.
aggregate::RowBlock make_block(const PreparedRun& run, std::size_t first, std::size_t count) {
  const Dataset& dataset = run.dataset();
  aggregate::RowBlock block;
  block.total_items = dataset.size();
  block.first_item = first;
  block.fingerprint = fingerprint(dataset);
  for (std::size_t item = first; item < first + count; ++item) block.ids.emplace_back(dataset.id(item));
  for (const PreparedMetric& prepared : std::span(run.metrics()).first(run.asked())) {
    block.metrics.push_back(
        {prepared.name, prepared.settings, prepared.metric->info().row_width, run.signature_rest(prepared)});
  }
  for (const Dataset::System& system : dataset.systems()) {
    block.systems.push_back(system.name);
    for (const aggregate::MetricRun& metric : block.metrics)
      block.rows.emplace_back(metric.row_width * count);
  }
  block.skipped.assign(dataset.skipped().begin(), dataset.skipped().end());
  block.warnings = run.warnings();
  return block;
}

}  // namespace

aggregate::RowBlock compute_rows(const PreparedRun& run, std::size_t first, std::size_t count,
                                 ThreadPool& pool, const Progress& progress) {
  aggregate::RowBlock block = make_block(run, first, count);
  const auto systems = run.dataset().systems();
  const std::vector<std::size_t> ends = batch_ends(count, pool.threads());
  StepCounter steps(progress, "scoring", systems.size() * ends.size());
  for (std::size_t system = 0; system < systems.size(); ++system) {
    SystemScorer scorer(run, system, pool, block);
    scorer.score(ends, pool, steps);
    scorer.warn_of_empty_captions(block.warnings);
    scorer.warn_of_foreign_captions(block.warnings);
  }
  warn_of_empty_references(run.dataset(), block);
  // Some things are known only now.
  for (std::string& warning : run.warnings()) {
    if (std::ranges::find(block.warnings, warning) == block.warnings.end())
      block.warnings.push_back(std::move(warning));
  }
  run.save_cache(block.warnings);
  return block;
}

aggregate::RowBlock compute_rows(const Dataset& dataset, const ScoreOptions& options, std::size_t first,
                                 std::size_t count) {
  if (dataset.systems().empty()) throw DataError("no captions to score: give at least one system");
  if (dataset.size() == 0) {
    throw DataError("nothing to score: no item has both references and a caption of every system");
  }
  ThreadPool pool(options.threads);
  const PreparedRun run(dataset, options, pool, {first, first + count});
  aggregate::RowBlock block = compute_rows(run, first, count, pool, options.progress);
  for (const GivenScores& given : options.given) add_given(given, dataset, block);
  return block;
}

}  // namespace capella::pipeline
