// Learned metrics of DENEB's kind: training and scoring. All jobs run without the GIL.
#include "capella/deneb.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "callbacks.h"
#include "intervals.h"
#include "pickling.h"
#include "report/deneb_report.h"
#include "report/result_report.h"
#include "words.h"

namespace capella::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;
using EpochTuple = std::tuple<double, double>;

std::vector<EpochTuple> epochs_of(const DenebTrained& trained) {
  std::vector<EpochTuple> epochs;
  for (const DenebEpoch& epoch : trained.epochs) epochs.emplace_back(epoch.loss, epoch.agreement);
  return epochs;
}

DenebTrained train(DenebTraining options) {
  options.progress = until_interrupted();
  return train_deneb(options);
}

Result score_captions(const Dataset& dataset, DenebScoring options) {
  options.progress = until_interrupted();
  return score_deneb(dataset, options);
}

void bind_encoders(nb::module_& module) {
  nb::class_<DenebEncoders>(module, "DenebEncoders")
      .def(nb::init<>())
      .def_rw("clip", &DenebEncoders::clip)
      .def_rw("text", &DenebEncoders::text)
      .def_rw("vectors", &DenebEncoders::vectors)
      .def_rw("images", &DenebEncoders::images)
      .def_rw("cache", &DenebEncoders::cache);
}

using TrainingClass = nb::class_<DenebTraining>;

void bind_rows(TrainingClass& training) {
  using namespace nb::literals;
  training.def_rw("training", &DenebTraining::training)
      .def_rw("validation", &DenebTraining::validation)
      .def_rw("layout", &DenebTraining::layout)
      .def_rw("validation_layout", &DenebTraining::validation_layout)
      .def_rw("without", &DenebTraining::without)
      .def(
          "hold_out",
          [](DenebTraining& options, const std::string& layout, const std::string& path) {
            options.held_out.push_back({layout, path});
          },
          "layout"_a, "path"_a);
}

void bind_network(TrainingClass& training) {
  training.def_rw("encoders", &DenebTraining::encoders)
      .def_rw("architecture", &DenebTraining::architecture)
      .def_rw("tokens", &DenebTraining::tokens)
      .def_rw("joiner", &DenebTraining::joiner)
      .def_rw("references", &DenebTraining::references)
      .def_rw("statistics", &DenebTraining::statistics)
      .def_rw("text_only", &DenebTraining::text_only)
      .def_rw("prompt", &DenebTraining::prompt, nb::arg().none())
      .def_rw("width", &DenebTraining::width)
      .def_rw("layers", &DenebTraining::layers)
      .def_rw("heads", &DenebTraining::heads)
      .def_rw("feed_forward", &DenebTraining::feed_forward)
      .def_rw("hidden", &DenebTraining::hidden)
      .def_rw("cosine", &DenebTraining::cosine)
      .def_rw("scale_vectors", &DenebTraining::scale_vectors);
}

void bind_learning(TrainingClass& training) {
  training.def_rw("rate", &DenebTraining::rate)
      .def_rw("weight_decay", &DenebTraining::weight_decay, nb::arg().none())
      .def_rw("batch", &DenebTraining::batch)
      .def_rw("warm_up", &DenebTraining::warm_up, nb::arg().none())
      .def_rw("dropout", &DenebTraining::dropout, nb::arg().none())
      .def_rw("most_epochs", &DenebTraining::most_epochs)
      .def_rw("rows_per_epoch", &DenebTraining::rows_per_epoch)
      .def_rw("patience", &DenebTraining::patience)
      .def_rw("half", &DenebTraining::half)
      .def_rw("output", &DenebTraining::output)
      .def_rw("restart", &DenebTraining::restart)
      .def_rw("seed", &DenebTraining::seed)
      .def_rw("device", &DenebTraining::device)
      .def_rw("threads", &DenebTraining::threads);
}

void bind_training(nb::module_& module) {
  using namespace nb::literals;
  TrainingClass training(module, "DenebTraining");
  training.def(nb::init<>());
  bind_rows(training);
  bind_network(training);
  bind_learning(training);
  training.def(
      "set_tell", [](DenebTraining& options, nb::object tell) { options.tell = teller(std::move(tell)); },
      "tell"_a.none());
  module.def("train_deneb", train, "options"_a, Unlocked());
}

void bind_trained(nb::module_& module) {
  using namespace nb::literals;
  pickled(nb::class_<DenebTrained>(module, "DenebTrained"))
      .def_ro("architecture", &DenebTrained::architecture)
      .def_ro("parameters", &DenebTrained::parameters)
      .def_ro("training_rows", &DenebTrained::training_rows)
      .def_ro("dropped_rows", &DenebTrained::dropped_rows)
      .def_ro("validation_rows", &DenebTrained::validation_rows)
      .def_ro("measure", &DenebTrained::measure)
      .def_ro("images", &DenebTrained::images)
      .def_ro("captions", &DenebTrained::captions)
      .def_ro("most_references", &DenebTrained::most_references)
      .def_prop_ro("epochs", epochs_of)
      .def_ro("best_epoch", &DenebTrained::best_epoch)
      .def_ro("resumed", &DenebTrained::resumed)
      .def_ro("encoding_seconds", &DenebTrained::encoding_seconds)
      .def_ro("seconds", &DenebTrained::seconds)
      .def_prop_ro("warnings", [](const DenebTrained& trained) { return in_python_words(trained.warnings); })
      .def(
          "format",
          [](const DenebTrained& trained, const std::string& format) {
            return report::format_deneb(trained, report::format_by_name(format));
          },
          "format"_a)
      .def("curve", [](const DenebTrained& trained) { return report::draw_deneb(trained); });
}

void bind_scoring(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<DenebScoring>(module, "DenebScoring")
      .def(nb::init<>())
      .def_rw("model", &DenebScoring::model)
      .def_rw("encoders", &DenebScoring::encoders)
      .def_rw("parity", &DenebScoring::parity)
      .def_rw("references", &DenebScoring::references)
      .def_rw("batch", &DenebScoring::batch)
      .def_rw("heads", &DenebScoring::heads)
      .def_rw("device", &DenebScoring::device)
      .def_rw("threads", &DenebScoring::threads)
      .def(
          "set_intervals",
          [](DenebScoring& options, std::size_t resamples, std::uint64_t seed, const std::string& method) {
            options.intervals = IntervalOptions{resamples, seed, interval_method(method)};
          },
          "resamples"_a, "seed"_a, "method"_a);
  module.def("score_deneb", score_captions, "dataset"_a, "options"_a, Unlocked());
}

}  // namespace

void bind_deneb(nb::module_& module) {
  bind_encoders(module);
  bind_training(module);
  bind_trained(module);
  bind_scoring(module);
}

}  // namespace capella::python
