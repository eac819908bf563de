// What a pre-gen study found, in sentences.
#pragma once

#include <string>
#include <vector>

#include "capella/pregen_study.h"

namespace capella::pipeline {

/// Whether generators that learnt from more images are better, whether pre-gen metrics foretell post-gen
/// scores, and whether they do it better than perplexity.
std::vector<std::string> study_findings(const PregenStudyResult& result);

}  // namespace capella::pipeline
