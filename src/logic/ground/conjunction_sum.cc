#include "logic/ground/conjunction_sum.h"

namespace capella::logic {
namespace {

using TreeKind = GroundTree::Kind;

constexpr std::size_t kMostWork = 100'000;
constexpr std::size_t kMostTerms = 1'024;

}  // namespace

std::optional<ConjunctionSum::Sum> ConjunctionSum::of(const GroundTree& tree) {
  try {
    return ConjunctionSum().sum(tree);
  } catch (const TooMuch&) {
    return {};
  }
}

ConjunctionSum::Sum ConjunctionSum::sum(const GroundTree& tree) {
  Sum made;
  switch (tree.kind) {
    case TreeKind::no:
      break;
    case TreeKind::yes:
      add(made, {}, 1);
      break;
    case TreeKind::literal:
      add(made, {tree.literal}, 1);
      break;
    case TreeKind::all:
      return product(tree);
    case TreeKind::any:
      add(made, {}, 1);
      for (const auto& [conjunction, coefficient] : product(negated(tree)))
        add(made, conjunction, -coefficient);
      break;
    case TreeKind::same:
      return same(tree);
  }
  return made;
}

// Literals are one conjunction, whatever their number.
ConjunctionSum::Sum ConjunctionSum::product(const GroundTree& tree) {
  std::vector<Literal> literals;
  for (const GroundTree& part : tree.parts)
    if (part.kind == TreeKind::literal) literals.push_back(part.literal);
  Sum made;
  if (!normalise(literals)) return made;
  add(made, literals, 1);
  for (const GroundTree& part : tree.parts)
    if (part.kind != TreeKind::literal) made = multiply(made, sum(part));
  return made;
}

// a <=> b is 1 - a - b + 2 a b.
ConjunctionSum::Sum ConjunctionSum::same(const GroundTree& tree) {
  const Sum a = sum(tree.parts[0]), b = sum(tree.parts[1]);
  Sum made;
  add(made, {}, 1);
  for (const auto& [conjunction, coefficient] : a) add(made, conjunction, -coefficient);
  for (const auto& [conjunction, coefficient] : b) add(made, conjunction, -coefficient);
  for (const auto& [conjunction, coefficient] : multiply(a, b)) add(made, conjunction, 2 * coefficient);
  return made;
}

ConjunctionSum::Sum ConjunctionSum::multiply(const Sum& left, const Sum& right) {
  Sum made;
  for (const auto& [a, a_coefficient] : left) {
    for (const auto& [b, b_coefficient] : right) {
      std::vector<Literal> both = a;
      both.insert(both.end(), b.begin(), b.end());
      work_ += both.size();
      if (normalise(both)) add(made, both, a_coefficient * b_coefficient);
    }
  }
  return made;
}

void ConjunctionSum::add(Sum& to, const std::vector<Literal>& conjunction, double coefficient) {
  work_ += conjunction.size() + 1;
  if (work_ > kMostWork || to.size() > kMostTerms) throw TooMuch();
  const auto place = to.try_emplace(conjunction, 0).first;
  place->second += coefficient;
  if (place->second == 0) to.erase(place);
}

}  // namespace capella::logic
