// What Markov logic answers, for people and for programs.
#pragma once

#include <cstddef>
#include <string>

#include "capella/logic.h"

#include "report/table.h"

namespace capella::report {

/// Each atom's probability, then the query's, the most probable world and log Z. Tables for people show `top`
/// atoms, half of them the most and half the least probable (0: all); JSON, CSV and plain have all, in the
/// network's order.
std::string format_logic_answer(const LogicAnswer& answer, Format format, std::size_t top);

/// The authors' networks: a summary, and in JSON, CSV and plain every image's atoms. Tables for people show
/// `top` images, those with the largest networks first (0: all).
std::string format_published(const PublishedNetworks& networks, Format format, std::size_t top);

/// Each formula's weight and its standard error. Tables for people show `top` formulas, those with the
/// largest weights, by size, first (0: all in the network's order); JSON, CSV and plain have all.
std::string format_learned_weights(const WeightsLearned& learned, Format format, std::size_t top);

}  // namespace capella::report
