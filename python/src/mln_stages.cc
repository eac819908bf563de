// The stages of Markov-logic verification before any verdict, joined by files. All jobs run without the GIL.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "capella/mln.h"

#include "bindings.h"
#include "callbacks.h"
#include "mln_tuples.h"
#include "pickling.h"
#include "report/attention_picture.h"
#include "report/mln_stage_report.h"
#include "report/result_report.h"

namespace capella::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

// All options of stages have these.
template <class Options>
nb::class_<Options> bind_stage(nb::module_& module, const char* name) {
  using namespace nb::literals;
  return nb::class_<Options>(module, name)
      .def(nb::init<>())
      .def_rw("output", &Options::output)
      .def_rw("threads", &Options::threads)
      .def(
          "set_progress",
          [](Options& options, nb::object progress) { options.progress = reporter(std::move(progress)); },
          "progress"_a.none());
}

// `format_summary`: of report/.
template <class Summary, class Format>
nb::class_<Summary> bind_summary(nb::module_& module, const char* name, Format format_summary) {
  using namespace nb::literals;
  return pickled(nb::class_<Summary>(module, name))
      .def(
          "format",
          [format_summary](const Summary& summary, const std::string& format) {
            return format_summary(summary, report::format_by_name(format));
          },
          "format"_a);
}

void bind_triplets(nb::module_& module) {
  using namespace nb::literals;
  bind_stage<TripletOptions>(module, "TripletOptions")
      .def_rw("captions", &TripletOptions::captions)
      .def_rw("splits", &TripletOptions::splits)
      .def_rw("objects", &TripletOptions::objects)
      .def_rw("exclude", &TripletOptions::exclude)
      .def_rw("as_worded", &TripletOptions::as_worded);
  bind_summary<TripletSummary>(module, "TripletSummary", &report::format_triplets)
      .def_ro("images", &TripletSummary::images)
      .def_ro("captions", &TripletSummary::captions)
      .def_ro("triplets", &TripletSummary::triplets)
      .def_ro("predicates", &TripletSummary::predicates)
      .def_ro("excluded_images", &TripletSummary::excluded_images)
      .def_ro("without", &TripletSummary::without)
      .def_ro("common", &TripletSummary::common);
  module.def("mln_triplets", &mln_triplets, "options"_a, Unlocked());
}

void bind_structure(nb::module_& module) {
  using namespace nb::literals;
  bind_stage<StructureRun>(module, "StructureRun")
      .def_rw("triplets", &StructureRun::triplets)
      .def_rw("top_predicates", &StructureRun::top_predicates)
      .def_rw("longest", &StructureRun::longest)
      .def_rw("ground", &StructureRun::ground)
      .def_rw("tree", &StructureRun::tree)
      .def_rw("substring", &StructureRun::substring)
      .def_rw("min_images", &StructureRun::min_images)
      .def_rw("min_confidence", &StructureRun::min_confidence)
      .def_rw("most_chains", &StructureRun::most_chains);
  bind_summary<StructureSummary>(module, "StructureSummary", &report::format_structure)
      .def_ro("images", &StructureSummary::images)
      .def_ro("triplets", &StructureSummary::triplets)
      .def_ro("dropped_triplets", &StructureSummary::dropped_triplets)
      .def_ro("candidates", &StructureSummary::candidates)
      .def_ro("formulas", &StructureSummary::formulas)
      .def_ro("predicates", &StructureSummary::predicates)
      .def_ro("constants", &StructureSummary::constants)
      .def_ro("capped_images", &StructureSummary::capped_images)
      .def_ro("empty_domains", &StructureSummary::empty_domains)
      .def_ro("by_length", &StructureSummary::by_length)
      .def_ro("best", &StructureSummary::best);
  module.def("mln_structure", &mln_structure, "options"_a, Unlocked());
}

// As the package's LearnedPredicate has it.
using PredicateTuple = std::tuple<std::string, std::size_t, std::size_t, std::size_t, double, double, double,
                                  double, double, double>;

std::vector<PredicateTuple> predicates_of(const MilSummary& summary) {
  std::vector<PredicateTuple> predicates;
  for (const MilPredicate& one : summary.predicates)
    predicates.emplace_back(one.predicate, one.training_bags, one.held_out_told, one.held_out_atoms, one.auc,
                            one.other_auc, one.log_loss, one.log_loss_uncalibrated, one.brier,
                            one.calibration_error);
  return predicates;
}

void bind_mil(nb::module_& module) {
  using namespace nb::literals;
  bind_stage<MilRun>(module, "MilRun")
      .def_rw("objects", &MilRun::objects)
      .def_rw("triplets", &MilRun::triplets)
      .def_rw("attention", &MilRun::attention)
      .def_rw("both", &MilRun::both)
      .def_rw("preset", &MilRun::preset)
      .def_rw("negatives", &MilRun::negatives)
      .def_rw("pixel_boxes", &MilRun::pixel_boxes)
      .def_rw("epochs", &MilRun::epochs)
      .def_rw("hidden", &MilRun::hidden)
      .def_rw("attention_size", &MilRun::attention_size)
      .def_rw("rate", &MilRun::rate)
      .def_rw("seed", &MilRun::seed);
  bind_summary<MilSummary>(module, "MilSummary", &report::format_mil)
      .def_ro("attention", &MilSummary::attention)
      .def_prop_ro("predicates", predicates_of)
      .def_ro("mean_auc", &MilSummary::mean_auc)
      .def_ro("other_mean_auc", &MilSummary::other_mean_auc);
  module.def("mln_mil", &mln_mil, "options"_a, Unlocked());
}

// An attention and what it is about.
struct Looked {
  MilAttention attention;
  Claim claim;
};

using BoxTuple = std::tuple<std::string, std::array<double, 4>>;
using WeightTuple = std::tuple<std::size_t, std::size_t, double>;

std::vector<BoxTuple> boxes_of(const Looked& looked) {
  std::vector<BoxTuple> boxes;
  for (const MilAttention::Box& one : looked.attention.boxes) boxes.emplace_back(one.label, one.box);
  return boxes;
}

std::vector<WeightTuple> pairs_of(const Looked& looked) {
  std::vector<WeightTuple> pairs;
  for (const MilAttention::Pair& one : looked.attention.pairs)
    pairs.emplace_back(one.subject, one.object, one.weight);
  return pairs;
}

void bind_attention(nb::module_& module) {
  using namespace nb::literals;
  pickled(nb::class_<Looked>(module, "MilAttention"))
      .def_prop_ro("probability", [](const Looked& looked) { return looked.attention.probability; })
      .def_prop_ro("width", [](const Looked& looked) { return looked.attention.width; })
      .def_prop_ro("height", [](const Looked& looked) { return looked.attention.height; })
      .def_prop_ro("boxes", boxes_of)
      .def_prop_ro("pairs", pairs_of)
      .def("picture",
           [](const Looked& looked) { return report::draw_attention(looked.attention, looked.claim); });
  module.def(
      "mln_attention",
      [](const std::string& model, const std::string& objects, const std::string& image,
         const ClaimTuple& about) {
        const Claim claim{std::get<0>(about), std::get<1>(about), std::get<2>(about)};
        return Looked{mln_attention(model, objects, image, claim), claim};
      },
      "model"_a, "objects"_a, "image"_a, "claim"_a, Unlocked());
}

void bind_ground(nb::module_& module) {
  using namespace nb::literals;
  bind_stage<GroundRun>(module, "GroundRun")
      .def_rw("network", &GroundRun::network)
      .def_rw("objects", &GroundRun::objects)
      .def_rw("references", &GroundRun::references)
      .def_rw("mil", &GroundRun::mil)
      .def_rw("captions", &GroundRun::captions)
      .def_rw("aliases", &GroundRun::aliases)
      .def_rw("mil_tau", &GroundRun::mil_tau);
  bind_summary<GroundSummary>(module, "GroundSummary", &report::format_ground)
      .def_ro("images", &GroundSummary::images)
      .def_ro("empty", &GroundSummary::empty)
      .def_ro("atoms", &GroundSummary::atoms)
      .def_ro("factors", &GroundSummary::factors)
      .def_ro("most_atoms", &GroundSummary::most_atoms)
      .def_ro("without_model", &GroundSummary::without_model)
      .def_ro("empty_bags", &GroundSummary::empty_bags);
  module.def("mln_ground", &mln_ground, "options"_a, Unlocked());
}

// As the package's NliAccuracy has it.
using AccuracyTuple = std::tuple<std::size_t, double, Bounds, std::array<std::array<std::size_t, 3>, 3>,
                                 std::string, std::size_t>;

void bind_nli(nb::module_& module) {
  using namespace nb::literals;
  bind_stage<NliRun>(module, "NliRun")
      .def_rw("ground", &NliRun::ground)
      .def_rw("captions", &NliRun::captions)
      .def_prop_rw(
          "model", [](const NliRun& run) { return run.judge.model; },
          [](NliRun& run, const std::string& model) { run.judge.model = model; })
      .def_prop_rw(
          "device", [](const NliRun& run) { return run.judge.device; },
          [](NliRun& run, const std::string& device) { run.judge.device = device; });
  bind_summary<NliSummary>(module, "NliSummary", &report::format_nli)
      .def_ro("captions", &NliSummary::captions)
      .def_ro("questions", &NliSummary::questions)
      .def_ro("entailed", &NliSummary::entailed)
      .def_ro("contradicted", &NliSummary::contradicted)
      .def_ro("unseen", &NliSummary::unseen)
      .def_ro("without_image", &NliSummary::without_image)
      .def_ro("judge", &NliSummary::judge)
      .def_ro("distinct", &NliSummary::distinct)
      .def_ro("cut", &NliSummary::cut);
  module.def("mln_nli", &mln_nli, "options"_a, Unlocked());
  module.def(
      "mln_nli_accuracy",
      [](const std::string& pairs, const std::string& model, const std::string& device, std::size_t threads) {
        const NliAccuracy found = mln_nli_accuracy({pairs, {model, device}, threads, until_interrupted()});
        return AccuracyTuple(found.pairs, found.accuracy, tuple_of(found.interval), found.confusion,
                             found.judge, found.cut);
      },
      "pairs"_a, "model"_a, "device"_a, "threads"_a, Unlocked());
  module.def(
      "mln_missed_things",
      [](const std::string& captions, const std::string& split, const std::string& objects,
         std::size_t threads) {
        return mln_missed_things(captions, split, objects, threads, until_interrupted());
      },
      "captions"_a, "split"_a, "objects"_a, "threads"_a, Unlocked());
}

}  // namespace

void bind_mln_stages(nb::module_& module) {
  bind_triplets(module);
  bind_structure(module);
  bind_mil(module);
  bind_attention(module);
  bind_ground(module);
  bind_nli(module);
}

}  // namespace capella::python
