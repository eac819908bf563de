// Verdicts beside what people said: what images are about, and how sure people are of claims.
#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "capella/mln.h"

#include "base/json_text.h"
#include "base/random.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "io/claim_ranks.h"
#include "io/concepts.h"
#include "method/mln/entailment/entailment.h"
#include "method/mln/image_network_file.h"
#include "method/mln/system_summary.h"
#include "method/mln/verify.h"
#include "pipeline/logic_run.h"
#include "stats/correlation.h"

namespace capella {
namespace {

using method::mln::ImageNetwork;

constexpr std::size_t kFewImages = 30;
constexpr std::size_t kBins = 10;

// The label of more than half of the labellers; empty: there is none.
std::string majority(const io::ConceptRow& row) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string& label : row.labels) ++counts[label];
  for (const auto& [label, count] : counts) {
    if (2 * count > row.labels.size()) return std::string(label);
  }
  return "";
}

// The mean rank that workers gave to each claim.
std::vector<double> mean_ranks(const io::ClaimRanks& row) {
  std::vector<double> means(row.claims.size());
  for (const std::vector<double>& ranks : row.ranks)
    for (std::size_t k = 0; k < means.size(); ++k)
      means[k] += ranks[k] / static_cast<double>(row.ranks.size());
  return means;
}

// Of the claims that the network knows; NaN if there are less than two or either side is the same for all.
HumanRanking::Image correlate(const io::ClaimRanks& row, const ImageNetwork& image,
                              const logic::SolverOptions& options) {
  method::mln::ImageVerifier verifier(image, options);
  const method::mln::AtomIndex index(image);
  const std::vector<double> people = mean_ranks(row);
  std::vector<double> ranks, probabilities;
  for (std::size_t k = 0; k < row.claims.size(); ++k) {
    const std::size_t atom = index.find(row.claims[k]);
    if (atom == image.atoms.size()) continue;
    ranks.push_back(people[k]);
    probabilities.push_back(verifier.marginal(static_cast<logic::AtomId>(atom)));
  }
  return {row.image, stats::pearson(ranks, probabilities).value, ranks.size()};
}

void add_to_histogram(double correlation, std::vector<std::size_t>& histogram) {
  const auto bin = static_cast<std::size_t>((correlation + 1) / 2 * static_cast<double>(kBins));
  ++histogram[std::min(bin, kBins - 1)];
}

}  // namespace

ConceptUncertainty concept_uncertainty(const Verification& verification, const std::string& concepts,
                                       std::size_t resamples, std::uint64_t seed) {
  ConceptUncertainty made;
  std::map<std::string, std::string, std::less<>> concept_of;
  for (const io::ConceptRow& row : io::read_concepts(concepts)) {
    std::string label = majority(row);
    if (label.empty()) {
      made.ties.push_back(row.image);
    } else {
      concept_of.emplace(row.image, std::move(label));
      ++made.labelled;
    }
  }
  std::map<std::pair<std::string, std::string>, std::vector<double>> values;
  for (const JudgedCaption& caption : verification.captions) {
    const auto found = concept_of.find(caption.image);
    if (found != concept_of.end() && method::mln::is_scored(caption))
      values[{found->second, caption.system}].push_back(-caption.log_prob);
  }
  ThreadPool pool(1);
  for (const auto& [key, list] : values) {
    const auto mean = method::mln::mean_with_interval(list, {resamples, seed}, pool);
    made.rows.push_back(
        {key.first, key.second, list.size(), mean.mean, mean.interval, list.size() < kFewImages});
  }
  return made;
}

HumanRanking human_ranking(const std::string& ground, const std::string& ranks,
                           const InferenceOptions& inference, std::size_t resamples) {
  const std::vector<ImageNetwork> images = method::mln::read_image_networks(ground);
  std::map<std::string_view, const ImageNetwork*> by_id;
  for (const ImageNetwork& image : images) by_id.emplace(image.image, &image);
  HumanRanking made;
  made.histogram.resize(kBins);
  const logic::SolverOptions options = pipeline::solver_options(inference);
  std::vector<double> correlations;
  for (const io::ClaimRanks& row : io::read_claim_ranks(ranks)) {
    const auto found = by_id.find(row.image);
    if (found == by_id.end() || found->second->atoms.empty()) {
      ++made.without_network;
      continue;
    }
    const HumanRanking::Image image = correlate(row, *found->second, options);
    if (std::isnan(image.correlation)) {
      ++(image.claims < 2 ? made.few_claims : made.constant);
      continue;
    }
    made.images.push_back(image);
    correlations.push_back(image.correlation);
    add_to_histogram(image.correlation, made.histogram);
  }
  ThreadPool pool(inference.threads);
  const auto mean = method::mln::mean_with_interval(correlations, {resamples, inference.seed}, pool);
  made.mean = mean.mean;
  made.interval = mean.interval;
  const auto positive = std::ranges::count_if(correlations, [](double r) { return r > 0; });
  made.share_positive =
      correlations.empty() ? 0 : static_cast<double>(positive) / static_cast<double>(correlations.size());
  return made;
}

std::string export_ranking_task(const std::string& ground, std::size_t most_claims, std::uint64_t seed) {
  std::string out;
  Random random(seed);
  for (const ImageNetwork& image : method::mln::read_image_networks(ground)) {
    std::vector<Claim> claims = image.atoms;
    shuffle(claims, random);
    if (claims.size() > most_claims) claims.resize(most_claims);
    nlohmann::ordered_json atoms = nlohmann::ordered_json::array(),
                           sentences = nlohmann::ordered_json::array();
    for (const Claim& claim : claims) {
      atoms.push_back({claim.subject, claim.predicate, claim.object});
      sentences.push_back(method::mln::hypothesis_text(claim));
    }
    const nlohmann::ordered_json row = {
        {"image_id", image.image}, {"atoms", atoms}, {"sentences", sentences}};
    if (!claims.empty()) out += json_text(row) + "\n";
  }
  return out;
}

}  // namespace capella
