// Composite metrics: features of captions, training, scores of features. All jobs run without the GIL.
#include "capella/composite.h"

#include <memory>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "pickling.h"
#include "report/composite_report.h"
#include "report/result_report.h"
#include "words.h"

namespace capella::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

// As the package's Preset has them.
using PresetTuple = std::tuple<std::string, std::string, std::vector<std::string>, std::vector<std::size_t>>;

std::vector<PresetTuple> preset_tuples() {
  std::vector<PresetTuple> presets;
  for (const CompositePreset& preset : composite_presets())
    presets.emplace_back(preset.name, preset.score_name, preset.inputs, preset.hidden);
  return presets;
}

// Rows, images, human rows, images left out, images with too few captions, columns, warnings.
using SummaryTuple = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t,
                                std::vector<std::string>, std::vector<std::string>>;

SummaryTuple to_tuple(FeatureSummary summary) {
  return {summary.rows,
          summary.images,
          summary.human,
          summary.left_out,
          summary.too_few,
          std::move(summary.columns),
          in_python_words(std::move(summary.warnings))};
}

void bind_features(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<FeatureOptions>(module, "FeatureOptions")
      .def(
          "__init__",
          [](FeatureOptions* self, std::vector<std::string> scores, ScoreOptions run, std::string output) {
            new (self) FeatureOptions{std::move(scores), std::move(run), std::move(output)};
          },
          "scores"_a, "run"_a, "output"_a);
  nb::class_<TrainingCaptions>(module, "TrainingCaptions")
      .def(
          "__init__",
          [](TrainingCaptions* self, Dataset dataset, std::string source, std::vector<std::string> left_out,
             std::size_t captions, std::size_t humans, bool other_images, std::uint64_t seed) {
            new (self) TrainingCaptions{std::move(dataset),
                                        std::move(source),
                                        std::move(left_out),
                                        captions,
                                        humans,
                                        other_images,
                                        seed};
          },
          "dataset"_a, "source"_a, "left_out"_a, "captions"_a, "humans"_a, "other_images"_a, "seed"_a);
  module.def(
      "training_features",
      [](const TrainingCaptions& captions, const FeatureOptions& options) {
        return to_tuple(write_training_features(captions, options));
      },
      "captions"_a, "options"_a, Unlocked());
  module.def(
      "caption_features",
      [](const Dataset& dataset, const FeatureOptions& options) {
        return to_tuple(write_caption_features(dataset, options));
      },
      "dataset"_a, "options"_a, Unlocked());
  module.def(
      "benchmark_features",
      [](const MetaOptions& benchmark, const FeatureOptions& options) {
        return to_tuple(write_benchmark_features(benchmark, options));
      },
      "benchmark"_a, "options"_a, Unlocked());
  module.def("benchmark_images", &benchmark_images, "benchmark"_a, Unlocked());
}

// As the package's TrainedSeed has them; the curve is (loss, accuracy, tau-b), epoch by epoch.
using EpochTuple = std::tuple<double, double, double>;
using SeedTuple = std::tuple<std::uint64_t, std::size_t, std::size_t, double, double, double, double,
                             std::string, std::vector<EpochTuple>>;

std::vector<SeedTuple> seeds_of(const CompositeTrained& trained) {
  std::vector<SeedTuple> seeds;
  for (const CompositeSeed& seed : trained.seeds) {
    std::vector<EpochTuple> curve;
    for (const CompositeEpoch& epoch : seed.curve)
      curve.emplace_back(epoch.loss, epoch.accuracy, epoch.tau_b);
    seeds.emplace_back(seed.seed, seed.epochs, seed.best_epoch, seed.training_accuracy, seed.accuracy,
                       seed.tau_b, seed.tau_c, seed.path, std::move(curve));
  }
  return seeds;
}

void bind_training(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<CompositeTraining>(module, "CompositeTraining")
      .def(nb::init<>())
      .def_rw("features", &CompositeTraining::features)
      .def_rw("validation", &CompositeTraining::validation)
      .def_rw("preset", &CompositeTraining::preset)
      .def_rw("inputs", &CompositeTraining::inputs)
      .def_rw("hidden", &CompositeTraining::hidden)
      .def_rw("name", &CompositeTraining::name)
      .def_rw("output", &CompositeTraining::output)
      .def_rw("keep_all", &CompositeTraining::keep_all)
      .def_rw("seeds", &CompositeTraining::seeds)
      .def_rw("seed", &CompositeTraining::seed)
      .def_rw("held_out", &CompositeTraining::held_out)
      .def_rw("standardize", &CompositeTraining::standardize)
      .def_rw("rate", &CompositeTraining::rate)
      .def_rw("l2", &CompositeTraining::l2)
      .def_rw("batch", &CompositeTraining::batch)
      .def_rw("most_epochs", &CompositeTraining::most_epochs)
      .def_rw("stop_after", &CompositeTraining::stop_after)
      .def_rw("threads", &CompositeTraining::threads);
  pickled(nb::class_<CompositeTrained>(module, "CompositeTrained"))
      .def_ro("name", &CompositeTrained::name)
      .def_ro("inputs", &CompositeTrained::inputs)
      .def_ro("human", &CompositeTrained::human)
      .def_ro("machine", &CompositeTrained::machine)
      .def_ro("held_out", &CompositeTrained::held_out)
      .def_ro("validation", &CompositeTrained::validation)
      .def_ro("source", &CompositeTrained::source)
      .def_ro("validation_source", &CompositeTrained::validation_source)
      .def_prop_ro("warnings",
                   [](const CompositeTrained& trained) { return in_python_words(trained.warnings); })
      .def_prop_ro("seeds", seeds_of)
      .def_ro("best", &CompositeTrained::best)
      .def(
          "format",
          [](const CompositeTrained& trained, const std::string& format) {
            return report::format_training(trained, report::format_by_name(format));
          },
          "format"_a)
      .def("picture", &report::draw_training);
  module.def("train_composite", &train_composite, "options"_a, Unlocked());
}

using Array = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;

// Arrays keep what they are of alive.
Array scores_of(nb::handle self) {
  const auto& scored = nb::cast<const ScoredFeatures&>(self);
  return Array(scored.scores.data(), {scored.scores.size()}, self);
}

void bind_scored(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<ScoredFeatures>(module, "ScoredFeatures")
      .def_ro("name", &ScoredFeatures::name)
      .def_ro("ids", &ScoredFeatures::ids)
      .def_ro("systems", &ScoredFeatures::systems)
      .def_prop_ro("scores", scores_of);
  module.def("score_features", &score_features, "model"_a, "features"_a, Unlocked());
}

}  // namespace

void bind_composite(nb::module_& module) {
  module.def("composite_presets", preset_tuples);
  bind_features(module);
  bind_training(module);
  bind_scored(module);
}

}  // namespace capella::python
