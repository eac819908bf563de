#include "mln_tuples.h"

#include <limits>

namespace capella::python {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Bounds tuple_of(const Interval& interval) {
  return {interval.low, interval.high};
}

ClaimTuple tuple_of(const Claim& claim) {
  return {claim.subject, claim.predicate, claim.object};
}

JudgedClaimTuple tuple_of(const JudgedClaim& claim) {
  return {tuple_of(claim.claim), claim.entailed, claim.p, claim.from_objects};
}

CaptionTuple tuple_of(const JudgedCaption& caption, bool unseen) {
  const bool scored = caption.skipped.empty();
  const bool scored_with_unseen = unseen && !(caption.claims.empty() && caption.unseen.empty());
  return {caption.system,
          caption.image,
          caption.skipped,
          caption.method,
          scored ? caption.log_p : kNone,
          scored ? caption.log_prob : kNone,
          scored_with_unseen ? caption.log_prob_unseen : kNone,
          scored ? caption.mcse : kNone,
          tuples_of(caption.claims),
          tuples_of(caption.unseen),
          caption.dominant,
          tuples_of(caption.without_rule),
          caption.converged};
}

SystemTuple tuple_of(const JudgedSystem& system) {
  return {system.system,          system.captions,
          system.scored,          system.no_network,
          system.empty_query,     system.claims,
          system.contradicted,    system.unseen,
          system.log_prob,        system.variance,
          system.deviation,       tuple_of(system.interval),
          system.log_p,           tuple_of(system.log_p_interval),
          system.log_prob_unseen, tuple_of(system.unseen_interval),
          system.impossible,      system.without_rule};
}

PairTuple tuple_of(const JudgedPair& pair) {
  const bool is_known = pair.verdict != Verdict::undecided;
  return {pair.first,
          pair.second,
          pair.images,
          pair.difference,
          tuple_of(pair.interval),
          pair.p,
          pair.p_corrected,
          is_known ? std::optional(pair.verdict == Verdict::real) : std::nullopt};
}

ExplainedTuple tuple_of(const ExplainedClaim& claim) {
  std::vector<ReasonTuple> reasons;
  for (const ClaimReason& one : claim.reasons)
    reasons.emplace_back(one.formula, one.grounding, one.weight, one.holds, one.contribution);
  return {tuple_of(claim.judged), claim.object_log_odds, std::move(reasons), claim.without};
}

ConceptTuple tuple_of(const ConceptUncertainty::Row& row) {
  return {row.concept_name, row.system, row.images, row.uncertainty, tuple_of(row.interval), row.few};
}

RankedImageTuple tuple_of(const HumanRanking::Image& image) {
  return {image.image, image.correlation, image.claims};
}

StageTuple tuple_of(const MlnStage& stage) {
  return {stage.name, stage.file, stage.report, stage.reused};
}

KindTuple tuple_of(const ErrorKindFinding& kind) {
  return {kind.kind,         kind.rates,          tuples_of(kind.systems),
          kind.kendall,      kind.kendall_unseen, kind.apart,
          kind.apart_unseen, tuple_of(kind.ends), tuple_of(kind.ends_unseen)};
}

ReturnedTuple tuple_of(const ReturnedWeight& weight) {
  return {weight.formula, weight.truth, weight.learned, weight.standard_error};
}

}  // namespace capella::python
