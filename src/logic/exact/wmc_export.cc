#include "logic/exact/wmc_export.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "logic/factor_graph.h"

namespace capella::logic {
namespace {

// exp(log) in decimal, also where it is no double any more; counters read any exponent.
std::string format_exp(double log) {
  if (std::abs(log) < 700) return fmt::format("{:.17g}", std::exp(log));
  const double decimal = log / std::numbers::ln10;
  const double exponent = std::floor(decimal);
  return fmt::format("{:.17g}e{:+.0f}", std::pow(10, decimal - exponent), exponent);
}

std::string number(Literal literal) {
  return fmt::format("{}{}", literal.positive() ? "" : "-", literal.atom() + 1);
}

class Writer {
 public:
  explicit Writer(const GroundNetwork& network) : network_(network), weights_(2 * network.atoms(), 0) {}

  std::string write() {
    for (AtomId atom = 0; atom < network_.atoms(); ++atom) add_evidence(atom);
    for (std::size_t k = 0; k < network_.size(); ++k) add(network_[k]);
    const double constant = network_.offset + network_.unmentioned_atoms * std::numbers::ln2;
    if (constant != 0) {
      const Literal always = add_variable(constant, 0);
      add_clause({&always, 1});
    }
    std::string text = fmt::format("c t wmc\np cnf {} {}\n", weights_.size() / 2, clauses_);
    for (AtomId atom = 0; atom < network_.atoms(); ++atom)
      fmt::format_to(std::back_inserter(text), "c atom {} {}\n", atom + 1, network_.name(atom));
    for (AtomId v = 0; v < weights_.size() / 2; ++v) {
      for (const Literal literal : {Literal(v), Literal(v, false)})
        fmt::format_to(std::back_inserter(text), "c p weight {} {} 0\n", number(literal),
                       format_exp(weights_[literal.code()]));
    }
    return text + lines_;
  }

 private:
  void add_evidence(AtomId atom) {
    const double p = network_.probability(atom);
    if (std::isnan(p)) return;
    if (p == 0 || p == 1) {
      const Literal known(atom, p == 1);
      return add_clause({&known, 1});
    }
    const double kept = std::clamp(p, kLeastProbability, 1 - kLeastProbability);
    weights_[Literal(atom).code()] += std::log(kept);
    weights_[Literal(atom, false).code()] += std::log1p(-kept);
  }

  void add(const GroundFormula& formula) {
    const double weight = network_.formulas[formula.formula].weight;
    const bool clause = formula.kind == GroundFormula::Kind::clause;
    if (weight == kHard) return add_clause(formula.literals);
    const double total = weight * formula.coefficient;
    if (total == 0) return;
    if (formula.literals.size() == 1) {
      weights_[formula.literals[0].code()] += total;
      return;
    }
    // The variable stands for the conjunction; of a clause, for that of its opposite literals.
    const Literal together = clause ? add_variable(0, total) : add_variable(total, 0);
    std::vector<Literal> none = {together};
    for (const Literal literal : formula.literals) {
      const Literal wanted = clause ? !literal : literal;
      const Literal implied[] = {!together, wanted};
      add_clause(implied);
      none.push_back(!wanted);
    }
    add_clause(none);
  }

  Literal add_variable(double log_true, double log_false) {
    weights_.push_back(log_true);
    weights_.push_back(log_false);
    return Literal(static_cast<AtomId>(weights_.size() / 2 - 1));
  }

  void add_clause(std::span<const Literal> literals) {
    for (const Literal literal : literals) lines_ += number(literal) + " ";
    lines_ += "0\n";
    ++clauses_;
  }

  const GroundNetwork& network_;
  std::vector<double> weights_;  // logarithms, by literal
  std::string lines_;
  std::size_t clauses_ = 0;
};

}  // namespace

std::string write_wmc(const GroundNetwork& network) {
  return Writer(network).write();
}

}  // namespace capella::logic
