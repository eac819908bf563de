#include "method/mln/system_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/pairwise_sum.h"
#include "method/mln/verify.h"
#include "stats/paired_tests.h"

namespace capella::method::mln {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<double> resampled_means(std::span<const double> values, const stats::Resampling& resampling,
                                    ThreadPool& pool) {
  const stats::RowsView view{values.data(), 1};
  std::vector<double> means =
      std::move(stats::resampled_sums(std::span(&view, 1), values.size(), resampling, pool)[0]);
  for (double& mean : means) mean /= static_cast<double>(values.size());
  return means;
}

double mean_of(std::span<const double> values) {
  return pairwise_sum(values.data(), values.size()) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size());
}

}  // namespace

bool is_scored(const JudgedCaption& caption) {
  return caption.skipped.empty();
}

bool is_scored_with_unseen(const JudgedCaption& caption) {
  return !caption.claims.empty() || !caption.unseen.empty();
}

bool is_impossible(const JudgedCaption& caption) {
  return is_scored(caption) && std::isinf(caption.log_p);
}

MeanWithInterval mean_with_interval(std::span<const double> values, const stats::Resampling& resampling,
                                    ThreadPool& pool) {
  if (values.empty()) return {kNone, {kNone, kNone}};
  if (resampling.resamples == 0) return {mean_of(values), {kNone, kNone}};
  return {mean_of(values), stats::percentile_interval(resampled_means(values, resampling, pool))};
}

JudgedSystem summarise(std::span<const JudgedCaption> captions, const stats::Resampling& resampling,
                       ThreadPool& pool) {
  JudgedSystem made;
  std::vector<double> log_probs, joint, unseen;
  for (const JudgedCaption& caption : captions) {
    made.system = caption.system;
    if (caption.skipped == kNoCaption) continue;
    ++made.captions;
    made.no_network += caption.skipped == kNoNetwork;
    made.empty_query += caption.skipped == kEmptyQuery;
    made.claims += caption.claims.size();
    made.unseen += caption.unseen.size();
    made.without_rule += caption.without_rule.size();
    made.contradicted += static_cast<std::size_t>(
        std::ranges::count_if(caption.claims, [](const JudgedClaim& claim) { return !claim.entailed; }));
    if (is_scored_with_unseen(caption)) unseen.push_back(caption.log_prob_unseen);
    if (!is_scored(caption)) continue;
    log_probs.push_back(caption.log_prob);
    made.impossible += is_impossible(caption);
    if (!is_impossible(caption)) joint.push_back(caption.log_p);
  }
  made.scored = log_probs.size();
  const MeanWithInterval mean = mean_with_interval(log_probs, resampling, pool);
  const MeanWithInterval joint_mean = mean_with_interval(joint, resampling, pool);
  const MeanWithInterval unseen_mean = mean_with_interval(unseen, resampling, pool);
  made.log_prob = mean.mean;
  made.interval = mean.interval;
  made.variance = log_probs.empty() ? kNone : variance_of(log_probs);
  made.deviation = std::sqrt(made.variance);
  made.log_p = joint_mean.mean;
  made.log_p_interval = joint_mean.interval;
  made.log_prob_unseen = unseen_mean.mean;
  made.unseen_interval = unseen_mean.interval;
  return made;
}

JudgedPair compare(std::span<const JudgedCaption> first, std::span<const JudgedCaption> second, bool unseen,
                   const stats::Resampling& resampling, ThreadPool& pool) {
  const auto counts = [&](const JudgedCaption& caption) {
    return unseen ? is_scored_with_unseen(caption) : is_scored(caption);
  };
  const auto value = [&](const JudgedCaption& caption) {
    return unseen ? caption.log_prob_unseen : caption.log_prob;
  };
  JudgedPair made;
  std::map<std::string_view, double> other;
  for (const JudgedCaption& caption : second) {
    made.second = caption.system;
    if (counts(caption)) other.emplace(caption.image, value(caption));
  }
  std::vector<double> differences;
  for (const JudgedCaption& caption : first) {
    made.first = caption.system;
    const auto found = other.find(caption.image);
    if (counts(caption) && found != other.end()) differences.push_back(value(caption) - found->second);
  }
  made.images = differences.size();
  const MeanWithInterval mean = mean_with_interval(differences, resampling, pool);
  made.difference = mean.mean;
  made.interval = mean.interval;
  made.p = differences.empty() || resampling.resamples == 0
               ? kNone
               : stats::paired_bootstrap_p(mean.mean, resampled_means(differences, resampling, pool));
  return made;
}

}  // namespace capella::method::mln
