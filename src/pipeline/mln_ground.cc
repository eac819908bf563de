// Rules and objects to the networks of images.
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/file.h"
#include "base/step_counter.h"
#include "base/thread_pool.h"
#include "io/objects.h"
#include "io/read.h"
#include "method/mln/attention/attention.h"
#include "method/mln/image_network.h"
#include "method/mln/image_network_file.h"
#include "pipeline/mentioned_objects.h"

namespace capella {
namespace {

std::vector<io::ImageObjects> read_images(const GroundRun& run) {
  std::vector<io::ImageObjects> images =
      run.references.empty() ? io::read_objects(run.objects)
                             : pipeline::objects_of_references(run.references, run.threads, run.progress);
  if (run.captions.empty()) return images;
  std::set<std::string, std::less<>> wanted;
  const io::CaptionTable table = io::read_table_file(run.captions, {});
  for (const io::CaptionRow& row : table.rows) wanted.emplace(row.id);
  std::erase_if(images, [&](const io::ImageObjects& image) { return !wanted.contains(image.image); });
  return images;
}

}  // namespace

GroundSummary mln_ground(const GroundRun& run) {
  if (!std::isfinite(run.mil_tau))
    throw UsageError(fmt::format("mil_tau {}: expected a finite number", run.mil_tau));
  if (!run.mil.empty() && !run.references.empty())
    throw UsageError(
        "networks of attention (--mil) look at boxes, and what references mention has none; give OBJECTS in "
        "place of --references, or no --mil");
  const logic::Network network = logic::read_network(read_file(run.network), run.network);
  const std::vector<io::ImageObjects> images = read_images(run);
  method::mln::AttentionModels models;
  if (!run.mil.empty()) models = method::mln::read_attention(run.mil);
  const method::mln::ImageGrounder grounder(network, run.mil.empty() ? nullptr : &models,
                                            {run.aliases, run.mil_tau});
  std::vector<method::mln::ImageNetwork> grounded(images.size());
  ThreadPool pool(run.threads);
  StepCounter steps(run.progress, "grounding", images.size());
  pool.parallel_for(images.size(), [&](std::size_t k) {
    grounded[k] = grounder.ground(images[k]);
    steps.done();
  });
  GroundSummary summary;
  for (const method::mln::ImageNetwork& image : grounded) {
    ++summary.images;
    summary.empty += image.atoms.empty();
    summary.atoms += image.atoms.size();
    summary.factors += image.network.size();
    summary.most_atoms = std::max(summary.most_atoms, image.atoms.size());
    summary.empty_bags += image.empty_bags;
    summary.without_model += grounder.without_model(image);
  }
  const logic::FormulaList formulas = grounded.empty() ? logic::FormulaList() : grounded[0].network.formulas;
  write_file_atomically(run.output, method::mln::write_image_networks(grounded, formulas));
  return summary;
}

}  // namespace capella
