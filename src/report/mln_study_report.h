// A whole run of Markov-logic verification, for people and for programs.
#pragma once

#include <string>

#include "capella/mln.h"

#include "report/table.h"

namespace capella::report {

/// What each stage did, systems, ranks, kinds of errors, known weights, concepts, people, explanations.
std::string format_mln_study(const MlnStudy& study, Format format);

}  // namespace capella::report
