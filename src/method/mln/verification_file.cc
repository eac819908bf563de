#include "method/mln/verification_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/json_text.h"
#include "method/json_fields.h"

namespace capella::method::mln {
namespace {

using OrderedJson = nlohmann::ordered_json;

// JSON has no infinities: they and not-a-number are texts.
OrderedJson number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  throw DataError("found a value that is no number");
}

OrderedJson pair_of(const Interval& interval) {
  return {number(interval.low), number(interval.high)};
}

Interval interval_of(const nlohmann::json& json) {
  if (!json.is_array() || json.size() != 2) throw DataError("an interval is not [low, high]");
  return {number(json[0]), number(json[1])};
}

OrderedJson claim_json(const Claim& claim) {
  return {claim.subject, claim.predicate, claim.object};
}

Claim claim_of(const nlohmann::json& json) {
  if (!json.is_array() || json.size() != 3 || !json[0].is_string() || !json[1].is_string() ||
      !json[2].is_string())
    throw DataError("an atom is not [subject, predicate, object]");
  return {json[0].get<std::string>(), json[1].get<std::string>(), json[2].get<std::string>()};
}

OrderedJson system_json(const JudgedSystem& system) {
  return {{"system", system.system},
          {"captions", system.captions},
          {"n_scored", system.scored},
          {"n_skipped", {{"no_network", system.no_network}, {"empty_query", system.empty_query}}},
          {"n_impossible", system.impossible},
          {"claims", system.claims},
          {"contradicted", system.contradicted},
          {"unseen", system.unseen},
          {"without_rule", system.without_rule},
          {"per_atom_mean", number(system.log_prob)},
          {"logp_var", number(system.variance)},
          {"logp_sd", number(system.deviation)},
          {"ci95", pair_of(system.interval)},
          {"logp_mean", number(system.log_p)},
          {"logp_ci95", pair_of(system.log_p_interval)},
          {"per_atom_mean_unseen", number(system.log_prob_unseen)},
          {"unseen_ci95", pair_of(system.unseen_interval)}};
}

void check_counts(const JudgedSystem& system) {
  if (system.captions != system.scored + system.no_network + system.empty_query)
    throw DataError(fmt::format("a system has {} captions, but {} are scored and {} left out",
                                system.captions, system.scored, system.no_network + system.empty_query));
  if (system.impossible > system.scored)
    throw DataError(fmt::format("a system has {} impossible captions, but only {} are scored",
                                system.impossible, system.scored));
}

JudgedSystem system_of(const nlohmann::json& json) {
  Fields fields(json, "a system");
  JudgedSystem made;
  made.system = fields.text("system");
  made.captions = fields.whole("captions");
  made.scored = fields.whole("n_scored");
  Fields skipped(fields.take("n_skipped"), "n_skipped");
  made.no_network = skipped.whole("no_network");
  made.empty_query = skipped.whole("empty_query");
  made.impossible = fields.whole("n_impossible");
  check_counts(made);
  made.claims = fields.whole("claims");
  made.contradicted = fields.whole("contradicted");
  made.unseen = fields.whole("unseen");
  made.without_rule = fields.whole("without_rule");
  made.log_prob = number(fields.take("per_atom_mean"));
  made.variance = number(fields.take("logp_var"));
  made.deviation = number(fields.take("logp_sd"));
  made.interval = interval_of(fields.take("ci95"));
  made.log_p = number(fields.take("logp_mean"));
  made.log_p_interval = interval_of(fields.take("logp_ci95"));
  made.log_prob_unseen = number(fields.take("per_atom_mean_unseen"));
  made.unseen_interval = interval_of(fields.take("unseen_ci95"));
  return made;
}

OrderedJson claims_json(const std::vector<Claim>& claims) {
  OrderedJson json = OrderedJson::array();
  for (const Claim& claim : claims) json.push_back(claim_json(claim));
  return json;
}

std::vector<Claim> claims_of(const nlohmann::json& json) {
  std::vector<Claim> claims;
  for (const nlohmann::json& item : json) claims.push_back(claim_of(item));
  return claims;
}

OrderedJson caption_json(const JudgedCaption& caption) {
  OrderedJson query = OrderedJson::array();
  for (const JudgedClaim& claim : caption.claims)
    query.push_back({{"atom", claim_json(claim.claim)},
                     {"entailed", claim.entailed},
                     {"p", number(claim.p)},
                     {"objects", number(claim.from_objects)}});
  OrderedJson json = {{"system", caption.system}, {"image_id", caption.image}};
  if (!caption.skipped.empty()) json["skipped"] = caption.skipped;
  json["lnP"] = number(caption.log_p);
  json["per_atom"] = number(caption.log_prob);
  json["per_atom_unseen"] = number(caption.log_prob_unseen);
  json["mcse"] = number(caption.mcse);
  json["method"] = caption.method;
  json["converged"] = caption.converged;
  json["query"] = std::move(query);
  json["unseen"] = claims_json(caption.unseen);
  json["without_rule"] = claims_json(caption.without_rule);
  json["dominant"] = caption.dominant;
  return json;
}

JudgedCaption caption_of(const nlohmann::json& json) {
  Fields fields(json, "a caption");
  JudgedCaption made;
  made.system = fields.text("system");
  made.image = fields.text("image_id");
  if (json.contains("skipped")) made.skipped = fields.text("skipped");
  made.log_p = number(fields.take("lnP"));
  made.log_prob = number(fields.take("per_atom"));
  made.log_prob_unseen = number(fields.take("per_atom_unseen"));
  made.mcse = number(fields.take("mcse"));
  made.method = fields.text("method");
  made.converged = fields.truth("converged");
  for (const nlohmann::json& item : fields.take("query")) {
    Fields claim(item, "an atom of the query");
    made.claims.push_back({claim_of(claim.take("atom")), claim.truth("entailed"), number(claim.take("p")),
                           number(claim.take("objects"))});
  }
  made.unseen = claims_of(fields.take("unseen"));
  made.without_rule = claims_of(fields.take("without_rule"));
  made.dominant = fields.whole("dominant");
  if (made.dominant >= std::max<std::size_t>(made.claims.size(), 1))
    throw DataError("'dominant' is no place in the query");
  return made;
}

// true, false, or null where the test cannot tell.
OrderedJson verdict_json(Verdict verdict) {
  return verdict == Verdict::undecided ? OrderedJson() : OrderedJson(verdict == Verdict::real);
}

Verdict verdict_of(const nlohmann::json& json) {
  if (json.is_null()) return Verdict::undecided;
  if (!json.is_boolean()) throw DataError("'real' is neither true nor false nor null");
  return json.get<bool>() ? Verdict::real : Verdict::not_real;
}

OrderedJson comparison_json(const JudgedPair& pair) {
  return {{"first", pair.first},
          {"second", pair.second},
          {"images", pair.images},
          {"difference", number(pair.difference)},
          {"ci95", pair_of(pair.interval)},
          {"p", number(pair.p)},
          {"p_corrected", number(pair.p_corrected)},
          {"real", verdict_json(pair.verdict)}};
}

JudgedPair comparison_of(const nlohmann::json& json) {
  Fields fields(json, "a pair");
  return {fields.text("first"),
          fields.text("second"),
          fields.whole("images"),
          number(fields.take("difference")),
          interval_of(fields.take("ci95")),
          number(fields.take("p")),
          number(fields.take("p_corrected")),
          verdict_of(fields.take("real"))};
}

}  // namespace

std::string write_verification(const Verification& verification) {
  OrderedJson systems = OrderedJson::array(), captions = OrderedJson::array(), pairs = OrderedJson::array(),
              methods = OrderedJson::object();
  for (const JudgedSystem& system : verification.systems) systems.push_back(system_json(system));
  for (const JudgedCaption& caption : verification.captions) captions.push_back(caption_json(caption));
  for (const JudgedPair& pair : verification.pairs) pairs.push_back(comparison_json(pair));
  for (const auto& [method, images] : verification.methods) methods[method] = images;
  OrderedJson all = {{"unseen_p", verification.unseen_p}, {"methods", std::move(methods)},
                     {"systems", std::move(systems)},     {"pairs", std::move(pairs)},
                     {"captions", std::move(captions)},   {"notes", verification.notes}};
  if (!verification.judges.empty()) all["judges"] = verification.judges;
  return json_text(all, 1) + "\n";
}

Verification parse_verification(const std::string& text, const std::string& path) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  try {
    Fields fields(json, "the file");
    Verification made;
    made.unseen_p = fields.number("unseen_p");
    for (const auto& [method, images] : fields.take("methods").items())
      made.methods.emplace_back(method, images.get<std::size_t>());
    for (const nlohmann::json& item : fields.take("systems")) made.systems.push_back(system_of(item));
    for (const nlohmann::json& item : fields.take("pairs")) made.pairs.push_back(comparison_of(item));
    for (const nlohmann::json& item : fields.take("captions")) made.captions.push_back(caption_of(item));
    for (const nlohmann::json& item : fields.take("notes")) made.notes.push_back(item.get<std::string>());
    if (json.contains("judges")) made.judges = fields.take("judges").get<std::vector<std::string>>();
    return made;
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}; expected a file that capella mln infer wrote", path, error.what()));
  } catch (const nlohmann::json::exception&) {
    throw DataError(fmt::format("{}: expected a file that capella mln infer wrote", path));
  }
}

}  // namespace capella::method::mln
