// A network, facts and a query from any bytes: each is taken or refused with its place, what was taken is
// written and reads back to the same, grounding stays within its bounds, and what is small is solved.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "capella/error.h"

#include "logic/ground/ground.h"
#include "logic/language/language.h"
#include "logic/solver.h"

namespace {

using namespace capella::logic;

constexpr std::string_view kCut = "\n--\n";

void require(bool condition) {
  if (!condition) __builtin_trap();
}

/// The text up to the next cut, which is taken off.
std::string_view take(std::string_view& text) {
  const std::size_t end = std::min(text.find(kCut), text.size());
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(std::min(end + kCut.size(), text.size()));
  return piece;
}

/// Runs the step; false if the input was refused, which must be told with its place.
template <class Step>
bool accepted(const std::string& place, Step step) {
  try {
    step();
    return true;
  } catch (const capella::DataError& error) {
    require(std::string_view(error.what()).starts_with(place));
    return false;
  }
}

void check_ground(const GroundNetwork& ground) {
  for (std::size_t k = 0; k < ground.size(); ++k) {
    const GroundFormula formula = ground[k];
    require(!formula.literals.empty() && formula.formula < ground.formulas.size());
    for (std::size_t i = 0; i < formula.literals.size(); ++i) {
      require(formula.literals[i].atom() < ground.atoms());
      require(i == 0 || formula.literals[i - 1].atom() < formula.literals[i].atom());
    }
  }
}

// Simplified and solved within bounds that a moment is enough for. Exact methods agree.
void check_solved(const GroundNetwork& ground) {
  if (ground.atoms() > 40 || ground.size() > 100) return;
  SolverOptions options;
  options.most_entries = options.hard_most_entries = 4'096;
  options.most_nodes = 2'000;
  options.most_steps = 20'000;
  options.cache_bytes = 1 << 16;
  options.gibbs.burn_in = options.gibbs.most_sweeps = 2;
  std::optional<double> log_z;
  for (const Method method : {Method::automatic, Method::exact, Method::ptp}) {
    options.method = method;
    accepted("n.mln", [&] {
      Solver solver(ground, options);
      for (const double p : solver.marginals()) require(p >= 0 && p <= 1);
      if (solver.method() == Method::gibbs) return;
      require(std::isfinite(solver.log_z()));
      if (log_z) require(std::fabs(solver.log_z() - *log_z) <= 1e-6 * std::fmax(1, std::fabs(*log_z)));
      log_z = solver.log_z();
    });
  }
}

void check_text(const Network& network) {
  const std::string written = write_network(network);
  require(write_network(read_network(written, "written")) == written);
}

// Whether sums of weights stay far from what doubles can hold.
bool ordinary_weights(const Network& network) {
  return std::ranges::all_of(network.formulas, [](const Formula& formula) {
    const double weight = formula.weight.value_or(0);
    return weight == kHard || std::fabs(weight) <= 1e6;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Network network;
  if (!accepted("n.mln:", [&] { network = read_network(take(text), "n.mln"); })) return 0;
  if (network.constants.size() > 10'000) return 0;  // a range of numbers: allowed, but slow to write
  check_text(network);
  Database facts;
  if (!accepted("e.db:", [&] { facts = read_database(take(text), "e.db", network); })) return 0;
  check_text(network);
  GroundOptions options;
  options.most_groundings = 300;
  options.most_listed_atoms = 300;
  GroundNetwork made;
  if (!accepted("n.mln:", [&] { made = ground(network, &facts, options); })) return 0;
  check_ground(made);
  if (ordinary_weights(network)) check_solved(made);
  accepted("query", [&] { read_query(text, network, made); });
  options.list_all_atoms = false;
  options.constants.emplace();
  for (ConstantId id = 0; id < network.constants.size(); id += 2) options.constants->push_back(id);
  accepted("n.mln:", [&] { check_ground(ground(network, nullptr, options)); });
  return 0;
}
