#include "method/mln/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/hash.h"

namespace capella::method::mln {
namespace {

using logic::GroundFormula;
using logic::Literal;

constexpr double kConditionalEss = 500;  // draws of each atom where claims are taken one by one
// What a claim is held for at least, so that one cannot outweigh all others.
constexpr double kLeastP = 1e-12;

double log_of(double p) {
  return std::log(std::max(p, kLeastP));
}

// 1: entailed, -1: contradicted, 0: neither.
int stance(const io::EntailmentOdds& p, double margin) {
  const auto [contradiction, neutral, entailment] = p;
  if (entailment > std::max(contradiction, neutral) + margin) return 1;
  if (contradiction > std::max(neutral, entailment) + margin) return -1;
  return 0;
}

std::string grounding_text(const ImageNetwork& image, const GroundFormula& grounding) {
  std::vector<std::string> parts;
  for (const Literal literal : grounding.literals)
    parts.push_back((literal.positive() ? "" : "not ") + claim_text(image.atoms[literal.atom()]));
  return fmt::format("{}",
                     fmt::join(parts, grounding.kind == GroundFormula::Kind::clause ? " or " : " and "));
}

logic::Query query_of(std::span<const Literal> literals) {
  logic::Query query;
  for (const Literal literal : literals) query.clauses.push_back({literal});
  return query;
}

// What must hold so that an atom of the grounding decides whether the grounding holds.
std::vector<Literal> rest_of(const GroundFormula& grounding, logic::AtomId but) {
  std::vector<Literal> rest;
  for (const Literal literal : grounding.literals) {
    if (literal.atom() == but) continue;
    rest.push_back(grounding.kind == GroundFormula::Kind::clause ? !literal : literal);
  }
  return rest;
}

logic::SolverOptions seeded(logic::SolverOptions options, const std::string& image) {
  options.gibbs.seed = hash_combine(options.gibbs.seed, hash_bytes(image));
  return options;
}

bool is_detected(const ImageNetwork& image, const std::string& thing) {
  const auto names = [&](const Claim& atom) { return atom.subject == thing || atom.object == thing; };
  return std::ranges::find(image.things, thing) != image.things.end() ||
         std::ranges::any_of(image.atoms, names);  // other words for things are only in atoms
}

void add_once(const Claim& claim, std::vector<Claim>& claims) {
  if (std::ranges::find(claims, claim) == claims.end()) claims.push_back(claim);
}

double mean_log(std::span<const JudgedClaim> claims) {
  double sum = 0;
  for (const JudgedClaim& claim : claims) sum += log_of(claim.p);
  return sum / static_cast<double>(claims.size());
}

// Equals: the boxes decide, then the names, of which the first is surer.
bool is_less_sure(const JudgedClaim& claim, const JudgedClaim& other) {
  return std::tie(claim.p, claim.from_objects, other.claim) <
         std::tie(other.p, other.from_objects, claim.claim);
}

std::size_t surest(std::span<const JudgedClaim> claims) {
  return static_cast<std::size_t>(std::ranges::max_element(claims, is_less_sure) - claims.begin());
}

}  // namespace

void count_unseen(JudgedCaption& caption, double missed, double typical) {
  const auto known = static_cast<double>(caption.claims.size());
  const auto further = static_cast<double>(caption.unseen.size());
  const double level = known == 0 ? typical : caption.log_prob;
  caption.log_prob_unseen = known + further == 0 ? 0 : level + further / (known + further) * log_of(missed);
}

CaptionQuery make_query(const ImageNetwork& image, const AtomIndex& index, const CaptionEntailments& caption,
                        double margin) {
  CaptionQuery made;
  for (const io::EntailmentRow* row : caption.rows) {
    const int said = stance(row->p, margin);
    if (said == 0) continue;
    const std::size_t atom = index.find(row->atom);
    if (atom < image.atoms.size()) {
      made.literals.emplace_back(static_cast<logic::AtomId>(atom), said > 0);
    } else if (said > 0) {
      const bool seen = is_detected(image, row->atom.subject) && is_detected(image, row->atom.object);
      add_once(row->atom, seen ? made.without_rule : made.unseen);
    }
  }
  std::ranges::sort(made.literals);
  made.literals.erase(std::unique(made.literals.begin(), made.literals.end()), made.literals.end());
  return made;
}

ImageVerifier::ImageVerifier(const ImageNetwork& image, const logic::SolverOptions& options)
    : image_(image),
      index_(image),
      options_(seeded(options, image.image)),
      solver_(image.network, options_) {}

logic::GroundNetwork ImageVerifier::network_given(const Literals& known) const {
  logic::GroundNetwork network = image_.network;
  for (const Literal literal : known) network.set_probability(literal.atom(), literal.positive() ? 1 : 0);
  return network;
}

logic::SolverOptions ImageVerifier::options_given(const Literals& known) const {
  logic::SolverOptions options = options_;
  options.most_nodes = 1;  // there are many such networks, and counting gave up on the whole one
  options.gibbs.least_ess_atom = kConditionalEss;
  for (const Literal literal : known) options.gibbs.seed = hash_combine(options.gibbs.seed, literal.code());
  return options;
}

const ImageVerifier::Conditional& ImageVerifier::given(const Literals& known) {
  const auto found = conditionals_.find(known);
  if (found != conditionals_.end()) return found->second;
  const auto take = [&](logic::Solver& solver) -> const Conditional& {
    Conditional made{solver.marginals(), {}, true};
    if (const logic::GibbsResult* sampled = solver.sampling()) {
      made.mcse = sampled->mcse;
      made.converged = sampled->converged;
    }
    return conditionals_.emplace(known, std::move(made)).first->second;
  };
  if (known.empty()) return take(solver_);
  const logic::GroundNetwork network = network_given(known);
  logic::Solver solver(network, options_given(known));
  return take(solver);
}

// After what a sampler never saw, hard rules may contradict what is known.
const ImageVerifier::Conditional* ImageVerifier::given_if_possible(const Literals& known) {
  try {
    return &given(known);
  } catch (const DataError&) {
    return nullptr;
  }
}

// Of a literal whose probability came out as less than the least: that, or minus infinity. A sampler takes
// e^-20 for 0 and 0 for e^-87, so that its number does not tell what is impossible: hard rules do.
double ImageVerifier::log_p_of_rare(const Literals& known, Literal literal) {
  std::vector<std::vector<Literal>> asserted = {{literal}};
  for (const Literal other : known) asserted.push_back({other});
  if (logic::simplify(image_.network, asserted).graph.impossible) return -logic::kHard;
  logic::QueryAnswer found{.method = logic::Method::gibbs};
  const logic::Query query = query_of(std::span(&literal, 1));
  if (known.empty()) {
    found = solver_.ask(query);  // exact where it can be
  } else if (given(known).mcse.empty()) {
    const logic::GroundNetwork network = network_given(known);
    found = logic::Solver(network, options_given(known)).ask(query);
  }
  if (found.method == logic::Method::gibbs) return std::log(kLeastP);
  return std::isinf(found.log_p) ? found.log_p : std::max(found.log_p, std::log(kLeastP));
}

// One literal after the other, each given those before it: a sampler hardly ever sees many unlikely claims
// hold at once.
logic::QueryAnswer ImageVerifier::sampled_answer(const Literals& literals) {
  logic::QueryAnswer made;
  made.method = logic::Method::gibbs;
  Literals known;
  double relative_variance = 0;
  bool rare = false;
  for (const Literal literal : literals) {
    const Conditional* conditional = rare ? given_if_possible(known) : &given(known);
    if (conditional == nullptr) made.log_p = -logic::kHard;
    if (std::isinf(made.log_p)) break;  // nothing can be asked beyond this
    made.converged = made.converged && conditional->converged;
    const double p = conditional->of(literal);
    if (p < kLeastP) {
      rare = true;
      made.log_p += log_p_of_rare(known, literal);
    } else {
      made.log_p += std::log(p);
      if (!conditional->mcse.empty()) relative_variance += std::pow(conditional->mcse[literal.atom()] / p, 2);
    }
    known.push_back(literal);
  }
  made.log_p_upper = made.log_p;
  made.p = std::exp(made.log_p);
  made.mcse = made.p > 0 ? made.p * std::sqrt(relative_variance) : 0;
  return made;
}

logic::QueryAnswer ImageVerifier::answer(const std::vector<Literal>& literals) {
  const auto found = answers_.find(literals);
  if (found != answers_.end()) return found->second;
  const bool sampled = solver_.method() == logic::Method::gibbs;
  return answers_.emplace(literals, sampled ? sampled_answer(literals) : solver_.ask(query_of(literals)))
      .first->second;
}

// Of one claim alone; 0 only if it is impossible.
double ImageVerifier::probability(Literal literal) {
  const double p = literal.positive() ? marginal(literal.atom()) : 1 - marginal(literal.atom());
  if (p >= kLeastP || solver_.method() != logic::Method::gibbs) return p;
  return std::exp(log_p_of_rare({}, literal));
}

JudgedClaim ImageVerifier::judged(Literal literal) {
  JudgedClaim claim;
  claim.claim = image_.atoms[literal.atom()];
  claim.entailed = literal.positive();
  claim.p = probability(literal);
  const double objects = image_.network.probability(literal.atom());
  claim.from_objects = std::isnan(objects) ? .5 : objects;
  return claim;
}

JudgedCaption ImageVerifier::judge(const CaptionEntailments& caption, const VerifyOptions& options) {
  JudgedCaption made;
  made.system = caption.system;
  made.image = caption.image;
  CaptionQuery query = make_query(image_, index_, caption, options.margin);
  made.unseen = std::move(query.unseen);
  made.without_rule = std::move(query.without_rule);
  for (const Literal literal : query.literals) made.claims.push_back(judged(literal));
  if (made.claims.empty()) {
    made.skipped = image_.atoms.empty() ? kNoNetwork : kEmptyQuery;
    return made;
  }
  const logic::QueryAnswer answered = answer(query.literals);
  const bool published = options_.gibbs.sum_exp && answered.method == logic::Method::gibbs;
  made.method = published ? kSumExp : logic::method_name(answered.method);
  made.log_p = answered.log_p;
  made.mcse = answered.p > 0 ? answered.mcse / answered.p : 0;
  made.converged = answered.converged;
  made.log_prob = mean_log(made.claims);
  made.dominant = surest(made.claims);
  return made;
}

double ImageVerifier::rest_holds(const Literals& rest) {
  if (rest.empty()) return 1;
  return rest.size() > 1 ? answer(rest).p : probability(rest[0]);
}

// Whether evidence and hard rules leave it no choice.
bool ImageVerifier::is_certain(const Literals& rest) const {
  return std::ranges::all_of(rest, [&](Literal literal) {
    const std::uint32_t place = solver_.simplified().places[literal.atom()].variable;
    return place == (literal.positive() ? logic::AtomPlace::kTrue : logic::AtomPlace::kFalse);
  });
}

// A soft formula adds its weight to the log odds wherever its rest holds. A hard clause allows its last
// literal to be false only where its rest does not hold: the odds of that are by so much lower.
ClaimReason ImageVerifier::reason_of(std::size_t k, Literal own, Literal claim) {
  const GroundFormula grounding = image_.network[k];
  const Literals rest = rest_of(grounding, claim.atom());
  ClaimReason reason;
  reason.formula = image_.network.formulas[grounding.formula].text;
  reason.grounding = grounding_text(image_, grounding);
  reason.weight = image_.network.weight(k);
  reason.hard = reason.weight == logic::kHard;
  reason.literals = grounding.literals.size();
  reason.holds = rest_holds(rest);
  const double sign = own.positive() == claim.positive() ? 1 : -1;
  if (!reason.hard) {
    reason.contribution = sign * reason.weight * reason.holds;
  } else {
    reason.contribution = sign * (is_certain(rest) ? logic::kHard : -log_of(1 - reason.holds));
  }
  return reason;
}

std::vector<ClaimReason> ImageVerifier::reasons(Literal claim) {
  std::vector<ClaimReason> found;
  for (std::size_t k = 0; k < image_.network.size(); ++k) {
    const GroundFormula grounding = image_.network[k];
    const auto own = std::ranges::find(grounding.literals, claim.atom(), &Literal::atom);
    if (own != grounding.literals.end()) found.push_back(reason_of(k, *own, claim));
  }
  std::ranges::stable_sort(found, std::greater<>(),
                           [](const ClaimReason& reason) { return std::abs(reason.contribution); });
  return found;
}

// By how much the caption would be more probable if it did not say `claim`, but only `rest`.
double ImageVerifier::gain_without(Literal claim, const Literals& rest, double log_p) {
  if (solver_.method() != logic::Method::gibbs || std::isinf(log_p))
    return (rest.empty() ? 0 : answer(rest).log_p) - log_p;
  const Conditional* others = given_if_possible(rest);  // the errors of two samplings would add up
  return others == nullptr ? std::numeric_limits<double>::quiet_NaN() : -log_of(others->of(claim));
}

ExplainedClaim ImageVerifier::explained(Literal literal, const Literals& query, double log_p) {
  ExplainedClaim claim;
  claim.judged = judged(literal);
  const double odds = std::log(claim.judged.from_objects / (1 - claim.judged.from_objects));
  claim.object_log_odds = literal.positive() ? odds : -odds;
  claim.reasons = reasons(literal);
  Literals rest = query;
  std::erase(rest, literal);
  claim.without = gain_without(literal, rest, log_p);
  return claim;
}

MlnExplanation ImageVerifier::explain(const CaptionEntailments& caption, const VerifyOptions& options) {
  MlnExplanation made;
  made.caption = judge(caption, options);
  const CaptionQuery query = make_query(image_, index_, caption, options.margin);
  for (const Literal literal : query.literals)
    made.claims.push_back(explained(literal, query.literals, made.caption.log_p));
  std::ranges::stable_sort(made.claims, {}, [](const ExplainedClaim& claim) { return claim.judged.p; });
  if (made.claims.empty()) return made;
  for (std::size_t k = 0; k < made.claims.size(); ++k)  // in the same order, for which `dominant` is a place
    made.caption.claims[k] = made.claims[k].judged;
  made.caption.dominant = surest(made.caption.claims);
  return made;
}

}  // namespace capella::method::mln
