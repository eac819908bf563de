#include "report/logic_pictures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/plot.h"
#include "report/svg.h"

namespace capella::report {
namespace {

constexpr std::string_view kFor = "#d55e00";      // of formulas that make worlds more probable
constexpr std::string_view kAgainst = "#0072b2";  // ... less probable
constexpr SvgFont kEvidenceFont{"sans-serif", 12, kGray, "end", false};
constexpr SvgFont kFormulaFont{kMonospace, 12, kDark, "start", false};

constexpr double kAtomStep = 38;
constexpr double kAtomHeight = 28;
constexpr double kFormulaStep = 22;
constexpr double kSquare = 11;
constexpr double kBetween = 220;  // the columns
constexpr double kFontSize = 13;
constexpr std::size_t kMostFormulas = 150;

// White for 0, blue for 1.
std::string shade(double p) {
  const auto mix = [p](double from, double to) {
    return static_cast<int>(std::lround(from + p * (to - from)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(255, 0), mix(255, 96), mix(255, 160));
}

std::string weight_text(double weight) {
  return std::isinf(weight) ? "hard" : fmt::format("{:+.3g}", weight);
}

std::string evidence_text(double given) {
  if (std::isnan(given)) return "";
  return given == 0 ? "known: false" : given == 1 ? "known: true" : fmt::format("given {:.2g}", given);
}

// Chooses what a picture shows of a network, and in which order from top to bottom.
class Selection {
 public:
  Selection(const GroundedLogic& network, std::size_t most_atoms) : network_(network) {
    formulas_of_.resize(network.atoms.size());
    for (std::size_t k = 0; k < network.factors.size(); ++k) {
      for (const std::size_t atom : network.factors[k].atoms) formulas_of_[atom].push_back(k);
    }
    choose_atoms(most_atoms);
    choose_formulas();
    for (int round = 0; round < kRounds; ++round) {
      sort_by_neighbours(factors_, atoms_, [this](std::size_t k) { return network_.factors[k].atoms; });
      sort_by_neighbours(atoms_, factors_, [this](std::size_t atom) { return formulas_of_[atom]; });
    }
  }

  const std::vector<std::size_t>& atoms() const { return atoms_; }
  const std::vector<std::size_t>& factors() const { return factors_; }

 private:
  static constexpr int kRounds = 8;

  bool is_mentioned(std::size_t atom) const {
    return !formulas_of_[atom].empty() || !std::isnan(network_.evidence[atom]) ||
           std::ranges::binary_search(network_.query_atoms, atom);
  }

  // In circles round the query, else round the atom with the most formulas.
  void choose_atoms(std::size_t most_atoms) {
    std::vector<std::size_t> starts(network_.atoms.size());
    std::iota(starts.begin(), starts.end(), std::size_t{0});
    std::ranges::stable_sort(starts, std::ranges::greater(),
                             [this](std::size_t atom) { return formulas_of_[atom].size(); });
    starts.insert(starts.begin(), network_.query_atoms.begin(), network_.query_atoms.end());
    std::vector<bool> seen(network_.atoms.size(), false);
    for (const std::size_t start : starts) {
      if (atoms_.size() >= most_atoms) break;
      if (!seen[start] && is_mentioned(start)) add_around(start, most_atoms, seen);
    }
  }

  void add_around(std::size_t start, std::size_t most_atoms, std::vector<bool>& seen) {
    std::size_t next = atoms_.size();
    atoms_.push_back(start);
    seen[start] = true;
    for (; next < atoms_.size() && atoms_.size() < most_atoms; ++next) {
      for (const std::size_t k : formulas_of_[atoms_[next]]) {
        for (const std::size_t atom : network_.factors[k].atoms) {
          if (seen[atom] || atoms_.size() >= most_atoms) continue;
          seen[atom] = true;
          atoms_.push_back(atom);
        }
      }
    }
  }

  // Those all of whose atoms are shown.
  void choose_formulas() {
    std::vector<bool> shown(network_.atoms.size(), false);
    for (const std::size_t atom : atoms_) shown[atom] = true;
    for (std::size_t k = 0; k < network_.factors.size() && factors_.size() < kMostFormulas; ++k) {
      if (std::ranges::all_of(network_.factors[k].atoms, [&](std::size_t atom) { return shown[atom]; }))
        factors_.push_back(k);
    }
  }

  // Moves each to the mean place of what it is joined to, so that lines cross less.
  template <class NeighboursOf>
  static void sort_by_neighbours(std::vector<std::size_t>& items, const std::vector<std::size_t>& others,
                                 NeighboursOf neighbours_of) {
    std::vector<double> place;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i] >= place.size()) place.resize(others[i] + 1, -1);
      place[others[i]] = static_cast<double>(i) / static_cast<double>(others.size());
    }
    std::vector<std::pair<double, std::size_t>> wanted;
    for (std::size_t i = 0; i < items.size(); ++i) {
      double sum = 0;
      double count = 0;
      for (const std::size_t other : neighbours_of(items[i])) {
        if (other >= place.size() || place[other] < 0) continue;
        sum += place[other];
        ++count;
      }
      const double own = static_cast<double>(i) / static_cast<double>(items.size());
      wanted.emplace_back(count > 0 ? sum / count : own, items[i]);
    }
    std::ranges::stable_sort(wanted, {}, &std::pair<double, std::size_t>::first);
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = wanted[i].second;
  }

  const GroundedLogic& network_;
  std::vector<std::vector<std::size_t>> formulas_of_;
  std::vector<std::size_t> atoms_;
  std::vector<std::size_t> factors_;
};

class NetworkPicture {
 public:
  NetworkPicture(const GroundedLogic& network, std::span<const double> marginals, std::size_t most_atoms)
      : network_(network), marginals_(marginals), selection_(network, most_atoms) {
    for (const std::size_t atom : selection_.atoms()) {
      atom_width_ = std::max(atom_width_, monospace_width(atom_text(atom), kFontSize) + 24);
      evidence_width_ = std::max(
          evidence_width_, monospace_width(evidence_text(network.evidence[atom]), kEvidenceFont.size) + 8);
    }
    for (const std::size_t k : selection_.factors())
      formula_width_ = std::max(formula_width_, monospace_width(formula_text(k), kFormulaFont.size));
    const double atoms = static_cast<double>(selection_.atoms().size()) * kAtomStep;
    const double formulas = static_cast<double>(selection_.factors().size()) * kFormulaStep;
    height_ = kBelowTitle + std::max({atoms, formulas, kAtomStep}) + kMargin;
    atom_top_ = kBelowTitle + std::max(0.0, formulas - atoms) / 2;
    formula_top_ = kBelowTitle + std::max(0.0, atoms - formulas) / 2;
  }

  std::string draw(std::string_view title) {
    const std::string shown = fmt::format(
        "{} of {} atoms and {} of {} ground formulas; dark: probable; dashed: negated; orange: weight above "
        "0, "
        "blue: below",
        selection_.atoms().size(), network_.atoms.size(), selection_.factors().size(),
        network_.factors.size());
    svg_.text({kMargin, 28}, title, kTitleFont);
    svg_.text({kMargin, 47}, shown, kSmallNoteFont);
    place_atoms();
    for (std::size_t i = 0; i < selection_.factors().size(); ++i) draw_lines(i);
    for (std::size_t i = 0; i < selection_.factors().size(); ++i) draw_formula(i);
    for (const std::size_t atom : selection_.atoms()) draw_atom(atom);
    const double width = std::max({formula_left() + kSquare + 10 + formula_width_,
                                   kMargin + monospace_width(shown, kSmallNoteFont.size)}) +
                         kMargin;
    return svg_.document(width, height_, title, shown + ". " + describe());
  }

 private:
  double atom_left() const { return kMargin + evidence_width_; }
  double formula_left() const { return atom_left() + atom_width_ + kBetween; }

  std::string atom_text(std::size_t atom) const {
    return marginals_.empty() ? network_.atoms[atom]
                              : fmt::format("{}  {:.3f}", network_.atoms[atom], marginals_[atom]);
  }

  std::string formula_text(std::size_t k) const {
    const GroundedLogic::Factor& factor = network_.factors[k];
    return fmt::format("{}  {}", weight_text(factor.weight), network_.formulas[factor.formula]);
  }

  void place_atoms() {
    middle_.resize(network_.atoms.size(), 0);
    for (std::size_t i = 0; i < selection_.atoms().size(); ++i)
      middle_[selection_.atoms()[i]] = atom_top_ + (static_cast<double>(i) + .5) * kAtomStep;
  }

  double formula_middle(std::size_t i) const {
    return formula_top_ + (static_cast<double>(i) + .5) * kFormulaStep;
  }

  static std::string_view colour(const GroundedLogic::Factor& factor) {
    return std::isinf(factor.weight) ? kDark : factor.weight > 0 ? kFor : kAgainst;
  }

  void draw_atom(std::size_t atom) {
    const double p = marginals_.empty() ? 0 : marginals_[atom];
    const bool asked = std::ranges::binary_search(network_.query_atoms, atom);
    const std::string fill = shade(p);
    const double y = middle_[atom];
    svg_.rect({atom_left(), y - kAtomHeight / 2}, atom_width_, kAtomHeight, {fill, kDark, asked ? 3.0 : 1.0},
              10);
    svg_.text({atom_left() + atom_width_ / 2, y + 4.5}, atom_text(atom),
              {kMonospace, kFontSize, p > .55 ? std::string_view("#ffffff") : kDark, "middle", asked});
    const std::string given = evidence_text(network_.evidence[atom]);
    if (!given.empty()) svg_.text({atom_left() - 8, y + 4}, given, kEvidenceFont);
  }

  void draw_lines(std::size_t i) {
    const GroundedLogic::Factor& factor = network_.factors[selection_.factors()[i]];
    const double right = formula_left();
    const double left = atom_left() + atom_width_;
    for (std::size_t j = 0; j < factor.atoms.size(); ++j) {
      SvgPath path;
      const SvgPoint from{left, middle_[factor.atoms[j]]};
      const SvgPoint to{right, formula_middle(i)};
      path.move_to(from).curve_to({left + kBetween / 2, from.y}, {right - kBetween / 2, to.y}, to);
      svg_.path(path, {"none", colour(factor), 1.2, factor.positive[j] ? "" : "5 3", .7});
    }
  }

  void draw_formula(std::size_t i) {
    const std::size_t k = selection_.factors()[i];
    const double y = formula_middle(i);
    svg_.rect({formula_left(), y - kSquare / 2}, kSquare, kSquare, {colour(network_.factors[k]), kDark, .7});
    svg_.text({formula_left() + kSquare + 8, y + 4}, formula_text(k), kFormulaFont);
  }

  std::string describe() const {
    std::vector<std::string> parts;
    for (const std::size_t atom : selection_.atoms()) parts.push_back(atom_text(atom));
    return fmt::format("{}", fmt::join(parts, "; "));
  }

  const GroundedLogic& network_;
  std::span<const double> marginals_;
  Selection selection_;
  Svg svg_;
  double atom_width_ = 0, evidence_width_ = 0, formula_width_ = 0;
  double height_ = 0, atom_top_ = 0, formula_top_ = 0;
  std::vector<double> middle_;  // of atoms
};

}  // namespace

std::string draw_ground_network(const GroundedLogic& network, std::span<const double> marginals,
                                std::string_view title, std::size_t most_atoms) {
  return NetworkPicture(network, marginals, most_atoms).draw(title);
}

std::string draw_worlds(std::span<const LogicWorld> worlds, std::string_view title, std::size_t most) {
  const std::size_t shown = std::min(worlds.size(), most);
  double total = 0;
  BarChart chart;
  for (const LogicWorld& world : worlds.first(shown)) {
    total += world.p;
    chart.rows.push_back({world.true_atoms.empty() ? "(no atom is true)"
                                                   : fmt::format("{}", fmt::join(world.true_atoms, ", ")),
                          {{world.p}}});
  }
  chart.frame.title = title;
  chart.frame.subtitle = shown == worlds.size()
                             ? fmt::format("all {} possible worlds, named by the atoms that are true", shown)
                             : fmt::format(
                                   "the {} most probable of {} worlds, {:.1f} % together, named by the "
                                   "atoms that are true",
                                   shown, worlds.size(), 100 * total);
  chart.frame.x_label = "probability";
  chart.frame.width = 900;
  chart.series = {"probability"};
  chart.decimals = 4;
  chart.range = {0, {}};
  return draw(chart);
}

}  // namespace capella::report
