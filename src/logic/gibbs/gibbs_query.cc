#include "logic/gibbs/gibbs_query.h"

#include <algorithm>
#include <map>

#include "logic/disjoint_sets.h"

namespace capella::logic {
namespace {

constexpr std::size_t kMostParts = 256;  // each keeps two bytes per sweep

void join(DisjointSets& components, std::span<const Literal> literals) {
  for (const Literal literal : literals) components.join(literals[0].atom(), literal.atom());
}

void add_clause(QueryPart& part, const GibbsGraph& graph, std::span<const Literal> clause) {
  std::vector<PlaceLiteral>& added = part.clauses.emplace_back();
  for (const Literal literal : clause) {
    added.push_back(graph.literal(literal));
    part.places.push_back(graph.places[literal.atom()]);
  }
}

}  // namespace

std::vector<QueryPart> query_parts(const FactorGraph& factors, const GibbsGraph& graph,
                                   const Clauses& query) {
  DisjointSets components(factors.variables());
  for (std::size_t k = 0; k < factors.factors(); ++k) join(components, factors.factor(k));
  for (const std::vector<Literal>& clause : query) {
    if (!clause.empty()) join(components, clause);
  }
  std::vector<QueryPart> parts;
  std::map<std::uint32_t, std::size_t> numbers;
  for (const std::vector<Literal>& clause : query) {
    const std::uint32_t component = clause.empty() ? 0xFFFFFFFF : components.root(clause[0].atom());
    const std::size_t next = std::min(parts.size(), kMostParts - 1);
    const std::size_t number = numbers.try_emplace(component, next).first->second;
    if (number == parts.size()) parts.emplace_back();
    add_clause(parts[number], graph, clause);
  }
  for (QueryPart& part : parts) {
    std::sort(part.places.begin(), part.places.end());
    part.places.erase(std::unique(part.places.begin(), part.places.end()), part.places.end());
  }
  return parts;
}

LaneMask holding(const QueryPart& part, const LaneMask* states) {
  unsigned all = kAllLanes;
  for (const std::vector<PlaceLiteral>& clause : part.clauses) {
    unsigned any = 0;
    for (const PlaceLiteral literal : clause) any |= states[literal];
    all &= any;
  }
  return static_cast<LaneMask>(all);
}

}  // namespace capella::logic
