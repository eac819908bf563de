#include "text/ptb/compiler/emit.h"

#include <map>
#include <sstream>
#include <stdexcept>

#include "text/ptb/tables.h"

namespace capella::text::ptb::compiler {
namespace {

void write_fields(std::ostream& out, const CodeRange& range) {
  out << "{" << range.first << "," << range.last << "},\n";
}
void write_fields(std::ostream& out, const LowerRun& run) {
  out << "{" << run.first << "," << run.last << "," << run.step << "," << run.partner << "},\n";
}

template <class Ranges>
void write_ranges(std::ostream& out, const std::string& type, const std::string& name, const Ranges& list) {
  out << "static const " << type << " " << name << "List[] = {\n";
  for (const auto& range : list) write_fields(out, range);
  out << "};\nconst std::span<const " << type << "> " << name << "(" << name << "List);\n";
}

class Emitter {
 public:
  Emitter(const std::vector<Rule>& rules, const UnitClasses& classes) : rules_(rules), classes_(classes) {}

  std::string text() const { return out_.str(); }

  void head(std::string_view edition) {
    out_ << "namespace capella::text::ptb {\nnamespace {\nnamespace of_" << edition << " {\n\n";
  }

  void foot(std::string_view edition, const Dfa& dfa) {
    out_ << "}  // namespace of_" << edition << "\n}  // namespace\n\nconstinit const Tables kTables"
         << edition << " = {of_" << edition << "::kTransitions, " << dfa.start << ", " << dfa.first_accepting
         << ", " << dfa.first_final;
    for (const char* name : {"kAccepts", "kRules", "kByteClass", "kClassPage", "kClassPages"})
      out_ << ", of_" << edition << "::" << name;
    out_ << "};\n\n}  // namespace capella::text::ptb\n";
  }

  void main_table(const Dfa& dfa) {
    const int width = 1 << kRowShift;
    std::vector<int> rows;
    for (int state = 0; state < dfa.states(); ++state) {
      for (int c = 0; c < width; ++c) rows.push_back(c < dfa.classes ? dfa.next[state * dfa.classes + c] : 0);
    }
    array("alignas(64) const std::uint16_t kTransitions[]", rows);
    array("const std::uint8_t kAccepts[]", {dfa.accepts.begin() + dfa.first_accepting, dfa.accepts.end()});
  }

  void class_tables() {
    std::vector<int> of_byte(256, kMultibyte);
    for (int byte = 0; byte < 128; ++byte) of_byte[byte] = classes_.of(static_cast<std::uint32_t>(byte));
    of_byte[static_cast<unsigned char>(kEndOfText)] = classes_.count();
    array("const std::uint8_t kByteClass[256]", of_byte);

    std::map<std::vector<int>, int> pages;
    std::vector<int> page_of, flat;
    for (std::uint32_t high = 0; high < 256; ++high) {
      std::vector<int> page;
      for (std::uint32_t low = 0; low < 256; ++low) page.push_back(classes_.of(high << 8 | low));
      const auto [found, added] = pages.try_emplace(page, static_cast<int>(pages.size()));
      if (added) flat.insert(flat.end(), page.begin(), page.end());
      page_of.push_back(found->second);
    }
    array("const std::uint8_t kClassPage[256]", page_of);
    array("const std::uint8_t kClassPages[]", flat);
  }

  void rules() {
    std::ostringstream entries;
    for (const Rule& rule : rules_) {
      const int tail_units = rule.tail == nullptr ? 0 : fixed_length(*rule.tail);
      std::string sides = "nullptr, nullptr";
      if (tail_units < 0) {
        side(rule.name + "_body", rule.body);
        side(rule.name + "_tail", rule.tail);
        sides = "&" + rule.name + "_body, &" + rule.name + "_tail";
      }
      entries << "    {\"" << rule.name << "\", " << rule.actions << ", " << rule.give_back << ", "
              << tail_units << ", \"" << rule.becomes << "\", " << sides << "},\n";
    }
    out_ << "constinit const RuleEntry kRules[] = {\n" << entries.str() << "};\n";
  }

 private:
  void array(const std::string& declaration, const std::vector<int>& values) {
    out_ << declaration << " = {";
    for (std::size_t i = 0; i < values.size(); ++i) out_ << (i % 32 == 0 ? "\n" : "") << values[i] << ',';
    out_ << "\n};\n";
  }

  /// Classes that the automaton treats alike share a column.
  void side(const std::string& name, const ExpressionPtr& expression) {
    const Dfa dfa = compile_expression(expression, classes_);
    std::map<std::vector<int>, int> columns;
    std::vector<int> column_of(1 << kRowShift, 0);
    columns[std::vector<int>(static_cast<std::size_t>(dfa.states()), 0)] =
        0;  // leads nowhere, as the end of text does
    for (int c = 0; c < dfa.classes; ++c) {
      std::vector<int> column;
      for (int state = 0; state < dfa.states(); ++state) column.push_back(dfa.next[state * dfa.classes + c]);
      column_of[c] = columns.try_emplace(column, static_cast<int>(columns.size())).first->second;
    }
    std::vector<int> next(columns.size() * static_cast<std::size_t>(dfa.states()));
    for (const auto& [column, index] : columns) {
      for (int state = 0; state < dfa.states(); ++state) {
        next[static_cast<std::size_t>(state) * columns.size() + static_cast<std::size_t>(index)] =
            column[state];
      }
    }
    array("static const std::uint8_t " + name + "_column[]", column_of);
    array("static const std::uint16_t " + name + "_next[]", next);
    out_ << "static const SideDfa " << name << " = {" << name << "_column, " << name << "_next, "
         << columns.size() << ", " << dfa.start << ", " << dfa.first_accepting << "};\n";
  }

  const std::vector<Rule>& rules_;
  const UnitClasses& classes_;
  std::ostringstream out_;
};

void check_limits(const std::vector<Rule>& rules, const UnitClasses& classes, const Dfa& dfa) {
  if (classes.count() >= 1 << kRowShift) throw std::runtime_error("too many classes of units for kRowShift");
  if (dfa.states() >= 1 << 16) throw std::runtime_error("too many states for 16 bits");
  if (rules.size() >= 256) throw std::runtime_error("too many rules for 8 bits");
}

}  // namespace

Dfa compile_expression(const ExpressionPtr& expression, const UnitClasses& classes) {
  Nfa nfa(classes);
  nfa.add(0, expression, nullptr);
  return minimize(determinize(nfa, classes.count()));
}

std::string emit_head(const UnicodeData& unicode) {
  std::ostringstream out;
  out << "// Generated from ptb.grammar and unicode.ranges.\n#include \"text/ptb/tables.h\"\n\n"
         "namespace capella::text::ptb {\n\n";
  write_ranges(out, "LowerRun", "kLowerRuns", unicode.lower);
  write_ranges(out, "CodeRange", "kCased", unicode.sets.at("CASED"));
  write_ranges(out, "CodeRange", "kLetters", unicode.sets.at("LETTER"));
  out << "\n}  // namespace capella::text::ptb\n";
  return out.str();
}

std::string emit_tables(std::string_view edition, const std::vector<Rule>& rules, const UnitClasses& classes,
                        const Dfa& dfa) {
  check_limits(rules, classes, dfa);
  Emitter emitter(rules, classes);
  emitter.head(edition);
  emitter.main_table(dfa);
  emitter.class_tables();
  emitter.rules();
  emitter.foot(edition, dfa);
  return emitter.text();
}

}  // namespace capella::text::ptb::compiler
