#include "method/mln/image_network_file.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "base/json_text.h"
#include "method/json_fields.h"

namespace capella::method::mln {
namespace {

using Json = nlohmann::json;
using logic::GroundFormula;
using logic::Literal;

// JSON has no infinities: they are texts.
Json number_json(double number) {
  return std::isinf(number) ? Json(number > 0 ? "inf" : "-inf") : Json(number);
}

double number_of(const Json& json, const char* what) {
  if (json.is_number()) return json.get<double>();
  if (json == "inf") return logic::kHard;
  if (json == "-inf") return -logic::kHard;
  throw DataError(fmt::format("{} is not a number", what));
}

Json row_of(const ImageNetwork& image) {
  Json atoms = Json::array(), odds = Json::array(), factors = Json::array();
  for (logic::AtomId atom = 0; atom < image.atoms.size(); ++atom) {
    const Claim& claim = image.atoms[atom];
    atoms.push_back({claim.subject, claim.predicate, claim.object});
    const double p = image.network.probability(atom);
    odds.push_back(std::isnan(p) ? Json() : number_json(std::log(p / (1 - p))));
  }
  for (std::size_t k = 0; k < image.network.size(); ++k) {
    const GroundFormula grounding = image.network[k];
    Json places = Json::array(), signs = Json::array();
    for (const Literal literal : grounding.literals) {
      places.push_back(literal.atom());
      signs.push_back(literal.positive() ? 1 : 0);
    }
    factors.push_back({{"atoms", std::move(places)},
                       {"signs", std::move(signs)},
                       {"kind", grounding.kind == GroundFormula::Kind::clause ? "clause" : "conj"},
                       {"weight", number_json(image.network.weight(k))},
                       {"formula_id", grounding.formula}});
  }
  return {{"image_id", image.image},     {"things", image.things},        {"atoms", std::move(atoms)},
          {"log_odds", std::move(odds)}, {"factors", std::move(factors)}, {"offset", image.network.offset}};
}

logic::FormulaList formulas_of(const Json& header) {
  if (!header.is_object() || !header.contains("formulas") || !header["formulas"].is_array())
    throw DataError("expected the list of formulas that capella mln ground writes first");
  std::vector<logic::FormulaSource> formulas;
  for (const Json& item : header["formulas"]) {
    Fields fields(item, "a formula");
    logic::FormulaSource formula;
    formula.text = fields.text("text");
    formula.weight = number_of(fields.take("weight"), "a formula's 'weight'");
    if (!logic::is_weight(formula.weight))
      throw DataError(
          fmt::format("a formula's 'weight' is {}, expected one within +-{:g}, or inf of a hard one",
                      formula.weight, logic::kMostWeight));
    formulas.push_back(std::move(formula));
  }
  return formulas;
}

void read_atoms(Fields& row, ImageNetwork& image) {
  const Json& atoms = row.take("atoms");
  const Json& odds = row.take("log_odds");
  if (!atoms.is_array() || !odds.is_array() || atoms.size() != odds.size())
    throw DataError("'atoms' and 'log_odds' are not two lists of one length");
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    const Json& atom = atoms[k];
    const bool triplet = atom.is_array() && atom.size() == 3 && atom[0].is_string() && atom[1].is_string() &&
                         atom[2].is_string();
    if (!triplet) throw DataError(fmt::format("atom {} is not [subject, predicate, object]", k));
    const Claim& claim = image.atoms.emplace_back(
        Claim{atom[0].get<std::string>(), atom[1].get<std::string>(), atom[2].get<std::string>()});
    const logic::AtomId id = image.network.add_atom(claim_text(claim));
    if (odds[k].is_null()) continue;
    image.network.set_probability(id, 1 / (1 + std::exp(-number_of(odds[k], "one of 'log_odds'"))));
  }
}

// The factor's own weight is its formula's times a coefficient.
double coefficient(Fields& fields, const logic::FormulaSource& formula) {
  const double weight = number_of(fields.take("weight"), "a factor's 'weight'");
  if (std::isinf(weight) != std::isinf(formula.weight))
    throw DataError("a factor is hard and its formula is not, or the other way round");
  if (std::isinf(weight) || formula.weight == 0) return 1;
  constexpr double kMost = 1e9;
  const double times = weight / formula.weight;
  if (!(std::fabs(times) <= kMost))
    throw DataError(fmt::format("a factor's 'weight' is {}, expected its formula's {} times {:g} or less",
                                weight, formula.weight, kMost));
  return times;
}

std::vector<Literal> read_literals(Fields& fields, std::size_t atoms_of_image) {
  const Json& atoms = fields.take("atoms");
  const Json& signs = fields.take("signs");
  if (!atoms.is_array() || !signs.is_array() || atoms.size() != signs.size() || atoms.empty())
    throw DataError("a factor's 'atoms' and 'signs' are not two lists of one length");
  std::vector<Literal> literals;
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    if (!atoms[k].is_number_unsigned() || atoms[k].get<std::uint64_t>() >= atoms_of_image)
      throw DataError("a factor names an atom that the image does not have");
    if (signs[k] != 0 && signs[k] != 1) throw DataError("a factor's sign is neither 0 nor 1");
    literals.emplace_back(atoms[k].get<logic::AtomId>(), signs[k] == 1);
  }
  std::ranges::sort(literals);
  if (std::ranges::adjacent_find(literals, {}, &Literal::atom) != literals.end())
    throw DataError("a factor names an atom twice");
  return literals;
}

GroundFormula::Kind read_kind(Fields& fields, bool hard) {
  const std::string kind = fields.text("kind");
  if (kind != "conj" && kind != "clause") throw DataError("a factor's 'kind' is neither conj nor clause");
  if (hard && kind == "conj") throw DataError("a hard factor is a conjunction, expected a clause");
  return kind == "clause" ? GroundFormula::Kind::clause : GroundFormula::Kind::conjunction;
}

void read_factor(const Json& item, ImageNetwork& image) {
  Fields fields(item, "a factor");
  const std::uint64_t formula = fields.whole("formula_id");
  if (formula >= image.network.formulas.size())
    throw DataError(
        fmt::format("a factor of formula {}, but there are {}", formula, image.network.formulas.size()));
  const auto id = static_cast<std::uint32_t>(formula);
  const std::vector<Literal> literals = read_literals(fields, image.atoms.size());
  const double times = coefficient(fields, image.network.formulas[id]);
  image.network.add(read_kind(fields, std::isinf(image.network.formulas[id].weight)), id, times, literals);
}

ImageNetwork image_of(const Json& json, const logic::FormulaList& formulas) {
  Fields row(json, "the row");
  ImageNetwork image;
  image.network.formulas = formulas;
  image.image = row.text("image_id");
  const Json& things = row.take("things");
  if (!things.is_array()) throw DataError("'things' is not a list");
  for (const Json& thing : things) {
    if (!thing.is_string()) throw DataError("'things' holds something that is not a text");
    image.things.push_back(thing.get<std::string>());
  }
  image.network.offset = row.number("offset");
  read_atoms(row, image);
  const Json& factors = row.take("factors");
  if (!factors.is_array()) throw DataError("'factors' is not a list");
  for (const Json& factor : factors) read_factor(factor, image);
  return image;
}

}  // namespace

std::string write_image_networks(std::span<const ImageNetwork> images, const logic::FormulaList& formulas) {
  Json list = Json::array();
  for (const logic::FormulaSource& formula : formulas)
    list.push_back({{"text", formula.text}, {"weight", number_json(formula.weight)}});
  std::string out = json_text(Json{{"formulas", std::move(list)}}) + "\n";
  for (const ImageNetwork& image : images) out += json_text(row_of(image)) + "\n";
  return out;
}

std::vector<ImageNetwork> read_image_networks(const std::string& path) {
  const std::string text = read_file(path);
  logic::FormulaList formulas;
  std::vector<ImageNetwork> images;
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view row = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    ++line;
    try {
      const Json json = Json::parse(row, nullptr, false);
      if (json.is_discarded()) throw DataError("is no JSON");
      if (line == 1) {
        formulas = formulas_of(json);
      } else {
        images.push_back(image_of(json, formulas));
        images.back().network.source = path;
      }
    } catch (const DataError& error) {
      throw DataError(
          fmt::format("{}:{}: {}; expected a file that capella mln ground wrote", path, line, error.what()));
    }
  }
  if (line == 0)
    throw DataError(fmt::format("{}: is empty; expected a file that capella mln ground wrote", path));
  return images;
}

}  // namespace capella::method::mln
