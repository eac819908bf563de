// Small worlds drawn from a Markov logic network whose weights are known, so that learned weights can be
// compared with them. Every image has two agents and two things; the state of each of the four pairs is an
// exact draw.
#pragma once

#include <cstdint>
#include <string>

namespace capella::world {

/// The network with its true weights, as Alchemy text.
std::string logic_network();

/// One row of triplets, as in triplets.jsonl.
std::string logic_row(std::uint64_t seed, std::uint64_t image, const std::string& id,
                      const std::string& split);

}  // namespace capella::world
