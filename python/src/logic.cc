// Markov logic on its own: probabilities in networks, weights from worlds, the authors' networks. All jobs
// run without the GIL.
#include "capella/logic.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "callbacks.h"
#include "pickling.h"
#include "report/logic_pictures.h"
#include "report/logic_report.h"
#include "report/result_report.h"
#include "words.h"

namespace capella::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

void bind_options(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<InferenceOptions>(module, "InferenceOptions")
      .def(nb::init<>())
      .def_rw("method", &InferenceOptions::method)
      .def_rw("seed", &InferenceOptions::seed)
      .def_rw("threads", &InferenceOptions::threads)
      .def_rw("most_entries", &InferenceOptions::most_entries)
      .def_rw("most_nodes", &InferenceOptions::most_nodes)
      .def_rw("cache_megabytes", &InferenceOptions::cache_megabytes)
      .def_rw("chains", &InferenceOptions::chains)
      .def_rw("burn_in", &InferenceOptions::burn_in)
      .def_rw("most_sweeps", &InferenceOptions::most_sweeps)
      .def_rw("random_scan", &InferenceOptions::random_scan)
      .def_rw("blocks", &InferenceOptions::blocks)
      .def_rw("temperatures", &InferenceOptions::temperatures)
      .def_rw("sum_exp", &InferenceOptions::sum_exp)
      .def(
          "set_progress",
          [](InferenceOptions& options, nb::object progress) {
            options.progress = reporter(std::move(progress));
          },
          "progress"_a.none());
  nb::class_<LogicRun>(module, "LogicRun")
      .def(nb::init<>())
      .def_rw("network", &LogicRun::network)
      .def_rw("evidence", &LogicRun::evidence)
      .def_rw("query", &LogicRun::query)
      .def_rw("most_probable", &LogicRun::most_probable)
      .def_rw("tree_depth", &LogicRun::tree_depth)
      .def_rw("grounded", &LogicRun::grounded)
      .def_rw("inference", &LogicRun::inference)
      .def_rw("texts", &LogicRun::texts);
}

// As the package's Query has it.
using QueryTuple = std::tuple<double, double, double, bool>;
using WorldTuple = std::tuple<double, std::vector<std::string>>;

std::vector<WorldTuple> worlds_of(const LogicRun& run) {
  std::vector<WorldTuple> worlds;
  for (LogicWorld& world : list_worlds(run)) worlds.emplace_back(world.p, std::move(world.true_atoms));
  return worlds;
}

std::string draw_worlds_of(const std::vector<WorldTuple>& worlds, const std::string& title,
                           std::size_t most) {
  std::vector<LogicWorld> listed;
  for (const auto& [p, true_atoms] : worlds) listed.push_back({true_atoms, p});
  return report::draw_worlds(listed, title, most);
}

std::string draw_network(const LogicAnswer& answer, const std::string& title, std::size_t most_atoms) {
  std::vector<double> marginals;
  for (const auto& [atom, p] : answer.marginals) marginals.push_back(p);
  return report::draw_ground_network(answer.grounded, marginals, title, most_atoms);
}

std::string tree_of(const LogicAnswer& answer, const std::string& format) {
  if (format == "dot") return report::counting_tree_dot(answer.tree);
  return format == "json" ? report::counting_tree_json(answer.tree) : report::draw_counting_tree(answer.tree);
}

void bind_answers(nb::module_& module) {
  using namespace nb::literals;
  pickled(nb::class_<LogicAnswer>(module, "LogicAnswer"))
      .def_ro("method", &LogicAnswer::method)
      .def_ro("why", &LogicAnswer::why)
      .def_ro("atoms", &LogicAnswer::atoms)
      .def_ro("groundings", &LogicAnswer::groundings)
      .def_ro("unmentioned_atoms", &LogicAnswer::unmentioned_atoms)
      .def_ro("log_z", &LogicAnswer::log_z)
      .def_ro("marginals", &LogicAnswer::marginals)
      .def_ro("has_query", &LogicAnswer::has_query)
      .def_prop_ro("query",
                   [](const LogicAnswer& answer) {
                     return QueryTuple(answer.query_p, answer.query_log_p, answer.query_mcse,
                                       answer.query_unseen);
                   })
      .def_ro("mcse", &LogicAnswer::mcse)
      .def_ro("rhat_max", &LogicAnswer::rhat_max)
      .def_ro("ess_min", &LogicAnswer::ess_min)
      .def_ro("sweeps", &LogicAnswer::sweeps)
      .def_ro("chains", &LogicAnswer::chains)
      .def_ro("converged", &LogicAnswer::converged)
      .def_ro("true_atoms", &LogicAnswer::true_atoms)
      .def_ro("most_probable_log_p", &LogicAnswer::most_probable_log_p)
      .def_prop_ro("notes", [](const LogicAnswer& answer) { return in_python_words(answer.notes); })
      .def(
          "format",
          [](const LogicAnswer& answer, const std::string& format, std::size_t top) {
            return report::format_logic_answer(answer, report::format_by_name(format), top);
          },
          "format"_a, "top"_a)
      .def("picture", draw_network, "title"_a, "most_atoms"_a)
      .def("tree", tree_of, "format"_a);
  module.def("infer_logic", &infer_logic, "run"_a, Unlocked());
  module.def("list_worlds", worlds_of, "run"_a, Unlocked());
  module.def("draw_worlds", draw_worlds_of, "worlds"_a, "title"_a, "most"_a);
  module.def(
      "export_counting", [](const LogicRun& run) { return export_counting(run); }, "run"_a, Unlocked());
}

// As the package's Formula has it.
using FormulaTuple = std::tuple<std::string, double, double, bool, bool>;

std::vector<FormulaTuple> formulas_of(const WeightsLearned& learned) {
  std::vector<FormulaTuple> formulas;
  for (const LearnedFormula& one : learned.formulas)
    formulas.emplace_back(one.formula, one.weight, one.standard_error, one.hard, one.idle);
  return formulas;
}

void bind_learning_options(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<WeightLearning>(module, "WeightLearning")
      .def(nb::init<>())
      .def_rw("network", &WeightLearning::network)
      .def_rw("worlds", &WeightLearning::worlds)
      .def_rw("output", &WeightLearning::output)
      .def_rw("objective", &WeightLearning::objective)
      .def_rw("optimiser", &WeightLearning::optimiser)
      .def_rw("prior_sd", &WeightLearning::prior_sd)
      .def_rw("l1", &WeightLearning::l1)
      .def_rw("per_predicate", &WeightLearning::per_predicate)
      .def_rw("merged", &WeightLearning::merged)
      .def_rw("split", &WeightLearning::split)
      .def_rw("threads", &WeightLearning::threads)
      .def_rw("texts", &WeightLearning::texts)
      .def(
          "set_progress",
          [](WeightLearning& options, nb::object progress) {
            options.progress = reporter(std::move(progress));
          },
          "progress"_a.none());
}

void bind_learning(nb::module_& module) {
  using namespace nb::literals;
  bind_learning_options(module);
  pickled(nb::class_<WeightsLearned>(module, "WeightsLearned"))
      .def_prop_ro("formulas", formulas_of)
      .def_ro("errors_from", &WeightsLearned::errors_from)
      .def_ro("worlds", &WeightsLearned::worlds)
      .def_ro("atoms", &WeightsLearned::atoms)
      .def_ro("rows", &WeightsLearned::rows)
      .def_ro("nonzeros", &WeightsLearned::nonzeros)
      .def_ro("iterations", &WeightsLearned::iterations)
      .def_ro("measure", &WeightsLearned::measure)
      .def_ro("log_likelihood", &WeightsLearned::log_likelihood)
      .def_ro("objective", &WeightsLearned::objective)
      .def_ro("converged", &WeightsLearned::converged)
      .def_ro("network", &WeightsLearned::network)
      .def_prop_ro("notes", [](const WeightsLearned& learned) { return in_python_words(learned.notes); })
      .def(
          "format",
          [](const WeightsLearned& learned, const std::string& format, std::size_t top) {
            return report::format_learned_weights(learned, report::format_by_name(format), top);
          },
          "format"_a, "top"_a);
  module.def("learn_logic_weights", &learn_logic_weights, "options"_a, Unlocked());
}

// As the package's PublishedImage has it.
using PublishedTuple =
    std::tuple<std::string, std::string, double, std::vector<std::pair<std::string, double>>,
               std::vector<double>, std::vector<double>>;

std::vector<PublishedTuple> images_of(const PublishedNetworks& networks) {
  std::vector<PublishedTuple> images;
  for (const PublishedNetworks::Image& one : networks.images)
    images.emplace_back(one.id, one.method, one.log_z, one.marginals, one.mcse, one.sum_exp);
  return images;
}

void bind_published(nb::module_& module) {
  using namespace nb::literals;
  pickled(nb::class_<PublishedNetworks>(module, "PublishedNetworks"))
      .def_prop_ro("images", images_of)
      .def_ro("networks", &PublishedNetworks::networks)
      .def_ro("rules", &PublishedNetworks::rules)
      .def_ro("unknown_rules", &PublishedNetworks::unknown_rules)
      .def_ro("methods", &PublishedNetworks::methods)
      .def_ro("most_atoms", &PublishedNetworks::most_atoms)
      .def_ro("mean_difference", &PublishedNetworks::mean_difference)
      .def_ro("most_difference", &PublishedNetworks::most_difference)
      .def_ro("seconds", &PublishedNetworks::seconds)
      .def(
          "format",
          [](const PublishedNetworks& networks, const std::string& format, std::size_t top) {
            return report::format_published(networks, report::format_by_name(format), top);
          },
          "format"_a, "top"_a);
  module.def("infer_published", &infer_published, "rules"_a, "parameters"_a, "options"_a, Unlocked());
}

}  // namespace

void bind_logic(nb::module_& module) {
  bind_options(module);
  bind_answers(module);
  bind_learning(module);
  bind_published(module);
}

}  // namespace capella::python
