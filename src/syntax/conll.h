// Captions with their trees as text, one line per word.
//
// A block of lines is a sentence, with a blank line behind it. A line holds six fields with tabs between
// them: index, word, lemma, tag, head, relation. The head counts words from 1; 0 marks the root, '_' a word
// that is not in the graph. A lemma, tag or relation '_' stands for none, but the word '_' has the lemma '_'.
// Lines that begin with '#' are comments. "# text = ..." stands before the first sentence of a caption and
// holds its text; all blocks up to the next such line are sentences of that caption. A block without such a
// line before it is a caption of its own, and its text is its words joined by spaces.
//
// CoNLL-U with its ten columns is read as well: the tag is then XPOS, and lines for ranges (1-2) and empty
// nodes (1.1) are passed over.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/tree.h"

namespace capella::syntax {

struct ParsedCaption {
  std::string text;
  std::vector<Tree> sentences;

  friend bool operator==(const ParsedCaption&, const ParsedCaption&) = default;
};

/// Longer sentences are refused. The parser's own have 200 words at most, and what SPICE does with a sentence
/// may take time that grows faster than its length.
inline constexpr std::size_t kLongestTree = 1000;

/// Reads a file, gzip or not; "-" is standard input. Throws FileError, or DataError with file and line.
std::vector<ParsedCaption> read_trees(const std::string& path);

/// The same from memory; `name` is for errors.
std::vector<ParsedCaption> parse_trees(const std::string& name, std::string text);

/// Whether a line by itself looks like a word of a tree: so many columns, and a number in the first.
bool is_tree_row(std::string_view line);

/// Six columns; parse_trees() gives the same captions back. No word may be empty. A line break or a tab
/// inside a text or a field is written as a space.
std::string write_trees(std::span<const ParsedCaption> captions);

}  // namespace capella::syntax
