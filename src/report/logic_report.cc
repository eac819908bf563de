#include "report/logic_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/python_float.h"
#include "report/json_value.h"
#include "report/plot_parts.h"

namespace capella::report {
namespace {

bool for_programs(Format format) {
  return format == Format::csv || format == Format::plain;
}

// The table, and sentences below it where people read.
std::string with_lines(const Table& table, const std::vector<std::string>& lines, Format format) {
  std::string text = format_table(table, format);
  if (format != Format::table && format != Format::markdown) return text;
  for (const std::string& line : lines) text += fmt::format("\n{}\n", line);
  return text;
}

std::string six_digits(double p) {
  return fmt::format("{:.6f}", p);
}

// Small ones with enough digits to tell them from 0.
std::string small_number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.2g}", value);
}

// The most probable half first, then the least probable; equal ones in the network's order.
std::vector<std::size_t> shown_atoms(const LogicAnswer& answer, std::size_t top) {
  std::vector<std::size_t> places(answer.marginals.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, std::ranges::greater(),
                           [&](std::size_t atom) { return answer.marginals[atom].second; });
  if (top == 0 || top >= places.size()) return places;
  const auto first = static_cast<std::ptrdiff_t>(top - top / 2);
  places.erase(places.begin() + first, places.end() - static_cast<std::ptrdiff_t>(top / 2));
  return places;
}

Table atom_table(const LogicAnswer& answer, std::size_t top, bool exact_numbers) {
  const bool sampled = !answer.mcse.empty();
  Table table{{"atom", "p"}, {}, 1};
  if (sampled) table.columns.emplace_back("+-");
  std::vector<std::size_t> places(answer.marginals.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (const std::size_t atom : exact_numbers ? places : shown_atoms(answer, top)) {
    const auto& [name, p] = answer.marginals[atom];
    auto& row = table.rows.emplace_back();
    row = {{name}, {exact_numbers ? python_float(p) : six_digits(p)}};
    if (!sampled) continue;
    row.push_back({exact_numbers ? python_float(answer.mcse[atom]) : small_number(answer.mcse[atom])});
  }
  return table;
}

std::string query_line(const LogicAnswer& answer) {
  if (answer.query_unseen)
    return fmt::format("P(query) is small: no sample has it; log P is at most {:.6g} (95 %).",
                       answer.query_log_p);
  const std::string error = answer.mcse.empty() ? "" : fmt::format(" +- {}", small_number(answer.query_mcse));
  return fmt::format(
      "P(query) = {}{}, log P = {:.6g}.",
      answer.query_p < 1e-4 ? fmt::format("{:.6g}", answer.query_p) : six_digits(answer.query_p), error,
      answer.query_log_p);
}

std::string sampling_line(const LogicAnswer& answer) {
  return fmt::format("{} of {} sweeps: R-hat at most {:.4f}, effective sample size at least {:.0f}{}.",
                     counted(answer.chains, "chain"), answer.sweeps, answer.rhat_max, answer.ess_min,
                     answer.converged ? "" : "; the chains have NOT converged");
}

std::string world_line(const LogicAnswer& answer) {
  const std::string atoms = answer.true_atoms.empty()
                                ? "no atom is true"
                                : fmt::format("{} true", fmt::join(answer.true_atoms, ", "));
  return fmt::format("The most probable world: {}; log P = {:.6g}.", atoms, answer.most_probable_log_p);
}

std::vector<std::string> answer_lines(const LogicAnswer& answer, std::size_t shown) {
  std::vector<std::string> lines;
  if (shown < answer.marginals.size())
    lines.push_back(fmt::format("{} of {}: the most and the least probable; --top 0 shows all.", shown,
                                counted(answer.marginals.size(), "atom")));
  if (answer.has_query) lines.push_back(query_line(answer));
  if (!std::isnan(answer.most_probable_log_p)) lines.push_back(world_line(answer));
  if (!std::isnan(answer.log_z)) lines.push_back(fmt::format("log Z = {:.10g}.", answer.log_z));
  if (answer.chains > 0) lines.push_back(sampling_line(answer));
  lines.push_back(fmt::format("{}, {}, by {}.", counted(answer.atoms, "atom"),
                              counted(answer.groundings, "ground formula"), answer.method));
  return lines;
}

// Appended, not looked up: names are different, and looking for each would take quadratic time.
class NamedValues {
 public:
  void add(const std::string& name, Json value) { values_.emplace_back(name, std::move(value)); }
  Json take() { return std::move(values_); }

 private:
  Json::object_t values_;
};

Json named_numbers(const std::vector<std::pair<std::string, double>>& values) {
  NamedValues numbers;
  for (const auto& [name, value] : values) numbers.add(name, json_number(value));
  return numbers.take();
}

void add_sampling(const LogicAnswer& answer, Json& whole) {
  NamedValues errors;
  for (std::size_t atom = 0; atom < answer.mcse.size(); ++atom)
    errors.add(answer.marginals[atom].first, json_number(answer.mcse[atom]));
  whole["mcse"] = errors.take();
  whole["rhat_max"] = json_number(answer.rhat_max);
  whole["ess_min"] = json_number(answer.ess_min);
  whole["chains"] = answer.chains;
  whole["sweeps"] = answer.sweeps;
  whole["converged"] = answer.converged;
}

Json json_query(const LogicAnswer& answer) {
  Json query = {{"p", json_number(answer.query_p)}, {"log_p", json_number(answer.query_log_p)}};
  if (answer.mcse.empty()) return query;
  query["mcse"] = json_number(answer.query_mcse);
  query["log_p_is_upper_bound"] = answer.query_unseen;
  query["method"] = answer.query_method;
  if (answer.query_method != "gibbs") return query;
  query["rhat"] = json_number(answer.query_rhat);
  query["ess"] = json_number(answer.query_ess);
  query["converged"] = answer.query_converged;
  return query;
}

std::string json_answer(const LogicAnswer& answer) {
  Json whole = {{"method", answer.method},
                {"why", answer.why},
                {"atoms", answer.atoms},
                {"groundings", answer.groundings},
                {"log_z", std::isnan(answer.log_z) ? Json() : json_number(answer.log_z)},  // null by sampling
                {"marginals", named_numbers(answer.marginals)}};
  if (answer.unmentioned_atoms > 0) whole["unmentioned_atoms"] = answer.unmentioned_atoms;
  if (answer.has_query) whole["query"] = json_query(answer);
  if (!answer.mcse.empty()) add_sampling(answer, whole);
  if (!std::isnan(answer.most_probable_log_p))
    whole["most_probable"] = {{"log_p", json_number(answer.most_probable_log_p)},
                              {"true", answer.true_atoms}};
  if (!answer.notes.empty()) whole["notes"] = answer.notes;
  return dump(whole, 2) + '\n';
}

bool has_sum_exp(const PublishedNetworks& networks) {
  return !networks.images.empty() && !networks.images[0].sum_exp.empty();
}

// Numbers of an image's atoms by their names.
Json by_atom(const PublishedNetworks::Image& image, const std::vector<double>& values) {
  NamedValues numbers;
  for (std::size_t atom = 0; atom < values.size(); ++atom)
    numbers.add(image.marginals[atom].first, json_number(values[atom]));
  return numbers.take();
}

std::string json_published(const PublishedNetworks& networks) {
  Json whole = {{"networks", networks.networks},     {"non_empty", networks.images.size()},
                {"rules", networks.rules},           {"unknown_rules", networks.unknown_rules},
                {"most_atoms", networks.most_atoms}, {"methods", Json::object()}};
  for (const auto& [method, count] : networks.methods) whole["methods"][method] = count;
  if (has_sum_exp(networks))
    whole["sum_exp"] = {{"mean_difference", json_number(networks.mean_difference)},
                        {"most_difference", json_number(networks.most_difference)}};
  NamedValues images;
  for (const PublishedNetworks::Image& image : networks.images) {
    Json entry = {{"log_z", json_number(image.log_z)}, {"marginals", named_numbers(image.marginals)}};
    if (!image.mcse.empty()) entry["mcse"] = by_atom(image, image.mcse);
    if (!image.sum_exp.empty()) entry["sum_exp"] = by_atom(image, image.sum_exp);
    images.add(image.id, std::move(entry));
  }
  whole["images"] = images.take();
  return dump(whole, 2) + '\n';
}

Table every_published_atom(const PublishedNetworks& networks) {
  Table table{{"image", "atom", "method", "log Z", "p"}, {}, 3};
  if (has_sum_exp(networks)) table.columns.emplace_back("sum-exp");
  for (const PublishedNetworks::Image& image : networks.images) {
    for (std::size_t atom = 0; atom < image.marginals.size(); ++atom) {
      const auto& [name, p] = image.marginals[atom];
      table.rows.push_back(
          {{image.id}, {name}, {image.method}, {python_float(image.log_z)}, {python_float(p)}});
      if (!image.sum_exp.empty()) table.rows.back().push_back({python_float(image.sum_exp[atom])});
    }
  }
  return table;
}

// The image's atom that is most probable; equal ones by their order.
std::size_t dominant(const PublishedNetworks::Image& image) {
  const auto best =
      std::ranges::max_element(image.marginals, {}, [](const auto& atom) { return atom.second; });
  return static_cast<std::size_t>(best - image.marginals.begin());
}

Table published_table(const PublishedNetworks& networks, std::size_t top) {
  std::vector<const PublishedNetworks::Image*> images;
  for (const PublishedNetworks::Image& image : networks.images) images.push_back(&image);
  std::ranges::stable_sort(images, std::ranges::greater(),
                           [](const PublishedNetworks::Image* image) { return image->marginals.size(); });
  if (top > 0 && top < images.size()) images.resize(top);
  Table table{{"image", "most probable atom", "atoms", "log Z", "p"}, {}, 2};
  if (has_sum_exp(networks)) table.columns.emplace_back("sum-exp");
  for (const PublishedNetworks::Image* image : images) {
    const std::size_t atom = dominant(*image);
    table.rows.push_back({{image->id},
                          {image->marginals[atom].first},
                          {fmt::to_string(image->marginals.size())},
                          {std::isnan(image->log_z) ? "-" : fmt::format("{:.6f}", image->log_z)},
                          {six_digits(image->marginals[atom].second)}});
    if (!image->sum_exp.empty()) table.rows.back().push_back({six_digits(image->sum_exp[atom])});
  }
  return table;
}

std::vector<std::string> published_lines(const PublishedNetworks& networks, std::size_t shown) {
  std::vector<std::string> methods;
  for (const auto& [method, count] : networks.methods)
    methods.push_back(fmt::format("{} by {}", count, method));
  std::vector<std::string> lines;
  if (shown < networks.images.size())
    lines.push_back(fmt::format("{} of {} images, those with the largest networks; --top 0 shows all.", shown,
                                networks.images.size()));
  lines.push_back(fmt::format("{}, {} not empty ({}), {} atoms at most; {} different rules.",
                              counted(networks.networks, "network"), networks.images.size(),
                              methods.empty() ? "none solved" : fmt::format("{}", fmt::join(methods, ", ")),
                              networks.most_atoms, networks.rules));
  if (has_sum_exp(networks))
    lines.push_back(fmt::format(
        "sum-exp is the authors' own formula, which adds exponentials of weights instead of weights: "
        "it differs from these probabilities by {:.4f} on average, {:.4f} at most.",
        networks.mean_difference, networks.most_difference));
  return lines;
}

std::string flag(const LearnedFormula& formula) {
  return formula.hard ? "hard" : formula.idle ? "the data says nothing" : "";
}

Table weight_table(const WeightsLearned& learned, std::size_t top, bool exact_numbers) {
  std::vector<const LearnedFormula*> formulas;
  for (const LearnedFormula& formula : learned.formulas) formulas.push_back(&formula);
  if (!exact_numbers && top > 0 && top < formulas.size()) {
    std::ranges::stable_sort(formulas, std::ranges::greater(), [](const LearnedFormula* formula) {
      return formula->hard ? 0 : std::abs(formula->weight);
    });
    formulas.resize(top);
  }
  Table table{{"formula", "note", "weight", "+-"}, {}, 2};
  for (const LearnedFormula* formula : formulas) {
    const std::string weight = formula->hard   ? "hard"
                               : exact_numbers ? python_float(formula->weight)
                                               : fmt::format("{:.6f}", formula->weight);
    const double error = formula->standard_error;
    table.rows.push_back({{formula->formula},
                          {flag(*formula)},
                          {weight},
                          {exact_numbers ? python_float(error) : small_number(error)}});
  }
  return table;
}

std::vector<std::string> learning_lines(const WeightsLearned& learned, std::size_t shown) {
  std::vector<std::string> lines;
  if (shown < learned.formulas.size())
    lines.push_back(fmt::format("{} of {}, those with the largest weights; --top 0 shows all.", shown,
                                counted(learned.formulas.size(), "formula")));
  lines.push_back(fmt::format("{} with {}: {} different rows, {} numbers that are not 0.",
                              counted(learned.worlds, "world"), counted(learned.atoms, "atom"), learned.rows,
                              learned.nonzeros));
  lines.push_back(fmt::format("{} {:.6f}, {:.6f} with the prior, after {}{}.", learned.measure,
                              learned.log_likelihood, learned.objective,
                              counted(learned.iterations, "iteration"),
                              learned.converged ? "" : "; it has NOT converged"));
  if (!learned.errors_from.empty())
    lines.push_back(fmt::format("+- are standard errors: {}.", learned.errors_from));
  return lines;
}

std::string json_learned(const WeightsLearned& learned) {
  Json whole = {{"worlds", learned.worlds},
                {"atoms", learned.atoms},
                {"rows", learned.rows},
                {"nonzeros", learned.nonzeros},
                {"measure", learned.measure},
                {"log_likelihood", json_number(learned.log_likelihood)},
                {"objective", json_number(learned.objective)},
                {"iterations", learned.iterations},
                {"converged", learned.converged},
                {"errors_from", learned.errors_from},
                {"formulas", Json::array()}};
  for (const LearnedFormula& formula : learned.formulas)
    whole["formulas"].push_back({{"formula", formula.formula},
                                 {"weight", json_number(formula.weight)},
                                 {"standard_error", json_number(formula.standard_error)},
                                 {"hard", formula.hard},
                                 {"idle", formula.idle}});
  if (!learned.notes.empty()) whole["notes"] = learned.notes;
  return dump(whole, 2) + '\n';
}

}  // namespace

std::string format_logic_answer(const LogicAnswer& answer, Format format, std::size_t top) {
  if (format == Format::json) return json_answer(answer);
  const Table table = atom_table(answer, top, for_programs(format));
  return with_lines(table, answer_lines(answer, table.rows.size()), format);
}

std::string format_published(const PublishedNetworks& networks, Format format, std::size_t top) {
  if (format == Format::json) return json_published(networks);
  if (for_programs(format)) return format_table(every_published_atom(networks), format);
  const Table table = published_table(networks, top);
  return with_lines(table, published_lines(networks, table.rows.size()), format);
}

std::string format_learned_weights(const WeightsLearned& learned, Format format, std::size_t top) {
  if (format == Format::json) return json_learned(learned);
  const Table table = weight_table(learned, top, for_programs(format));
  return with_lines(table, learning_lines(learned, table.rows.size()), format);
}

}  // namespace capella::report
