// Scores of captions as numbers to learn from: one row per caption, one column per score.
//
// The file is JSON lines. The first names the columns and how their scores were made, so that a metric learnt
// from them can tell whether it is later fed the same; each further line is a caption.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace capella::io {

struct FeatureColumn {
  std::string score;                            ///< e.g. "CIDEr-D"
  std::string metric;                           ///< e.g. "cider-d"
  std::map<std::string, std::string> settings;  ///< e.g. df = coco-val
  std::string choices;                          ///< what the metric's signature says of how the score is made

  bool operator==(const FeatureColumn&) const = default;
};

/// What the rows' targets are.
enum class Targets {
  none,
  human,    ///< 1: written by a person, 0: by a machine
  ratings,  ///< by people, the higher the better
};

struct FeatureTable {
  std::string name;       ///< the file, for messages
  std::string source;     ///< where the captions come from, in words
  std::string tokenizer;  ///< as in ScoreOptions
  std::string made_of;  ///< changes with captions, references, targets and how scores are made; may be empty
  std::string benchmark;      ///< whose file's rows these are, e.g. "composite"; mostly empty
  bool pairs = false;         ///< rows 2k and 2k + 1 are pair k of the benchmark
  std::size_t rows_each = 1;  ///< rows of the benchmark's file that a row stands for, if judges were joined
  Targets targets_are = Targets::none;
  std::vector<FeatureColumn> columns;
  std::vector<std::string> ids;
  std::vector<std::string> images;
  std::vector<std::string> systems;  ///< who wrote the caption: "human" or a system's name
  std::vector<std::size_t> lengths;  ///< words of the caption
  std::vector<double> targets;       ///< empty if none
  std::vector<double> values;        ///< rows x columns

  std::size_t rows() const { return ids.size(); }
  std::span<const double> row(std::size_t k) const {
    return std::span(values).subspan(k * columns.size(), columns.size());
  }

  /// The place of the column. Throws DataError that lists the columns if there is none of that name.
  std::size_t column(std::string_view score) const;
  std::vector<double> column_values(std::size_t column) const;
};

/// Throws FileError, or DataError with FILE:LINE for a row that does not fit or has a number that is not
/// finite.
FeatureTable read_features(const std::string& path);

/// Writes the file, whole or not at all.
void write_features(const std::string& path, const FeatureTable& table);

}  // namespace capella::io
