// Trained composite metrics and the study of them, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "capella/composite.h"

#include "base/file.h"
#include "report/table.h"

namespace capella::report {

/// One row per seed, then mean and deviation.
std::string format_training(const CompositeTrained& trained, Format format);

/// P(human), row by row: as `meta --scores` reads it for JSON, else a table.
std::string format_scored_features(const ScoredFeatures& scored, Format format);

/// Seeds, agreement on each benchmark beside published figures, lengths, findings. CSV and plain have the
/// spread over seeds alone.
std::string format_study(const StudyResult& result, Format format);

/// Agreement with people and loss, epoch by epoch, of every seed.
std::string draw_training(const CompositeTrained& trained);

/// lengths.svg: mean score by caption length; and the pictures of each benchmark.
std::vector<NamedContent> draw_study(const StudyResult& result);

}  // namespace capella::report
