// What every job of Markov logic begins with: the files read and grounded.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "capella/logic.h"

#include "logic/ground/ground.h"
#include "logic/language/language.h"
#include "logic/solver.h"

namespace capella::pipeline {

struct GroundedRun {
  logic::Network network;
  std::optional<logic::Database> evidence;
  logic::GroundNetwork ground;
  std::optional<logic::Query> query;
};

/// What stands in a file, or in `texts` under its name.
std::string logic_text(const std::string& name, const LogicTexts& texts);

/// Throws DataError that names file and line, UsageError if no network is named.
GroundedRun read_logic(const LogicRun& run);

/// What to tell of constants that evidence added to types whose constants the network lists; empty: nothing.
std::string unlisted_note(const logic::Network& network, std::span<const logic::Database> databases);

/// A counting search as a tree with the names of atoms.
std::vector<CountingNode> counting_tree(const logic::CountingTrace& trace,
                                        const logic::GroundNetwork& ground);

/// What the public functions of these names give, of files that have been read.
std::string export_counting(const GroundedRun& read, const LogicRun& run);
std::vector<LogicWorld> list_worlds(const GroundedRun& read);
GroundedLogic ground_logic(const GroundedRun& read);

/// Throws UsageError for what does not go together or does not exist.
logic::SolverOptions solver_options(const InferenceOptions& options);

}  // namespace capella::pipeline
