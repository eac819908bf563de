// Captions with their grammar and their scenes, for people and for programs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "capella/parse.h"

namespace capella::report {

enum class ParseFormat { graph, conll, dot, svg };
inline constexpr std::string_view kParseFormatNames[] = {"graph", "conll", "dot", "svg"};

/// Throws UsageError for another name.
ParseFormat parse_format_by_name(std::string_view name);

/// graph: a line of JSON per caption, {"text", "tuples"}, with "id" first where the source has ids. conll: a
/// line per word, as docs/parsing.md says. dot: one graph for GraphViz. svg: pictures of the scenes, one
/// below the other.
std::string format_parses(std::span<const ParsedCaption> captions, ParseFormat format);

}  // namespace capella::report
