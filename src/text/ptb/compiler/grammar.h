// The lexer's grammar as a tree. The notation is described at the head of ptb.grammar.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/ptb/compiler/unicode_data.h"
#include "text/ptb/compiler/unit_set.h"

namespace capella::text::ptb::compiler {

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

struct Expression {
  enum class Kind { set, sequence, choice, repeat };
  static constexpr int kUnbounded = -1;

  Kind kind;
  UnitSet set = {};                          // set: matches one unit of it
  std::vector<ExpressionPtr> children = {};  // sequence, choice; repeat has one
  int least = 0;                             // repeat
  int most = 0;                              // repeat; may be kUnbounded
};

struct Rule {
  std::string name;
  ExpressionPtr body;
  ExpressionPtr tail;         // what must follow; null if anything may
  std::uint16_t actions = 0;  // bits of Action
  int give_back = 0;          // for kGiveBack
  std::string becomes;        // for kBecomes
};

/// The rules of an edition, "2014" or "2015", in order. Throws std::runtime_error that names the line.
std::vector<Rule> parse_grammar(std::string_view text, std::string_view edition, const UnicodeData& unicode);

/// The number of units every match has, or -1 if it varies.
int fixed_length(const Expression& expression);

}  // namespace capella::text::ptb::compiler
