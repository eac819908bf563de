#include "report/mln_study_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/json_value.h"
#include "report/mln_report.h"
#include "report/number_text.h"

namespace capella::report {
namespace {

Table kind_table(const MlnStudy& study) {
  Table table{{"error", "rate", "Log-Prob", "95 %", "with unseen", "95 %"}, {}, 1};
  for (const ErrorKindFinding& kind : study.kinds) {
    for (std::size_t k = 0; k < kind.rates.size(); ++k) {
      const JudgedSystem& system = kind.systems[k];
      table.rows.push_back({{k == 0 ? kind.kind : ""},
                            {fixed(kind.rates[k], 2)},
                            {fixed(system.log_prob, 4)},
                            {between(system.interval, 4)},
                            {fixed(system.log_prob_unseen, 4)},
                            {between(system.unseen_interval, 4)}});
    }
  }
  return table;
}

// Whether a column falls with the rate, and by how much.
std::string seen(double kendall, bool apart, const JudgedPair& ends) {
  const std::string order = kendall > .999 ? "perfect order" : fmt::format("Kendall {}", fixed(kendall, 2));
  return fmt::format("{}; loses {} {}; intervals of both ends {}", order, fixed(ends.difference, 3),
                     between(ends.interval, 3), apart ? "lie apart" : "overlap");
}

Table seen_table(const MlnStudy& study) {
  Table table{{"error", "detected things only", "with claims about undetected things"}, {}, 3};
  for (const ErrorKindFinding& kind : study.kinds)
    table.rows.push_back({{kind.kind},
                          {seen(kind.kendall, kind.apart, kind.ends)},
                          {seen(kind.kendall_unseen, kind.apart_unseen, kind.ends_unseen)}});
  return table;
}

Table weight_table(const MlnStudy& study) {
  Table table{{"formula", "true weight", "learned", "standard error", "errors away"}, {}, 1};
  for (const ReturnedWeight& row : study.returned)
    table.rows.push_back({{row.formula},
                          {fixed(row.truth, 2)},
                          {fixed(row.learned, 4)},
                          {fixed(row.standard_error, 4)},
                          {fixed(std::abs(row.learned - row.truth) / row.standard_error, 2)}});
  return table;
}

// A picture of draw_mln_study, which lies beside the report.
std::string picture(std::string_view name, std::string_view title, Format format) {
  return format == Format::markdown ? fmt::format("\n![{}](pictures/{})\n", title, name) : "";
}

std::string stages_text(const MlnStudy& study, Format format) {
  std::string text;
  if (format != Format::markdown) return text;
  for (const MlnStage& stage : study.stages) {
    if (!stage.report.empty())
      text += fmt::format("\n### {} ({})\n\n{}", stage.name, stage.file, stage.report);
  }
  return text.empty() ? text : heading("Stages", format) + text;
}

std::string people_text(const MlnStudy& study, Format format) {
  std::string text = heading("Which errors are seen", format) + format_table(seen_table(study), format) +
                     "\n" + format_table(kind_table(study), format) +
                     picture("errors.svg", "Log-Prob by error and rate", format) +
                     picture("errors-unseen.svg", "the same with claims about undetected things", format);
  text += heading("Known weights, learned from what was drawn from them", format) +
          format_table(weight_table(study), format);
  text += heading("Uncertainty per concept", format) + format_concepts(study.concepts, format) +
          picture("concepts.svg", "uncertainty per concept", format);
  text += heading("People's ranks of claims", format) + format_human_ranking(study.people, format) +
          picture("people.svg", "correlation of people's ranks with P", format);
  return text;
}

Json study_json(const MlnStudy& study) {
  Json kinds = Json::array(), returned = Json::array(), explanations = Json::array(), stages = Json::array();
  for (const ErrorKindFinding& kind : study.kinds)
    kinds.push_back({{"kind", kind.kind},
                     {"rates", kind.rates},
                     {"kendall", json_number(kind.kendall)},
                     {"kendall_unseen", json_number(kind.kendall_unseen)},
                     {"apart", kind.apart},
                     {"apart_unseen", kind.apart_unseen},
                     {"difference", json_number(kind.ends.difference)},
                     {"difference_unseen", json_number(kind.ends_unseen.difference)}});
  for (const ReturnedWeight& row : study.returned)
    returned.push_back({{"formula", row.formula},
                        {"truth", row.truth},
                        {"learned", json_number(row.learned)},
                        {"standard_error", json_number(row.standard_error)}});
  for (const MlnExplanation& explanation : study.explanations)
    explanations.push_back(Json::parse(format_mln_explanation(explanation, Format::json)));
  for (const MlnStage& stage : study.stages) stages.push_back({{"stage", stage.name}, {"file", stage.file}});
  Json json = {{"generated", study.generated}, {"test_images", study.test_images}, {"stages", stages}};
  json["verification"] = Json::parse(format_verification(study.verification, Format::json));
  json["ranking"] = Json::parse(format_ranking(study.ranking, Format::json));
  json["explanations"] = explanations;
  if (!study.generated) return json;
  json["kinds"] = kinds;
  json["returned_weights"] = returned;
  json["concepts"] = Json::parse(format_concepts(study.concepts, Format::json));
  json["people"] = Json::parse(format_human_ranking(study.people, Format::json));
  return json;
}

}  // namespace

std::string format_mln_study(const MlnStudy& study, Format format) {
  if (format == Format::json) return dump(study_json(study), 1) + "\n";
  if (format != Format::table && format != Format::markdown)
    return format_verification(study.verification, format);
  std::string text = format == Format::markdown ? "# Verification of captions by Markov logic\n\n" : "";
  text += study.generated
              ? "A generated world: nothing in it comes from the real world.\n\n"
              : "Things that references mention stand in for a detector's, and boxes say nothing.\n\n";
  text += format_verification(study.verification, format) + picture("systems.svg", "systems", format);
  if (study.generated) text += people_text(study, format);
  text += heading("Beside other metrics", format) + format_ranking(study.ranking, format) +
          picture("ranks.svg", "other metrics and Markov logic", format);
  text += heading("Explanations", format);
  for (const MlnExplanation& explanation : study.explanations)
    text += format_mln_explanation(explanation, format) + "\n";
  return text + stages_text(study, format);
}

}  // namespace capella::report
