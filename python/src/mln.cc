// Verdicts of Markov logic on captions: systems, reasons, ranks, concepts, people, and a whole run. All jobs
// run without the GIL.
#include "capella/mln.h"

#include <limits>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/file.h"
#include "bindings.h"
#include "callbacks.h"
#include "mln_tuples.h"
#include "pickling.h"
#include "report/mln_pictures.h"
#include "report/mln_report.h"
#include "report/mln_study_report.h"
#include "report/result_report.h"
#include "words.h"

namespace capella::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

// `format_made`: of report/.
template <class Made, class Format>
nb::class_<Made> bind_made(nb::module_& module, const char* name, Format format_made) {
  using namespace nb::literals;
  return pickled(nb::class_<Made>(module, name))
      .def(
          "format",
          [format_made](const Made& made, const std::string& format) {
            return format_made(made, report::format_by_name(format));
          },
          "format"_a);
}

std::vector<CaptionTuple> captions_of(const Verification& verification) {
  std::vector<CaptionTuple> captions;
  captions.reserve(verification.captions.size());
  for (const JudgedCaption& caption : verification.captions)
    captions.push_back(tuple_of(caption, verification.unseen_p > 0));
  return captions;
}

// Claims about undetected things have no number where they were not counted.
std::vector<SystemTuple> systems_of(const Verification& verification) {
  std::vector<JudgedSystem> systems = verification.systems;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (JudgedSystem& system : systems) {
    if (verification.unseen_p > 0) continue;
    system.log_prob_unseen = kNone;
    system.unseen_interval = {kNone, kNone};
  }
  return tuples_of(systems);
}

void bind_verification(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<InferRun>(module, "InferRun")
      .def(nb::init<>())
      .def_rw("ground", &InferRun::ground)
      .def_rw("nli", &InferRun::nli)
      .def_rw("output", &InferRun::output)
      .def_rw("margin", &InferRun::margin)
      .def_rw("unseen", &InferRun::unseen)
      .def_rw("resamples", &InferRun::resamples)
      .def_rw("inference", &InferRun::inference);
  bind_made<Verification>(module, "Verification", &report::format_verification)
      .def_prop_ro("systems", systems_of)
      .def_prop_ro("captions", captions_of)
      .def_prop_ro("pairs", [](const Verification& made) { return tuples_of(made.pairs); })
      .def_ro("methods", &Verification::methods)
      .def_ro("unseen_p", &Verification::unseen_p)
      .def_ro("judges", &Verification::judges)
      .def_prop_ro("notes", [](const Verification& made) { return in_python_words(made.notes); })
      .def("picture", &report::draw_systems);
  module.attr("most_nodes_per_image") = kMostNodesPerImage;
  module.def("mln_infer", &mln_infer, "options"_a, Unlocked());
  module.def("read_verification", &read_verification, "path"_a, Unlocked());
}

void bind_explanations(nb::module_& module) {
  using namespace nb::literals;
  pickled(nb::class_<MlnExplanation>(module, "MlnExplanation"))
      .def_prop_ro("caption",
                   [](const MlnExplanation& made) {
                     return tuple_of(made.caption, made.caption.log_prob_unseen != 0);
                   })
      .def_ro("text", &MlnExplanation::text)
      .def_ro("median", &MlnExplanation::median)
      .def_prop_ro("claims", [](const MlnExplanation& made) { return tuples_of(made.claims); })
      .def(
          "format",
          [](const MlnExplanation& made, const std::string& format, std::size_t reasons) {
            return report::format_mln_explanation(made, report::format_by_name(format), reasons);
          },
          "format"_a, "reasons"_a)
      .def(
          "contrast",
          [](const MlnExplanation& made, const MlnExplanation& other, const std::string& format) {
            return report::format_mln_contrast(made, other, report::format_by_name(format));
          },
          "other"_a, "format"_a);
  module.def("explain_mln", &explain_mln, "run"_a, "system"_a, "image"_a, "captions"_a, Unlocked());
}

void bind_ranking(nb::module_& module) {
  using namespace nb::literals;
  bind_made<RankedSystems>(module, "RankedSystems", &report::format_ranking)
      .def_ro("systems", &RankedSystems::systems)
      .def_ro("metrics", &RankedSystems::metrics)
      .def_ro("values", &RankedSystems::values)
      .def_ro("ranks", &RankedSystems::ranks)
      .def_ro("average_rank", &RankedSystems::average_rank)
      .def_ro("log_prob", &RankedSystems::log_prob)
      .def_ro("variance", &RankedSystems::variance)
      .def_ro("pearson", &RankedSystems::pearson)
      .def_ro("spearman", &RankedSystems::spearman)
      .def_ro("kendall", &RankedSystems::kendall)
      .def("picture", &report::draw_ranking, "title"_a);
  module.def("rank_systems", &rank_systems, "systems"_a, "metrics"_a, "values"_a, "log_prob"_a, "variance"_a);
  module.def("published_ranking", &published_ranking, "test"_a);
}

void bind_people(nb::module_& module) {
  using namespace nb::literals;
  bind_made<ConceptUncertainty>(module, "ConceptUncertainty", &report::format_concepts)
      .def_prop_ro("rows", [](const ConceptUncertainty& made) { return tuples_of(made.rows); })
      .def_ro("ties", &ConceptUncertainty::ties)
      .def_ro("labelled", &ConceptUncertainty::labelled)
      .def("picture", &report::draw_concepts);
  bind_made<HumanRanking>(module, "HumanRanking", &report::format_human_ranking)
      .def_prop_ro("images", [](const HumanRanking& made) { return tuples_of(made.images); })
      .def_ro("constant", &HumanRanking::constant)
      .def_ro("without_network", &HumanRanking::without_network)
      .def_ro("few_claims", &HumanRanking::few_claims)
      .def_ro("mean", &HumanRanking::mean)
      .def_prop_ro("interval", [](const HumanRanking& made) { return tuple_of(made.interval); })
      .def_ro("share_positive", &HumanRanking::share_positive)
      .def_ro("histogram", &HumanRanking::histogram)
      .def("picture", &report::draw_human_ranking);
  module.def("concept_uncertainty", &concept_uncertainty, "verification"_a, "concepts"_a, "resamples"_a,
             "seed"_a, Unlocked());
  module.def("human_ranking", &human_ranking, "ground"_a, "ranks"_a, "inference"_a, "resamples"_a,
             Unlocked());
  module.def("export_ranking_task", &export_ranking_task, "ground"_a, "most_claims"_a, "seed"_a, Unlocked());
}

std::vector<std::pair<std::string, std::string>> named_pictures(const MlnStudy& study) {
  std::vector<std::pair<std::string, std::string>> named;
  for (NamedContent& picture : report::draw_mln_study(study))
    named.emplace_back(std::move(picture.name), std::move(picture.content));
  return named;
}

void bind_study_options(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<MlnStudyOptions>(module, "MlnStudyOptions")
      .def(nb::init<>())
      .def_rw("world", &MlnStudyOptions::world)
      .def_rw("images", &MlnStudyOptions::images)
      .def_rw("training", &MlnStudyOptions::training)
      .def_rw("references", &MlnStudyOptions::references)
      .def_rw("systems", &MlnStudyOptions::systems)
      .def_rw("folder", &MlnStudyOptions::folder)
      .def_rw("rules", &MlnStudyOptions::rules)
      .def_prop_rw(
          "nli_model", [](const MlnStudyOptions& options) { return options.judge.model; },
          [](MlnStudyOptions& options, const std::string& model) { options.judge.model = model; })
      .def_prop_rw(
          "device", [](const MlnStudyOptions& options) { return options.judge.device; },
          [](MlnStudyOptions& options, const std::string& device) { options.judge.device = device; })
      .def_rw("resamples", &MlnStudyOptions::resamples)
      .def_rw("seed", &MlnStudyOptions::seed)
      .def_rw("threads", &MlnStudyOptions::threads)
      .def(
          "set_progress",
          [](MlnStudyOptions& options, nb::object progress) {
            options.progress = reporter(std::move(progress));
          },
          "progress"_a.none())
      .def(
          "set_tell",
          [](MlnStudyOptions& options, nb::object tell) { options.tell = teller(std::move(tell)); },
          "tell"_a.none());
}

void bind_study(nb::module_& module) {
  using namespace nb::literals;
  bind_study_options(module);
  bind_made<MlnStudy>(module, "MlnStudy", &report::format_mln_study)
      .def_ro("generated", &MlnStudy::generated)
      .def_ro("test_images", &MlnStudy::test_images)
      .def_prop_ro("stages", [](const MlnStudy& study) { return tuples_of(study.stages); })
      .def_ro("verification", &MlnStudy::verification)
      .def_ro("ranking", &MlnStudy::ranking)
      .def_ro("explanations", &MlnStudy::explanations)
      .def_prop_ro("kinds", [](const MlnStudy& study) { return tuples_of(study.kinds); })
      .def_prop_ro("returned", [](const MlnStudy& study) { return tuples_of(study.returned); })
      .def_ro("concepts", &MlnStudy::concepts)
      .def_ro("people", &MlnStudy::people)
      .def("pictures", named_pictures, Unlocked())
      .def(
          "write_pictures",
          [](const MlnStudy& study, const std::string& folder) {
            return write_into_folder(folder, report::draw_mln_study(study));
          },
          "folder"_a, Unlocked());
  module.def("run_mln", &run_mln, "options"_a, Unlocked());
}

}  // namespace

void bind_mln(nb::module_& module) {
  bind_verification(module);
  bind_explanations(module);
  bind_ranking(module);
  bind_people(module);
  bind_study(module);
}

}  // namespace capella::python
