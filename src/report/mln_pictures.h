// Pictures of what Markov-logic verification found.
#pragma once

#include <string>
#include <vector>

#include "capella/mln.h"

#include "base/file.h"

namespace capella::report {

/// Uncertainty (-Log-Prob) of systems, with intervals.
std::string draw_systems(const Verification& verification);
/// Average rank by other metrics against -Log-Prob, with the variance as a bar through each point.
std::string draw_ranking(const RankedSystems& ranking, const std::string& title);
/// Uncertainty per concept and system.
std::string draw_concepts(const ConceptUncertainty& concepts);
/// How many images have which correlation with people's ranks.
std::string draw_human_ranking(const HumanRanking& ranking);
/// Uncertainty against the share of wrong captions, one series per kind of error; `unseen`: with claims about
/// undetected things.
std::string draw_error_kinds(const std::vector<ErrorKindFinding>& kinds, bool unseen);
/// All pictures of a run, by the names of their files.
std::vector<NamedContent> draw_mln_study(const MlnStudy& study);

}  // namespace capella::report
