#include "io/entailments.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "io/line_rows.h"

namespace capella::io {
namespace {

constexpr std::string_view kExpectedEntailmentLine =
    R"(lines such as {"system": "a", "image_id": "7", "atom": ["man", "ride", "bike"], "p": [0.01, 0.09, 0.9]})";
constexpr double kTolerance = 1e-3;

EntailmentOdds read_odds(simdjson::dom::object row) {
  const simdjson::dom::array list = row_list(row, "p");
  if (list.size() != 3)
    throw RowWrong{
        fmt::format("p is a list of {}, expected the probabilities of contradiction, neutral and entailment",
                    list.size())};
  EntailmentOdds odds{};
  std::size_t place = 0;
  for (const element value : list) {
    const double p = row_number(value, "a probability of p");
    if (p < 0 || p > 1) throw RowWrong{fmt::format("p holds {}, expected a probability in 0 ... 1", p)};
    odds[place++] = p;
  }
  const double sum = odds[0] + odds[1] + odds[2];
  if (std::abs(sum - 1) > kTolerance)
    throw RowWrong{fmt::format("p sums to {:.6g}, expected 1 within {}; give probabilities, not scores", sum,
                               kTolerance)};
  return odds;
}

EntailmentRow read_row(simdjson::dom::object object) {
  EntailmentRow row;
  if (const auto system = row_find(object, "system")) row.system = row_id(*system, "system");
  row.image = row_id(object, "image_id");
  row.atom = row_claim(row_member(object, "atom"), "atom");
  row.p = read_odds(object);
  if (const auto asked = row_find(object, "hypothesis")) row.hypothesis = row_text(*asked, "hypothesis");
  if (const auto judge = row_find(object, "judge")) row.judge = row_text(*judge, "judge");
  return row;
}

}  // namespace

std::vector<EntailmentRow> read_entailments(const std::string& path) {
  std::vector<EntailmentRow> rows;
  read_line_rows(path, kExpectedEntailmentLine,
                 [&](simdjson::dom::object row) { rows.push_back(read_row(row)); });
  return rows;
}

std::string write_entailments(const std::vector<EntailmentRow>& rows) {
  std::string text;
  for (const EntailmentRow& row : rows) {
    nlohmann::ordered_json line = nlohmann::ordered_json::object();
    if (!row.system.empty()) line["system"] = row.system;
    line["image_id"] = row.image;
    line["atom"] = {row.atom.subject, row.atom.predicate, row.atom.object};
    line["p"] = row.p;
    if (!row.hypothesis.empty()) line["hypothesis"] = row.hypothesis;
    if (!row.judge.empty()) line["judge"] = row.judge;
    text += json_text(line);
    text += '\n';
  }
  return text;
}

}  // namespace capella::io
