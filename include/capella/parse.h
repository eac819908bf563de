// Captions taken apart: the grammar of their sentences, and what they say as objects, attributes and
// relations.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/pipeline.h"
#include "capella/progress.h"

namespace capella {

struct ParsedWord {
  std::string word;
  std::string lemma;
  std::string tag;       ///< of the Penn Treebank
  int head = 0;          ///< the word it depends on, counted from 1; 0 for the root, -1 for none
  std::string relation;  ///< of Universal Dependencies 1, e.g. "nsubj"
};
using ParsedSentence = std::vector<ParsedWord>;

struct ParsedCaption {
  std::string id;  ///< empty where the source has none
  std::string text;
  std::vector<ParsedSentence> sentences;
  /// {object}, {object, attribute} or {subject, relation, object}, in alphabetical order. Words that mean the
  /// same are one, written "bike/bicycle".
  std::vector<std::vector<std::string>> tuples;
};

struct ParseOptions {
  std::string tokenizer = "none";  ///< what captions go through first: none, ptb, ptb-iso, 13a, karpathy
  bool tuples = true;              ///< false: only the grammar, which needs no data package
  bool synsets = true;             ///< whether words with a synset in common are one
  std::size_t threads = 0;         ///< 0: one per core
  Progress progress;
};

/// Throws FileError if the parser or the data that tuples need is not there, UsageError for an unknown
/// tokenizer.
void check_options(const ParseOptions& options, bool from_trees);

/// Parses captions.
std::vector<ParsedCaption> parse(std::span<const std::string_view> captions, const ParseOptions& options);

/// What parse_file() found in a file.
struct ParsedFile {
  std::vector<ParsedCaption> captions;
  std::vector<Skipped> skipped;   ///< malformed rows that were left out on request
  bool looks_like_trees = false;  ///< lines were read as captions, but look like those of parse_trees_file()
};

/// Parses all captions of a file, of any shape that score() reads; "-" is standard input.
ParsedFile parse_file(const std::string& path, const ReadOptions& read, const ParseOptions& options);

/// Reads captions with their trees from a file of six or ten columns (docs/parsing.md) instead of parsing.
std::vector<ParsedCaption> parse_trees_file(const std::string& path, const ParseOptions& options);

}  // namespace capella
