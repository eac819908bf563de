// Networks and entailments to verdicts on captions, and the reasons for one.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/file.h"
#include "base/names.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "io/entailments.h"
#include "io/read.h"
#include "method/mln/image_network_file.h"
#include "method/mln/system_summary.h"
#include "method/mln/verification_file.h"
#include "method/mln/verify.h"
#include "pipeline/logic_run.h"
#include "pipeline/test_verdicts.h"

namespace capella {
namespace {

using method::mln::CaptionEntailments;
using method::mln::ImageNetwork;

// Images with the answers for every system's caption.
struct Questions {
  std::vector<ImageNetwork> images;
  std::vector<io::EntailmentRow> rows;
  std::vector<std::string> systems;                       ///< as they first come
  std::vector<std::vector<CaptionEntailments>> captions;  ///< [image][system]
};

Questions read_questions(const InferRun& run) {
  Questions made;
  made.images = method::mln::read_image_networks(run.ground);
  made.rows = io::read_entailments(run.nli);
  std::map<std::string_view, std::size_t> system_places, image_places;
  for (const io::EntailmentRow& row : made.rows) {
    if (system_places.emplace(row.system, made.systems.size()).second) made.systems.push_back(row.system);
  }
  if (made.systems.empty())
    throw DataError(fmt::format("{}: holds no row; expected what a judge of entailment said", run.nli));
  made.captions.resize(made.images.size());
  for (std::size_t k = 0; k < made.images.size(); ++k) {
    if (!image_places.emplace(made.images[k].image, k).second)
      throw DataError(fmt::format("{}: image {} is there twice", run.ground, excerpt(made.images[k].image)));
    for (const std::string& system : made.systems)
      made.captions[k].push_back({system, made.images[k].image, {}});
  }
  std::set<std::tuple<std::string_view, std::string_view, Claim>> asked;
  for (const io::EntailmentRow& row : made.rows) {
    if (!asked.emplace(row.system, row.image, row.atom).second)
      throw DataError(fmt::format("{}: two answers for {} of system {}, image {}; expected one", run.nli,
                                  claim_text(row.atom), excerpt(row.system), excerpt(row.image)));
    const auto found = image_places.find(row.image);
    if (found == image_places.end())
      throw DataError(fmt::format("{}: image {} is not in {}; expected the same images in both", run.nli,
                                  excerpt(row.image), run.ground));
    made.captions[found->second][system_places[row.system]].rows.push_back(&row);
  }
  return made;
}

JudgedCaption no_caption(const CaptionEntailments& caption) {
  JudgedCaption made;
  made.system = caption.system;
  made.image = caption.image;
  made.skipped = method::mln::kNoCaption;
  return made;
}

// [image][system]
std::vector<std::vector<JudgedCaption>> judge_all(const Questions& questions, const InferRun& run,
                                                  ThreadPool& pool) {
  std::vector<std::vector<JudgedCaption>> verdicts(questions.images.size());
  StepCounter steps(run.inference.progress, "inference", questions.images.size());
  logic::SolverOptions solver = pipeline::solver_options(run.inference);
  solver.gibbs.threads = 1;  // images are the pieces of work, and the steps that are told
  solver.gibbs.progress = {};
  pool.parallel_for(questions.images.size(), [&](std::size_t k) {
    method::mln::ImageVerifier verifier(questions.images[k], solver);
    for (const CaptionEntailments& caption : questions.captions[k])
      verdicts[k].push_back(caption.rows.empty() ? no_caption(caption)
                                                 : verifier.judge(caption, {run.margin}));
    steps.done();
  });
  return verdicts;
}

void count_methods(Verification& verification) {
  std::map<std::string, std::size_t> methods;
  for (const JudgedCaption& caption : verification.captions) {
    if (!caption.method.empty()) ++methods[caption.method];
  }
  verification.methods.assign(methods.begin(), methods.end());
}

std::vector<std::string> judges_of(const std::vector<io::EntailmentRow>& rows) {
  std::set<std::string> judges;
  for (const io::EntailmentRow& row : rows) {
    if (!row.judge.empty()) judges.insert(row.judge);
  }
  return {judges.begin(), judges.end()};
}

// Each system with the next better one, by the column that counts all that is known.
void compare_neighbours(Verification& verification, std::size_t images, const stats::Resampling& resampling,
                        ThreadPool& pool) {
  std::vector<std::size_t> order(verification.systems.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  const bool unseen = verification.unseen_p > 0;
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) {
    const JudgedSystem& system = verification.systems[k];
    const double value = unseen ? system.log_prob_unseen : system.log_prob;
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  });
  const std::span<const JudgedCaption> all(verification.captions);
  for (std::size_t k = 0; k + 1 < order.size(); ++k)
    verification.pairs.push_back(method::mln::compare(all.subspan(order[k] * images, images),
                                                      all.subspan(order[k + 1] * images, images), unseen,
                                                      resampling, pool));
}

// Which differences are more than chance, and why others may not be called so.
void judge_pairs(Verification& verification, std::size_t resamples) {
  std::vector<JudgedPair>& pairs = verification.pairs;
  // Those on few images can never be real, so they are no tests and cost the others nothing.
  std::vector<std::size_t> places;
  std::vector<JudgedPair> tested;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (pairs[k].images < pipeline::kFewUnits || !std::isfinite(pairs[k].p)) continue;
    places.push_back(k);
    tested.push_back(pairs[k]);
  }
  const std::string undecided = pipeline::why_undecided(tested.size(), resamples);
  pipeline::judge(tested, !undecided.empty());
  for (std::size_t k = 0; k < tested.size(); ++k) pairs[places[k]] = tested[k];
  if (pairs.empty() || resamples == 0) return;
  if (!undecided.empty() && !tested.empty()) verification.notes.push_back("Pairs: " + undecided + ".");
  if (const std::size_t few = pairs.size() - tested.size(); few > 0)
    verification.notes.push_back(fmt::format("{} of {} pairs share fewer than {} images: they are undecided.",
                                             few, pairs.size(), pipeline::kFewUnits));
}

void add_notes(const InferRun& run, Verification& verification) {
  if (run.inference.sum_exp)
    verification.notes.push_back(
        "The published text's conditional, which adds exponentials of weights, is not that of the networks: "
        "these numbers are for comparison only.");
  std::size_t sampled = 0, unconverged = 0;
  for (const JudgedCaption& caption : verification.captions) {
    sampled +=
        caption.method == method::mln::kSumExp || caption.method == logic::method_name(logic::Method::gibbs);
    unconverged += !caption.converged;
  }
  if (unconverged > 0)
    verification.notes.push_back(
        fmt::format("{} of {} sampled captions did not converge: more --sweeps.", unconverged, sampled));
}

// What a caption's claims usually are: for captions that only speak of undetected things.
double typical_log_prob(const std::vector<JudgedCaption>& captions) {
  double sum = 0;
  std::size_t count = 0;
  for (const JudgedCaption& caption : captions) {
    if (!method::mln::is_scored(caption)) continue;
    sum += caption.log_prob;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace

Verification mln_infer(const InferRun& run) {
  if (!(run.unseen >= 0 && run.unseen < 1))
    throw UsageError("the probability of an unseen claim must be below 1");
  const Questions questions = read_questions(run);
  ThreadPool pool(run.inference.threads);
  const auto verdicts = judge_all(questions, run, pool);
  Verification made;
  made.unseen_p = run.unseen;
  for (std::size_t s = 0; s < questions.systems.size(); ++s) {
    for (const auto& image : verdicts) made.captions.push_back(image[s]);
  }
  if (run.unseen > 0) {
    const double typical = typical_log_prob(made.captions);
    for (JudgedCaption& caption : made.captions) method::mln::count_unseen(caption, run.unseen, typical);
  }
  const std::size_t images = questions.images.size();
  const stats::Resampling resampling{run.resamples, run.inference.seed};
  for (std::size_t s = 0; s < questions.systems.size(); ++s)
    made.systems.push_back(
        method::mln::summarise(std::span(made.captions).subspan(s * images, images), resampling, pool));
  count_methods(made);
  made.judges = judges_of(questions.rows);
  add_notes(run, made);
  compare_neighbours(made, images, resampling, pool);
  judge_pairs(made, run.resamples);
  if (!run.output.empty()) write_file_atomically(run.output, method::mln::write_verification(made));
  return made;
}

Verification read_verification(const std::string& path) {
  return method::mln::parse_verification(read_file(path), path);
}

MlnExplanation explain_mln(const InferRun& run, const std::string& system, const std::string& image,
                           const std::string& captions) {
  const Questions questions = read_questions(run);
  std::vector<std::string_view> systems(questions.systems.begin(), questions.systems.end());
  const auto wanted = std::ranges::find(questions.systems, system);
  if (wanted == questions.systems.end()) throw UsageError(unknown_name_message("system", system, systems));
  const auto found = std::ranges::find(questions.images, image, &ImageNetwork::image);
  if (found == questions.images.end())
    throw UsageError(fmt::format("{}: there is no image '{}'", run.ground, excerpt(image)));
  const auto place = static_cast<std::size_t>(found - questions.images.begin());
  const auto s = static_cast<std::size_t>(wanted - questions.systems.begin());
  if (questions.captions[place][s].rows.empty())
    throw DataError(fmt::format("{}: system '{}' has no caption of image '{}'", run.nli, excerpt(system),
                                excerpt(image)));
  method::mln::ImageVerifier verifier(*found, pipeline::solver_options(run.inference));
  MlnExplanation made = verifier.explain(questions.captions[place][s], {run.margin});
  if (captions.empty()) return made;
  const io::CaptionTable table = io::read_table_file(captions, {});
  for (const io::CaptionRow& row : table.rows) {
    if (row.id == image) made.text = row.caption;
  }
  return made;
}

}  // namespace capella
