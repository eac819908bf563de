// ptb_compiler GRAMMAR UNICODE OUTPUT: compiles the caption lexer's grammar into a C++ table.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "text/ptb/compiler/dfa.h"
#include "text/ptb/compiler/emit.h"
#include "text/ptb/compiler/grammar.h"

namespace {

using namespace capella::text::ptb::compiler;

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path + ": cannot be opened");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string compile_edition(const std::string& grammar, const std::string& edition,
                            const UnicodeData& unicode) {
  const std::vector<Rule> rules = parse_grammar(grammar, edition, unicode);
  const UnitClasses classes(rules);
  Nfa nfa(classes);
  for (std::size_t i = 0; i < rules.size(); ++i) nfa.add(static_cast<int>(i), rules[i].body, rules[i].tail);
  const Dfa dfa = minimize(determinize(nfa, classes.count()));
  std::printf("ptb %s: %zu rules, %d classes, %d states\n", edition.c_str(), rules.size(), classes.count(),
              dfa.states());
  return emit_tables(edition, rules, classes, dfa);
}

void compile(const std::string& grammar, const std::string& ranges, const std::string& output) {
  const UnicodeData unicode = parse_unicode_data(read(ranges));
  std::ofstream out(output, std::ios::binary);
  out << emit_head(unicode);
  for (const char* edition : {"2014", "2015"}) out << compile_edition(read(grammar), edition, unicode);
  if (!out.flush()) throw std::runtime_error(output + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: ptb_compiler GRAMMAR UNICODE OUTPUT\n", stderr);
    return 2;
  }
  try {
    compile(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ptb_compiler: %s\n", error.what());
    return 1;
  }
}
