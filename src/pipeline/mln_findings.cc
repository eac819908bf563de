#include "pipeline/mln_findings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/file.h"
#include "base/names.h"
#include "base/thread_pool.h"
#include "logic/language/language.h"
#include "method/mln/system_summary.h"
#include "stats/correlation.h"

namespace capella::pipeline {
namespace {

// KIND-RATE
struct KindAndRate {
  std::string kind;
  double rate = -1;  ///< negative: the name has none
};

KindAndRate parse_name(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  if (dash == name.npos) return {};
  KindAndRate made{name.substr(0, dash), -1};
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + dash + 1, end, made.rate);
  if (error != std::errc() || stop != end) made.rate = -1;
  return made;
}

using Captions = std::span<const JudgedCaption>;

// The captions of each system, found by name.
std::map<std::string, Captions> by_system(const Verification& verification) {
  std::map<std::string, Captions> made;
  const Captions all(verification.captions);
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first;
    while (last < all.size() && all[last].system == all[first].system) ++last;
    made.emplace(all[first].system, all.subspan(first, last - first));
    first = last;
  }
  return made;
}

double kendall_with_rate(const ErrorKindFinding& finding, double JudgedSystem::*value) {
  std::vector<double> uncertainty;
  for (const JudgedSystem& system : finding.systems) uncertainty.push_back(-(system.*value));
  return stats::kendall(finding.rates, uncertainty).tau_b;
}

bool lies_above(const Interval& high, const Interval& low) {
  return high.low > low.high;
}

}  // namespace

std::vector<ErrorKindFinding> find_error_kinds(const Verification& verification, std::size_t resamples,
                                               std::uint64_t seed) {
  std::map<std::string, std::map<double, const JudgedSystem*>> kinds;
  for (const JudgedSystem& system : verification.systems) {
    const KindAndRate name = parse_name(system.system);
    if (name.rate >= 0) kinds[name.kind][name.rate] = &system;
  }
  const auto captions = by_system(verification);
  ThreadPool pool(1);
  std::vector<ErrorKindFinding> findings;
  for (const auto& [kind, rates] : kinds) {
    ErrorKindFinding finding;
    finding.kind = kind;
    for (const auto& [rate, system] : rates) {
      finding.rates.push_back(rate);
      finding.systems.push_back(*system);
    }
    if (finding.systems.size() < 2) continue;
    finding.kendall = kendall_with_rate(finding, &JudgedSystem::log_prob);
    finding.kendall_unseen = kendall_with_rate(finding, &JudgedSystem::log_prob_unseen);
    const JudgedSystem& best = finding.systems.front();
    const JudgedSystem& worst = finding.systems.back();
    finding.apart = lies_above(best.interval, worst.interval);
    finding.apart_unseen = lies_above(best.unseen_interval, worst.unseen_interval);
    const stats::Resampling resampling{resamples, seed};
    const Captions first = captions.at(best.system);
    const Captions second = captions.at(worst.system);
    finding.ends = method::mln::compare(first, second, false, resampling, pool);
    finding.ends_unseen = method::mln::compare(first, second, true, resampling, pool);
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<ReturnedWeight> learn_known_weights(const std::string& folder, const std::string& output,
                                                std::size_t threads) {
  const std::string file = folder + "/network.mln";
  logic::Network network = logic::read_network(read_file(file), file);
  std::vector<ReturnedWeight> made;
  for (logic::Formula& formula : network.formulas) {
    made.push_back({logic::format_formula(formula, network), formula.weight.value_or(0), 0, 0});
    formula.weight.reset();  // learned from nothing
  }
  write_file_atomically(output, logic::write_network(network));
  WeightLearning learning;
  learning.network = output;
  learning.worlds = {folder + "/triplets.jsonl"};
  learning.split = "";  // all images are draws
  learning.output = output;
  learning.threads = threads;
  const WeightsLearned learned = learn_logic_weights(learning);
  for (std::size_t k = 0; k < made.size() && k < learned.formulas.size(); ++k) {
    made[k].learned = learned.formulas[k].weight;
    made[k].standard_error = learned.formulas[k].standard_error;
  }
  return made;
}

RankedSystems rank_beside_metrics(const Verification& verification, const std::string& references,
                                  const std::vector<std::string>& systems, std::size_t threads,
                                  const Progress& progress) {
  ReadOptions read;
  read.skip_missing = true;
  read.threads = threads;
  ScoreOptions options;
  options.metrics = default_metrics();
  options.threads = threads;
  options.progress = progress;
  const Result result = score(read_dataset(references, systems, read), options);
  const std::vector<std::string> wanted = {"BLEU-1", "BLEU-4", "METEOR", "ROUGE-L", "CIDEr-D", "SPICE"};
  std::vector<std::vector<double>> values;
  for (const std::string& name : wanted) {
    const auto column = std::ranges::find(result.columns, name, &ScoreColumn::name);
    if (column == result.columns.end()) throw DataError("no score " + name);
    const auto place = static_cast<std::size_t>(column - result.columns.begin());
    std::vector<double>& list = values.emplace_back();
    for (const auto& system : result.systems) list.push_back(system.values[place]);
  }
  std::vector<std::string> names;
  std::vector<double> log_prob, variance;
  for (const JudgedSystem& system : verification.systems) {
    names.push_back(system.system);
    log_prob.push_back(system.log_prob);
    variance.push_back(system.variance);
  }
  return rank_systems(names, wanted, values, log_prob, variance);
}

double median_log_prob(const Verification& verification, const std::string& system) {
  std::vector<double> values;
  for (const JudgedCaption& caption : verification.captions) {
    if (caption.system == system && method::mln::is_scored(caption)) values.push_back(caption.log_prob);
  }
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

namespace {

/// The surest caption and the least sure one of a system.
std::vector<Example> ends_of(Captions captions) {
  const JudgedCaption* best = nullptr;
  const JudgedCaption* worst = nullptr;
  for (const JudgedCaption& caption : captions) {
    if (!method::mln::is_scored(caption)) continue;
    if (best == nullptr || caption.log_prob > best->log_prob) best = &caption;
    if (worst == nullptr || caption.log_prob < worst->log_prob) worst = &caption;
  }
  if (best == nullptr) return {};
  if (best == worst) return {{best->system, best->image}};
  return {{best->system, best->image}, {worst->system, worst->image}};
}

}  // namespace

std::vector<Example> choose_examples(const Verification& verification, bool generated) {
  const auto captions = by_system(verification);
  if (captions.empty()) return {};
  if (!generated) return ends_of(captions.begin()->second);
  const char* const kRight = "wrong-relation-0.00";
  const char* const kWrong = "wrong-relation-1.00";
  const char* const kInvented = "hallucinated-object-1.00";
  if (!captions.contains(kRight) || !captions.contains(kWrong) || !captions.contains(kInvented)) return {};
  const Captions right = captions.at(kRight), wrong = captions.at(kWrong), invented = captions.at(kInvented);
  std::size_t clearest = right.size();
  const auto gap = [&](std::size_t k) { return right[k].log_prob - wrong[k].log_prob; };
  for (std::size_t k = 0; k < right.size(); ++k) {
    const bool fits = right[k].claims.size() >= 2 && right[k].unseen.empty() && !wrong[k].claims.empty() &&
                      !invented[k].claims.empty() && !invented[k].unseen.empty();
    if (fits && (clearest == right.size() || gap(k) > gap(clearest))) clearest = k;
  }
  if (clearest == right.size()) return {};
  return {{kRight, right[clearest].image},
          {kWrong, wrong[clearest].image},
          {kInvented, invented[clearest].image}};
}

}  // namespace capella::pipeline

namespace capella {

bool place_among(MlnExplanation& explanation, const Verification& results, const std::string& path) {
  JudgedCaption& own = explanation.caption;
  const auto same = [&](const JudgedCaption& caption) {
    return caption.system == own.system && caption.image == own.image;
  };
  const auto found = std::ranges::find_if(results.captions, same);
  if (found == results.captions.end())
    throw DataError(fmt::format(
        "{}: no verdict on the caption of {} for image {}; expected what capella mln infer wrote of the same "
        "files",
        path, excerpt(own.system), excerpt(own.image)));
  explanation.median = pipeline::median_log_prob(results, own.system);
  own.log_prob_unseen = found->log_prob_unseen;
  constexpr double kRounding = 1e-6;
  constexpr double kErrors = 5;  // standard errors that two samplings may differ by
  const bool as_probable = found->log_p == own.log_p || std::abs(found->log_p - own.log_p) <=
                                                            kRounding + kErrors * (found->mcse + own.mcse);
  return as_probable && found->skipped.empty() == own.skipped.empty() &&
         found->claims.size() == own.claims.size();
}

}  // namespace capella
