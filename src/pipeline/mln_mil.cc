// Attention networks from objects and triplets, and a look at what one attends to.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/names.h"
#include "io/objects.h"
#include "io/triplets.h"
#include "method/mln/attention/attention.h"
#include "method/mln/attention/attention_training.h"
#include "pipeline/value_by_name.h"

namespace capella {
namespace {

using method::mln::AttentionReport;
using method::mln::AttentionTraining;
using method::mln::Negatives;
using method::mln::TrainedAttention;

// "preset": the preset's own.
Negatives negatives_by_name(const std::string& name, Negatives of_preset) {
  const pipeline::NamedValues<Negatives, 6> kinds = {{{"preset", of_preset},
                                                      {"other", Negatives::other_predicates},
                                                      {"mismatch", Negatives::mismatch},
                                                      {"possible", Negatives::possible},
                                                      {"mentioned", Negatives::mentioned},
                                                      {"mixed", Negatives::mixed}}};
  return pipeline::value_by_name("kind of negative bags", name, kinds);
}

AttentionTraining training_of(const MilRun& run) {
  constexpr pipeline::NamedValues<bool, 2> kPresets = {{{"small", false}, {"paper", true}}};
  constexpr pipeline::NamedValues<bool, 2> kKinds = {{{"gated", true}, {"plain", false}}};
  AttentionTraining made = pipeline::value_by_name("preset", run.preset, kPresets)
                               ? method::mln::paper_attention()
                               : method::mln::small_attention();
  made.gated = pipeline::value_by_name("kind of attention", run.attention, kKinds);
  made.negatives = negatives_by_name(run.negatives, made.negatives);
  made.pixel_boxes = run.pixel_boxes;
  made.epochs = run.epochs.value_or(made.epochs);
  made.hidden = run.hidden.value_or(made.hidden);
  made.attention = run.attention_size.value_or(made.attention);
  made.rate = run.rate.value_or(made.rate);
  made.seed = run.seed;
  made.threads = run.threads;
  made.progress = run.progress;
  return made;
}

MilPredicate predicate_of(const AttentionReport& report) {
  MilPredicate made;
  made.predicate = report.predicate;
  made.training_bags = report.training_bags;
  made.held_out_told = report.held_out_told;
  made.held_out_atoms = report.held_out_atoms;
  made.auc = report.auc;
  made.other_auc = std::numeric_limits<double>::quiet_NaN();
  made.log_loss = report.calibrated.log_loss;
  made.log_loss_uncalibrated = report.log_loss_uncalibrated;
  made.brier = report.calibrated.brier;
  made.calibration_error = report.calibrated.ece;
  return made;
}

}  // namespace

MilSummary mln_mil(const MilRun& run) {
  AttentionTraining training = training_of(run);
  const std::vector<io::ImageObjects> images = io::read_objects(run.objects);
  const std::vector<io::TripletRow> triplets = io::read_triplets(run.triplets);
  const TrainedAttention trained = method::mln::train_attention(images, triplets, training);
  MilSummary summary;
  summary.attention = run.attention;
  for (const AttentionReport& report : trained.reports) summary.predicates.push_back(predicate_of(report));
  summary.mean_auc = trained.mean_auc;
  summary.other_mean_auc = std::numeric_limits<double>::quiet_NaN();
  if (run.both) {
    training.gated = !training.gated;
    const TrainedAttention other = method::mln::train_attention(images, triplets, training);
    summary.other_mean_auc = other.mean_auc;
    for (std::size_t k = 0; k < other.reports.size(); ++k)
      summary.predicates[k].other_auc = other.reports[k].auc;
  }
  method::mln::write_attention(run.output, trained.models);
  return summary;
}

MilAttention mln_attention(const std::string& model, const std::string& objects, const std::string& image,
                           const Claim& claim) {
  const method::mln::AttentionModels models = method::mln::read_attention(model);
  const std::vector<io::ImageObjects> images = io::read_objects(objects);
  const auto found = std::ranges::find(images, image, &io::ImageObjects::image);
  if (found == images.end())
    throw UsageError(fmt::format("{}: there is no image '{}'", objects, excerpt(image)));
  const method::mln::AtomAnswer answer =
      method::mln::ask_atom(models, *found, io::read_object_features(*found), claim);
  if (answer.source == method::mln::AtomSource::no_network) {
    std::vector<std::string_view> names;
    for (const auto& entry : models.networks) names.push_back(entry.first);
    throw UsageError(unknown_name_message("predicate", claim.predicate, names));
  }
  MilAttention made;
  made.probability = answer.probability;
  made.width = found->width;
  made.height = found->height;
  for (const io::DetectedObject& object : found->objects) made.boxes.push_back({object.label, object.box});
  for (std::size_t k = 0; k < answer.bag.pairs.size(); ++k)
    made.pairs.push_back({answer.bag.pairs[k].first, answer.bag.pairs[k].second, answer.attention[k]});
  return made;
}

}  // namespace capella
