// Reads and writes .db files: what is known of a world.
#include <charconv>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/hash.h"
#include "base/names.h"
#include "logic/ground/ground.h"
#include "logic/language/cursor.h"
#include "logic/language/language.h"
#include "logic/language/lexer.h"
#include "logic/language/parse_formula.h"
#include "logic/language/vocabulary.h"

namespace capella::logic {
namespace {

using TokenKind = Token::Kind;

struct AtomHash {
  std::size_t operator()(const std::vector<std::uint32_t>& atom) const {
    return hash_bytes({reinterpret_cast<const char*>(atom.data()), atom.size() * sizeof(std::uint32_t)});
  }
};

class Reader {
 public:
  Reader(const Tokens& tokens, Database& database, Network& network)
      : cursor_(tokens.list, database.source),
        database_(database),
        network_(network),
        vocabulary_(network, Vocabulary::NewConstants::always) {}

  void read() {
    cursor_.skip_line_ends();
    while (!cursor_.at_end()) {
      add(read_fact());
      if (cursor_.peek().kind != TokenKind::line_end) cursor_.unexpected("the end of the line");
      cursor_.skip_line_ends();
    }
  }

 private:
  Fact read_fact() {
    Fact fact;
    fact.line = cursor_.line();
    if (cursor_.peek().kind == TokenKind::number) {
      fact.probability = read_probability();
    } else if (cursor_.take("!")) {
      fact.probability = 0;
    }
    if (cursor_.peek().kind != TokenKind::name)
      cursor_.unexpected("a fact such as On(Man,Bike), !On(Man,Bike) or 0.83 On(Man,Bike)");
    const std::string_view name = cursor_.next().text;
    const std::optional<PredicateId> predicate = vocabulary_.predicate(name);
    if (!predicate) cursor_.fail(fact.line, vocabulary_.unknown_predicate(name));
    fact.predicate = *predicate;
    read_arguments(fact);
    return fact;
  }

  double read_probability() {
    std::string_view text = cursor_.peek().text;
    if (text.starts_with('+')) text.remove_prefix(1);
    double p = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), p);
    if (error != std::errc() || end != text.data() + text.size() || !(p >= 0 && p <= 1))
      cursor_.unexpected("a probability between 0 and 1");
    cursor_.next();
    return p;
  }

  void read_arguments(Fact& fact) {
    const std::vector<TypeId>& types = network_.predicates[fact.predicate].types;
    cursor_.expect("(", "'(' and constants");
    while (!cursor_.take(")")) {
      if (!fact.arguments.empty()) cursor_.expect(",", "',' or ')'");
      const std::string constant = parse_constant(cursor_);
      if (fact.arguments.size() == types.size()) wrong_count(fact, "more");
      fact.arguments.push_back(constant_of(types[fact.arguments.size()], constant));
    }
    if (fact.arguments.size() < types.size()) wrong_count(fact, "fewer");
  }

  ConstantId constant_of(TypeId type, const std::string& name) {
    const std::size_t before = network_.types[type].constants.size();
    const ConstantId constant = vocabulary_.constant_of(type, name);
    if (network_.types[type].listed && network_.types[type].constants.size() > before)
      database_.unlisted.push_back(constant);
    return constant;
  }

  [[noreturn]] void wrong_count(const Fact& fact, std::string_view how) const {
    const Predicate& predicate = network_.predicates[fact.predicate];
    cursor_.fail(fact.line, fmt::format("{} has {} arguments than the {} of its declaration", predicate.name,
                                        how, predicate.types.size()));
  }

  void add(Fact fact) {
    std::vector<std::uint32_t> atom = {fact.predicate};
    atom.insert(atom.end(), fact.arguments.begin(), fact.arguments.end());
    const auto [place, added] = known_.try_emplace(std::move(atom), database_.facts.size());
    if (added) {
      database_.facts.push_back(std::move(fact));
      return;
    }
    const Fact& before = database_.facts[place->second];
    if (before.probability == fact.probability) return;
    cursor_.fail(fact.line, fmt::format("{} has the probability {} here and {} in line {}, which contradict "
                                        "each other; leave one out",
                                        atom_name(network_, fact.predicate, fact.arguments), fact.probability,
                                        before.probability, before.line));
  }

  Cursor cursor_;
  Database& database_;
  Network& network_;
  Vocabulary vocabulary_;
  std::unordered_map<std::vector<std::uint32_t>, std::size_t, AtomHash> known_;
};

}  // namespace

std::string atom_name(const Network& network, PredicateId predicate, std::span<const ConstantId> arguments) {
  std::string name = network.predicates[predicate].name + '(';
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) name += ',';
    name += format_constant(network.constants[arguments[i]].name);
  }
  return name + ')';
}

Database read_database(std::string_view text, const std::string& source, Network& network) {
  Database database;
  database.source = source;
  const Tokens tokens = tokenize(text, source);
  Reader(tokens, database, network).read();
  return database;
}

std::string write_database(const Database& database, const Network& network) {
  std::string out;
  for (const Fact& fact : database.facts) {
    if (fact.probability == 0) {
      out += '!';
    } else if (fact.probability != 1) {
      out += fmt::format("{:.17g} ", fact.probability);
    }
    out += atom_name(network, fact.predicate, fact.arguments) + '\n';
  }
  return out;
}

}  // namespace capella::logic
