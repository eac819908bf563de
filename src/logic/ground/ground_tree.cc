#include "logic/ground/ground_tree.h"

#include <utility>

namespace capella::logic {
namespace {

using Kind = Expression::Kind;

class Builder {
 public:
  explicit Builder(const TreeContext& context) : context_(context) {}

  /// The expression, or its negation.
  GroundTree build(const Expression& expression, bool positive) {
    switch (expression.kind) {
      case Kind::atom:
        return leaf(Literal(context_.atom(expression), positive));
      case Kind::equal:
        return truth(context_.equation(expression) == positive);
      case Kind::negation:
        return build(expression.parts[0], !positive);
      case Kind::conjunction:
        return list(expression, positive, positive, positive);
      case Kind::disjunction:
        return list(expression, !positive, positive, positive);
      case Kind::implication:
        return list(expression, !positive, !positive, positive);
      case Kind::equivalence:
        return equivalence(expression, positive);
      case Kind::for_all:
        return quantified(expression, positive, positive);
      case Kind::exists:
        return quantified(expression, !positive, positive);
    }
    return {};
  }

 private:
  GroundTree list(const Expression& expression, bool all, bool first_positive, bool positive) {
    std::vector<GroundTree> parts;
    for (const Expression& part : expression.parts)
      parts.push_back(build(part, parts.empty() ? first_positive : positive));
    return join(all ? GroundTree::Kind::all : GroundTree::Kind::any, std::move(parts));
  }

  GroundTree equivalence(const Expression& expression, bool positive) {
    std::vector<GroundTree> parts;
    parts.push_back(build(expression.parts[0], true));
    parts.push_back(build(expression.parts[1], positive));
    return join(GroundTree::Kind::same, std::move(parts));
  }

  GroundTree quantified(const Expression& expression, bool all, bool positive) {
    std::vector<GroundTree> parts;
    bind_from(expression, 0, positive, parts);
    return join(all ? GroundTree::Kind::all : GroundTree::Kind::any, std::move(parts));
  }

  void bind_from(const Expression& expression, std::size_t first, bool positive,
                 std::vector<GroundTree>& parts) {
    if (first == expression.terms.size()) {
      parts.push_back(build(expression.parts[0], positive));
      return;
    }
    const std::uint32_t variable = expression.terms[first].id;
    for (const ConstantId constant : context_.domain(variable)) {
      context_.bind(variable, constant);
      bind_from(expression, first + 1, positive, parts);
    }
  }

  const TreeContext& context_;
};

}  // namespace

GroundTree ground_tree(const Expression& expression, const TreeContext& context) {
  return Builder(context).build(expression, true);
}

}  // namespace capella::logic
