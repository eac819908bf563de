// Verdicts of Markov logic as tuples, with the fields of the package's classes of the same names in their
// order.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "capella/mln.h"

namespace capella::python {

using Strings = std::vector<std::string>;
using Bounds = std::pair<double, double>;
using ClaimTuple = std::tuple<std::string, std::string, std::string>;
using JudgedClaimTuple = std::tuple<ClaimTuple, bool, double, double>;
using CaptionTuple = std::tuple<std::string, std::string, std::string, std::string, double, double, double,
                                double, std::vector<JudgedClaimTuple>, std::vector<ClaimTuple>, std::size_t,
                                std::vector<ClaimTuple>, bool>;
using SystemTuple = std::tuple<std::string, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t,
                               std::size_t, std::size_t, double, double, double, Bounds, double, Bounds,
                               double, Bounds, std::size_t, std::size_t>;
using PairTuple =
    std::tuple<std::string, std::string, std::size_t, double, Bounds, double, double, std::optional<bool>>;
using ReasonTuple = std::tuple<std::string, std::string, double, double, double>;
using ExplainedTuple = std::tuple<JudgedClaimTuple, double, std::vector<ReasonTuple>, double>;
using ConceptTuple = std::tuple<std::string, std::string, std::size_t, double, Bounds, bool>;
using RankedImageTuple = std::tuple<std::string, double, std::size_t>;
using StageTuple = std::tuple<std::string, std::string, std::string, bool>;
using KindTuple = std::tuple<std::string, std::vector<double>, std::vector<SystemTuple>, double, double, bool,
                             bool, PairTuple, PairTuple>;
using ReturnedTuple = std::tuple<std::string, double, double, double>;

Bounds tuple_of(const Interval& interval);
ClaimTuple tuple_of(const Claim& claim);
JudgedClaimTuple tuple_of(const JudgedClaim& claim);
/// What a caption does not have is not a number. `unseen`: claims about undetected things were counted.
CaptionTuple tuple_of(const JudgedCaption& caption, bool unseen);
SystemTuple tuple_of(const JudgedSystem& system);
PairTuple tuple_of(const JudgedPair& pair);
ExplainedTuple tuple_of(const ExplainedClaim& claim);
ConceptTuple tuple_of(const ConceptUncertainty::Row& row);
RankedImageTuple tuple_of(const HumanRanking::Image& image);
StageTuple tuple_of(const MlnStage& stage);
KindTuple tuple_of(const ErrorKindFinding& kind);
ReturnedTuple tuple_of(const ReturnedWeight& weight);

template <class Value>
auto tuples_of(const std::vector<Value>& values) {
  std::vector<decltype(tuple_of(std::declval<const Value&>()))> tuples;
  tuples.reserve(values.size());
  for (const Value& value : values) tuples.push_back(tuple_of(value));
  return tuples;
}

}  // namespace capella::python
