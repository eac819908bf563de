// What the stages of Markov-logic verification did, for people.
#pragma once

#include <string>

#include "capella/mln.h"

#include "report/table.h"

namespace capella::report {

std::string format_triplets(const TripletSummary& summary, Format format);
std::string format_structure(const StructureSummary& summary, Format format);
std::string format_mil(const MilSummary& summary, Format format);
std::string format_ground(const GroundSummary& summary, Format format);
std::string format_nli(const NliSummary& summary, Format format);
std::string format_nli_accuracy(const NliAccuracy& accuracy, Format format);

}  // namespace capella::report
