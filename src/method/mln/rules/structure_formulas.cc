#include "method/mln/rules/structure_formulas.h"

#include <algorithm>
#include <numeric>

namespace capella::method::mln {
namespace {

constexpr std::string_view kNames = "xyzuwtsr";  // `v` means "or"
static_assert(kNames.size() == kMostVariables);

// The place of each name in the alphabet, among these.
constexpr std::array<std::uint32_t, kMostVariables> kRanks = {5, 6, 7, 3, 4, 2, 1, 0};

// The key of the literals in this very order; the variables' constants go to `constants`.
FormulaKey key_in_order(std::span<const GroundLiteral> literals, std::span<const std::uint32_t> order,
                        Substitution& constants) {
  FormulaKey key;
  key.size = static_cast<std::uint32_t>(literals.size());
  std::size_t variables = 0;
  const auto code = [&](std::uint32_t constant) {
    std::size_t k = 0;
    while (k < variables && constants[k] != constant) ++k;
    if (k == variables) constants[variables++] = constant;
    return kRanks[k];
  };
  std::size_t out = 0;
  for (const std::uint32_t k : order) {
    key.codes[out++] = literals[k].predicate;
    key.codes[out++] = code(literals[k].subject);
    key.codes[out++] = code(literals[k].object);
  }
  return key;
}

}  // namespace

bool operator<(const FormulaKey& a, const FormulaKey& b) {
  return std::ranges::lexicographical_compare(a.used(), b.used());
}

std::size_t variable_of(std::uint32_t code) {
  return static_cast<std::size_t>(std::ranges::find(kRanks, code) - kRanks.begin());
}

std::string_view variable_name(std::size_t variable) {
  return kNames.substr(variable, 1);
}

FormulaKey lifted_key(std::span<const GroundLiteral> literals, std::vector<Substitution>* ways) {
  std::array<std::uint32_t, kLongestChain> all{};
  const auto order = std::span(all).first(literals.size());
  std::iota(order.begin(), order.end(), 0U);
  FormulaKey best;
  if (ways) ways->clear();
  do {
    Substitution constants{};
    const FormulaKey key = key_in_order(literals, order, constants);
    if (best.size == 0 || key < best) {
      best = key;
      if (ways) ways->assign(1, constants);
    } else if (ways && key == best && std::ranges::find(*ways, constants) == ways->end()) {
      ways->push_back(constants);
    }
  } while (std::ranges::next_permutation(order).found);
  return best;
}

FormulaKey ground_key(std::span<const GroundLiteral> literals) {
  FormulaKey key;
  key.size = static_cast<std::uint32_t>(literals.size());
  std::size_t out = 0;
  for (const GroundLiteral& literal : literals) {  // an image's literals are sorted, so these are
    key.codes[out++] = literal.predicate;
    key.codes[out++] = literal.subject;
    key.codes[out++] = literal.object;
  }
  return key;
}

FormulaKey literal_key(const FormulaKey& key, std::size_t literal, bool ground) {
  const GroundLiteral one = {key.codes[3 * literal], key.codes[3 * literal + 1], key.codes[3 * literal + 2]};
  return ground ? ground_key(std::span(&one, 1)) : lifted_key(std::span(&one, 1));
}

}  // namespace capella::method::mln
