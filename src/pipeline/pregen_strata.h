// The rows of a pre-gen study: strata of each generator's images, scored after and before it wrote captions.
#pragma once

#include <string>
#include <string_view>

#include "capella/pregen.h"

#include "io/stratum_table.h"

namespace capella::pipeline {

/// Who wrote a file of captions.
struct GeneratorName {
  std::string data_set;
  std::string architecture;
  std::string run;

  bool operator==(const GeneratorName&) const = default;
};

/// Takes ARCHITECTURE_RUN or DATASET_ARCHITECTURE_RUN apart, where RUN is a whole number; any other name is
/// an architecture's, of run 1. With `data_set`, only this one is looked for in front of the architecture;
/// without, a data set that is not named is "data".
GeneratorName generator_name(std::string_view system, std::string_view data_set);

/// What pregen_strata() writes.
io::StratumTable make_strata(const Dataset& dataset, const StrataOptions& options);

}  // namespace capella::pipeline
