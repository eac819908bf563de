// The pre-gen study of a generated world, for people and for programs.
#pragma once

#include <string>

#include "capella/pregen_study.h"

#include "report/table.h"

namespace capella::report {

/// Generators, what foretells their scores, findings. CSV and plain have the generators alone.
std::string format_pregen_study(const PregenStudyResult& result, Format format);

/// The seconds that probabilities and metrics took, and those of captions and their scores. They are other
/// ones in every run, so they are no part of the results. Not as JSON.
std::string format_pregen_times(const PregenStudyResult& result, Format format);

}  // namespace capella::report
