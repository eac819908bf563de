// Triplets to rules.
#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/file.h"
#include "io/triplets.h"
#include "method/mln/rules/structure.h"

namespace capella {
namespace {

constexpr std::size_t kBestShown = 10;

std::size_t literals(const logic::Expression& expression) {
  using Kind = logic::Expression::Kind;
  if (expression.kind == Kind::atom) return 1;
  std::size_t sum = 0;
  for (const logic::Expression& part : expression.parts) sum += literals(part);
  return sum;
}

method::mln::StructureOptions options_of(const StructureRun& run) {
  method::mln::StructureOptions options;
  options.top_predicates = run.top_predicates;
  options.longest = run.longest;
  options.ground = run.ground;
  options.tree = run.tree;
  options.substring = run.substring;
  options.min_images = run.min_images;
  options.min_confidence = run.min_confidence;
  options.most_chains_per_image = run.most_chains;
  options.threads = run.threads;
  options.progress = run.progress;
  return options;
}

StructureSummary summarise(const method::mln::StructureResult& result) {
  StructureSummary summary;
  summary.images = result.images;
  summary.triplets = result.triplets;
  summary.dropped_triplets = result.dropped_triplets;
  summary.candidates = result.candidates;
  summary.formulas = result.network.formulas.size();
  summary.predicates = result.network.predicates.size();
  summary.constants = result.network.constants.size();
  summary.capped_images = result.capped_images;
  summary.empty_domains = result.empty_domains;
  for (const logic::Formula& formula : result.network.formulas) {
    const std::size_t length = literals(formula.expression);
    if (summary.by_length.size() < length) summary.by_length.resize(length);
    ++summary.by_length[length - 1];
    if (length > 1 && formula.statistics)
      summary.best.emplace_back(logic::format_formula(formula, result.network), formula.statistics->images);
  }
  std::ranges::stable_sort(summary.best, std::greater<>(), &std::pair<std::string, double>::second);
  if (summary.best.size() > kBestShown) summary.best.resize(kBestShown);
  return summary;
}

}  // namespace

StructureSummary mln_structure(const StructureRun& run) {
  std::vector<io::TripletRow> rows = io::read_triplets(run.triplets);
  std::erase_if(rows,
                [](const io::TripletRow& row) { return row.split != "train" && row.split != "restval"; });
  if (rows.empty())
    throw DataError(fmt::format("{}: no row of split train or restval to learn from", run.triplets));
  const method::mln::StructureResult result = method::mln::learn_structure(rows, options_of(run));
  write_file_atomically(run.output, logic::write_network(result.network));
  return summarise(result);
}

}  // namespace capella
