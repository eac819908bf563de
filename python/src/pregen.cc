// Pre-gen metrics: of probabilities, beside post-gen scores, and of generators that are trained and asked.
// All jobs run without the GIL.
#include "capella/pregen.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "capella/pregen_study.h"

#include "base/file.h"
#include "bindings.h"
#include "callbacks.h"
#include "pickling.h"
#include "pregen_probabilities.h"
#include "report/generator_report.h"
#include "report/pregen_pictures.h"
#include "report/pregen_report.h"
#include "report/pregen_study_report.h"
#include "report/result_report.h"
#include "words.h"

namespace capella::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

// `probabilities`: a path, or lists.
std::vector<double> metrics_of(nb::handle probabilities, bool paper) {
  if (const auto path = path_of(probabilities)) {
    const nb::gil_scoped_release unlocked;
    return pregen_metrics(*path, paper).values;
  }
  const TokenProbabilities table = probabilities_of(probabilities, "probabilities");
  const nb::gil_scoped_release unlocked;
  return pregen_metrics(table, "probabilities", paper).values;
}

// The data file's text, and warnings.
std::tuple<std::string, std::vector<std::string>> strata_of(const Dataset& dataset, StrataOptions options) {
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& warning) { warnings.push_back(in_python_words(warning)); };
  options.progress = until_interrupted();
  check_strata_options(options);
  std::string text = pregen_strata(dataset, options);
  return {std::move(text), std::move(warnings)};
}

void bind_strata(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<StrataOptions>(module, "StrataOptions")
      .def(nb::init<>())
      .def_rw("data_set", &StrataOptions::data_set)
      .def_rw("probabilities", &StrataOptions::probabilities)
      .def_rw("most_strata", &StrataOptions::most_strata)
      .def_rw("scores", &StrataOptions::scores)
      .def_rw("tokenizer", &StrataOptions::tokenizer)
      .def_rw("settings", &StrataOptions::settings)
      .def_rw("cache", &StrataOptions::cache)
      .def_rw("paper_filter0", &StrataOptions::paper_filter0)
      .def_rw("threads", &StrataOptions::threads);
  module.def("pregen_strata", strata_of, "dataset"_a, "options"_a, Unlocked());
}

// Correlations with one post-gen score or more.
struct Correlations {
  std::vector<PregenCorrelations> by_post;
};

const PregenCorrelations& one_of(const Correlations& correlations, std::size_t post) {
  if (post >= correlations.by_post.size()) throw nb::index_error("no such post-gen score");
  return correlations.by_post[post];
}

// A metric, and for each selection R^2, R, p, the rank and the interval of R^2.
using CorrelationTuple = std::tuple<double, double, double, std::size_t, double, double>;
using MetricTuple = std::tuple<std::string, std::vector<CorrelationTuple>>;

std::vector<MetricTuple> metrics_in(const Correlations& correlations, std::size_t post) {
  std::vector<MetricTuple> metrics;
  for (const PregenCorrelations::Row& row : one_of(correlations, post).rows) {
    std::vector<CorrelationTuple> in;
    for (const PregenCorrelation& one : row.in)
      in.emplace_back(one.r_squared, one.r, one.p, one.rank, one.interval.low, one.interval.high);
    metrics.emplace_back(row.metric, std::move(in));
  }
  return metrics;
}

std::vector<std::string> posts_of(const Correlations& correlations) {
  std::vector<std::string> posts;
  for (const PregenCorrelations& one : correlations.by_post) posts.push_back(one.post);
  return posts;
}

using Pictures = std::vector<std::tuple<std::string, std::string>>;

Pictures pictures_of(const Correlations& correlations, std::size_t top) {
  Pictures pictures;
  for (NamedContent& picture : report::draw_correlations(correlations.by_post, top))
    pictures.emplace_back(std::move(picture.name), std::move(picture.content));
  return pictures;
}

Correlations correlate(const std::vector<std::string>& files, const std::vector<std::string>& posts,
                       const std::vector<std::string>& drawn, std::size_t resamples, std::uint64_t seed,
                       std::size_t threads) {
  const PregenCorrelationOptions options{resamples, seed, threads, true, drawn};
  return {correlate_pregen_scores(files, posts, options)};
}

void bind_correlations(nb::module_& module) {
  using namespace nb::literals;
  pickled(nb::class_<Correlations>(module, "PregenCorrelations"))
      .def_prop_ro("posts", posts_of)
      .def_prop_ro("selections", [](const Correlations& all) { return one_of(all, 0).selections; })
      .def_prop_ro("row_counts", [](const Correlations& all) { return one_of(all, 0).row_counts; })
      .def_prop_ro("systems", [](const Correlations& all) { return one_of(all, 0).systems; })
      .def_prop_ro("infinite", [](const Correlations& all) { return one_of(all, 0).infinite; })
      .def_prop_ro("constant", [](const Correlations& all) { return one_of(all, 0).constant; })
      .def_prop_ro("warnings",
                   [](const Correlations& all) { return in_python_words(one_of(all, 0).warnings); })
      .def("metrics", metrics_in, "post"_a)
      .def(
          "format",
          [](const Correlations& all, const std::string& format, std::size_t top) {
            return report::format_correlations(all.by_post, report::format_by_name(format), top);
          },
          "format"_a, "top"_a)
      .def(
          "file_text",
          [](const Correlations& all, std::size_t post) {
            return report::correlation_file(one_of(all, post));
          },
          "post"_a)
      .def("pictures", pictures_of, "top"_a, Unlocked())
      .def(
          "write_pictures",
          [](const Correlations& all, const std::string& folder, std::size_t top) {
            return write_into_folder(folder, report::draw_correlations(all.by_post, top));
          },
          "folder"_a, "top"_a, Unlocked());
  module.def("correlate_pregen", correlate, "files"_a, "posts"_a, "drawn"_a, "resamples"_a, "seed"_a,
             "threads"_a, Unlocked());
}

using EpochTuple = std::tuple<double, double>;

std::vector<EpochTuple> epochs_of(const GeneratorTrained& trained) {
  std::vector<EpochTuple> epochs;
  for (const GeneratorEpoch& epoch : trained.epochs) epochs.emplace_back(epoch.loss, epoch.perplexity);
  return epochs;
}

GeneratorTrained train(GeneratorTraining options) {
  options.progress = until_interrupted();
  return train_generator(options);
}

void bind_training(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<GeneratorTraining>(module, "GeneratorTraining")
      .def(nb::init<>())
      .def_rw("inputs", &GeneratorTraining::inputs)
      .def_rw("architecture", &GeneratorTraining::architecture)
      .def_rw("output", &GeneratorTraining::output)
      .def_rw("restart", &GeneratorTraining::restart)
      .def_rw("size", &GeneratorTraining::size)
      .def_rw("batch", &GeneratorTraining::batch)
      .def_rw("most_epochs", &GeneratorTraining::most_epochs)
      .def_rw("least_count", &GeneratorTraining::least_count)
      .def_rw("share", &GeneratorTraining::share)
      .def_rw("seed", &GeneratorTraining::seed)
      .def_rw("device", &GeneratorTraining::device)
      .def_rw("threads", &GeneratorTraining::threads)
      .def(
          "set_tell",
          [](GeneratorTraining& options, nb::object tell) { options.tell = teller(std::move(tell)); },
          "tell"_a.none());
  pickled(nb::class_<GeneratorTrained>(module, "GeneratorTrained"))
      .def_ro("architecture", &GeneratorTrained::architecture)
      .def_ro("parameters", &GeneratorTrained::parameters)
      .def_ro("vocabulary", &GeneratorTrained::vocabulary)
      .def_ro("training_images", &GeneratorTrained::training_images)
      .def_ro("training_captions", &GeneratorTrained::training_captions)
      .def_ro("validation_images", &GeneratorTrained::validation_images)
      .def_prop_ro("epochs", epochs_of)
      .def_ro("best_epoch", &GeneratorTrained::best_epoch)
      .def_ro("resumed", &GeneratorTrained::resumed)
      .def_ro("seconds", &GeneratorTrained::seconds)
      .def(
          "format",
          [](const GeneratorTrained& trained, const std::string& format) {
            return report::format_generator(trained, report::format_by_name(format));
          },
          "format"_a);
  module.def("train_generator", train, "options"_a, Unlocked());
}

// As the package's Probabilities and Generation have them.
using ProbabilityTuple = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, double, double>;
using GenerationTuple = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, double>;

ProbabilityTuple probabilities(GeneratorRun run) {
  run.progress = until_interrupted();
  const ProbabilityRun done = generator_probabilities(run);
  return {done.images, done.captions, done.words, done.unknown, done.perplexity, done.seconds};
}

GenerationTuple generate(GeneratorRun run, std::size_t beam, std::size_t least_words,
                         std::size_t most_words) {
  run.progress = until_interrupted();
  const GenerationRun done = generate_captions(run, {beam, least_words, most_words});
  return {done.images, done.words, done.beam, done.different, done.seconds};
}

void bind_generators(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<GeneratorInputs>(module, "GeneratorInputs")
      .def(
          "__init__",
          [](GeneratorInputs* self, std::string dataset, std::string features, std::string variable) {
            new (self) GeneratorInputs{std::move(dataset), std::move(features), std::move(variable)};
          },
          "dataset"_a, "features"_a, "variable"_a);
  nb::class_<GeneratorRun>(module, "GeneratorRun")
      .def(
          "__init__",
          [](GeneratorRun* self, std::string model, GeneratorInputs inputs, std::string split,
             std::string output, std::string device, std::size_t threads) {
            new (self) GeneratorRun{std::move(model),
                                    std::move(inputs),
                                    std::move(split),
                                    std::move(output),
                                    std::move(device),
                                    threads,
                                    {}};
          },
          "model"_a, "inputs"_a, "split"_a, "output"_a, "device"_a, "threads"_a);
  bind_training(module);
  module.def("generator_probabilities", probabilities, "run"_a, Unlocked());
  module.def("generate_captions", generate, "run"_a, "beam"_a, "least_words"_a, "most_words"_a, Unlocked());
  module.def("generator_plugin", &generator_plugin, Unlocked());
}

// As the package's StudiedGenerator has them.
using StudiedTuple = std::tuple<std::string, std::size_t, double, std::size_t, std::size_t, std::size_t,
                                double, std::vector<double>, double, double, double, double, double>;

std::vector<StudiedTuple> generators_of(const PregenStudyResult& result) {
  std::vector<StudiedTuple> generators;
  for (const StudiedGenerator& one : result.generators) {
    generators.emplace_back(one.architecture, one.run, one.share, one.parameters, one.epochs, one.best_epoch,
                            one.validation_perplexity, one.post, one.perplexity, one.best_metric,
                            one.metric_seconds, one.generation_seconds, one.scoring_seconds);
  }
  return generators;
}

PregenStudyResult study(PregenStudyOptions options) {
  options.progress = until_interrupted();
  return study_pregen(options);
}

void bind_study(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<PregenStudyOptions>(module, "PregenStudyOptions")
      .def(nb::init<>())
      .def_rw("world", &PregenStudyOptions::world)
      .def_rw("images", &PregenStudyOptions::images)
      .def_rw("folder", &PregenStudyOptions::folder)
      .def_rw("size", &PregenStudyOptions::size)
      .def_rw("shares", &PregenStudyOptions::shares)
      .def_rw("most_epochs", &PregenStudyOptions::most_epochs)
      .def_rw("resamples", &PregenStudyOptions::resamples)
      .def_rw("seed", &PregenStudyOptions::seed)
      .def_rw("device", &PregenStudyOptions::device)
      .def_rw("threads", &PregenStudyOptions::threads)
      .def(
          "set_tell",
          [](PregenStudyOptions& options, nb::object tell) { options.tell = teller(std::move(tell)); },
          "tell"_a.none());
  pickled(nb::class_<PregenStudyResult>(module, "PregenStudyResult"))
      .def_ro("posts", &PregenStudyResult::posts)
      .def_ro("findings", &PregenStudyResult::findings)
      .def_prop_ro("warnings",
                   [](const PregenStudyResult& result) { return in_python_words(result.warnings); })
      .def_ro("data_file", &PregenStudyResult::data_file)
      .def_prop_ro("generators", generators_of)
      .def("correlations", [](const PregenStudyResult& result) { return Correlations{result.correlations}; })
      .def(
          "format",
          [](const PregenStudyResult& result, const std::string& format) {
            return report::format_pregen_study(result, report::format_by_name(format));
          },
          "format"_a);
  module.def("study_pregen", study, "options"_a, Unlocked());
}

}  // namespace

void bind_pregen(nb::module_& module) {
  using namespace nb::literals;
  module.def("pregen_metric_names", &pregen_metric_names);
  module.def("pregen_metrics", metrics_of, "probabilities"_a, "paper"_a);
  bind_strata(module);
  bind_correlations(module);
  bind_generators(module);
  bind_study(module);
}

}  // namespace capella::python
