// Adapters of sentence encoders: training, and people's scale. Both jobs run without the GIL.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "capella/adapter_calibration.h"
#include "capella/adapter_training.h"

#include "bindings.h"
#include "callbacks.h"
#include "pickling.h"
#include "report/adapter_report.h"
#include "report/calibration_report.h"
#include "report/result_report.h"
#include "words.h"

namespace capella::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;
using TrainingClass = nb::class_<AdapterTraining>;
using DataTuple =
    std::tuple<std::string, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>;

std::vector<DataTuple> data_of(const AdapterTrained& trained) {
  std::vector<DataTuple> files;
  for (const AdapterData& file : trained.data)
    files.emplace_back(file.path, file.images, file.captions, file.known, file.named, file.few, file.again);
  return files;
}

std::vector<std::tuple<double, double>> steps_of(const AdapterTrained& trained) {
  std::vector<std::tuple<double, double>> steps;
  for (const AdapterStep& step : trained.steps) steps.emplace_back(step.loss, step.agreement);
  return steps;
}

std::vector<std::tuple<std::size_t, double, double, double>> bins_of(const AdapterCalibrated& calibrated) {
  std::vector<std::tuple<std::size_t, double, double, double>> bins;
  for (const CalibrationBin& bin : calibrated.bins)
    bins.emplace_back(bin.captions, bin.predicted, bin.rated, bin.standard_error);
  return bins;
}

AdapterTrained train(AdapterTraining options) {
  options.progress = until_interrupted();
  return train_adapter(options);
}

AdapterCalibrated calibrate(AdapterCalibration options) {
  options.progress = until_interrupted();
  return calibrate_adapter(options);
}

void bind_captions(TrainingClass& training) {
  using namespace nb::literals;
  training.def_rw("captions", &AdapterTraining::captions)
      .def_rw("split", &AdapterTraining::split)
      .def_rw("base", &AdapterTraining::base)
      .def_rw("output", &AdapterTraining::output)
      .def_rw("rated", &AdapterTraining::rated)
      .def_rw("rated_layout", &AdapterTraining::rated_layout)
      .def_rw("validation", &AdapterTraining::validation)
      .def_rw("validation_layout", &AdapterTraining::validation_layout)
      .def_rw("without", &AdapterTraining::without)
      .def(
          "hold_out",
          [](AdapterTraining& options, const std::string& layout, const std::string& path) {
            options.held_out.push_back({layout, path});
          },
          "layout"_a, "path"_a);
}

void bind_learning(TrainingClass& training) {
  using namespace nb::literals;
  training.def_rw("pooling", &AdapterTraining::pooling)
      .def_rw("rank", &AdapterTraining::rank)
      .def_rw("alpha", &AdapterTraining::alpha)
      .def_rw("strength", &AdapterTraining::strength)
      .def_rw("references", &AdapterTraining::references)
      .def_rw("batch", &AdapterTraining::batch)
      .def_rw("steps", &AdapterTraining::steps)
      .def_rw("warm_up", &AdapterTraining::warm_up, nb::arg().none())
      .def_rw("rate", &AdapterTraining::rate)
      .def_rw("temperature", &AdapterTraining::temperature)
      .def_rw("rated_batch", &AdapterTraining::rated_batch)
      .def_rw("rated_weight", &AdapterTraining::rated_weight)
      .def_rw("chunk", &AdapterTraining::chunk)
      .def_rw("bfloat16", &AdapterTraining::bfloat16)
      .def_rw("full", &AdapterTraining::full)
      .def_rw("tell_every", &AdapterTraining::tell_every)
      .def_rw("validate_every", &AdapterTraining::validate_every)
      .def_rw("checkpoint_every", &AdapterTraining::checkpoint_every)
      .def_rw("seed", &AdapterTraining::seed)
      .def_rw("threads", &AdapterTraining::threads)
      .def_rw("device", &AdapterTraining::device)
      .def_rw("restart", &AdapterTraining::restart)
      .def(
          "set_tell",
          [](AdapterTraining& options, nb::object tell) { options.tell = teller(std::move(tell)); },
          "tell"_a.none());
}

void bind_trained(nb::module_& module) {
  using namespace nb::literals;
  pickled(nb::class_<AdapterTrained>(module, "AdapterTrained"))
      .def_ro("base", &AdapterTrained::base)
      .def_ro("parameters", &AdapterTrained::parameters)
      .def_ro("images", &AdapterTrained::images)
      .def_ro("batch", &AdapterTrained::batch)
      .def_prop_ro("data", data_of)
      .def_prop_ro("rated_rows", [](const AdapterTrained& trained) { return trained.rated.rows; })
      .def_prop_ro("rated_held_out",
                   [](const AdapterTrained& trained) { return trained.rated.known + trained.rated.named; })
      .def_ro("validation_rows", &AdapterTrained::validation_rows)
      .def_prop_ro("steps", steps_of)
      .def_ro("resumed", &AdapterTrained::resumed)
      .def_ro("seconds", &AdapterTrained::seconds)
      .def_prop_ro("warnings",
                   [](const AdapterTrained& trained) { return in_python_words(trained.warnings); })
      .def(
          "format",
          [](const AdapterTrained& trained, const std::string& format) {
            return report::format_adapter_training(trained, report::format_by_name(format));
          },
          "format"_a)
      .def("curve", [](const AdapterTrained& trained) { return report::draw_adapter_training(trained); });
}

void bind_calibration(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<AdapterCalibration>(module, "AdapterCalibration")
      .def(nb::init<>())
      .def_rw("adapter", &AdapterCalibration::adapter)
      .def_rw("ratings", &AdapterCalibration::ratings)
      .def_rw("layout", &AdapterCalibration::layout)
      .def_rw("without", &AdapterCalibration::without)
      .def_rw("replace", &AdapterCalibration::replace)
      .def_rw("threads", &AdapterCalibration::threads);
  pickled(nb::class_<AdapterCalibrated>(module, "AdapterCalibrated"))
      .def_ro("file", &AdapterCalibrated::file)
      .def_ro("captions", &AdapterCalibrated::captions)
      .def_ro("images", &AdapterCalibrated::images)
      .def_ro("knots", &AdapterCalibrated::knots)
      .def_ro("agreement", &AdapterCalibrated::agreement)
      .def_prop_ro("bins", bins_of)
      .def_ro("error", &AdapterCalibrated::error)
      .def_ro("within", &AdapterCalibrated::within)
      .def_prop_ro("warnings",
                   [](const AdapterCalibrated& calibrated) { return in_python_words(calibrated.warnings); })
      .def(
          "format",
          [](const AdapterCalibrated& calibrated, const std::string& format) {
            return report::format_calibration(calibrated, report::format_by_name(format));
          },
          "format"_a)
      .def("plot", [](const AdapterCalibrated& calibrated) { return report::draw_reliability(calibrated); });
  module.def("calibrate_adapter", calibrate, "options"_a, Unlocked());
}

}  // namespace

void bind_adapter(nb::module_& module) {
  using namespace nb::literals;
  TrainingClass training(module, "AdapterTraining");
  training.def(nb::init<>());
  bind_captions(training);
  bind_learning(training);
  bind_trained(module);
  module.def("train_adapter", train, "options"_a, Unlocked());
  bind_calibration(module);
}

}  // namespace capella::python
