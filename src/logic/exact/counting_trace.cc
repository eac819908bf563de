#include "logic/exact/counting_trace.h"

#include <cmath>
#include <utility>

#include "logic/exact/counting_circuit.h"

namespace capella::logic {

CountingTrace::Node CountingCircuit::describe(Node node, bool cut) const {
  const Entry& entry = nodes_[node];
  CountingTrace::Node told;
  told.log_z = values_[node];
  told.log_weight = entry.log_weight;
  told.cut = cut;
  switch (entry.kind) {
    case Kind::choice:
      told.kind = CountingTrace::Kind::choice;
      told.variables = {entry.variable};
      break;
    case Kind::leaf:
      told.kind = CountingTrace::Kind::leaf;
      for (std::size_t k = 0; k < entry.variables; ++k) told.variables.push_back(numbers_[entry.start + k]);
      break;
    case Kind::product:
      for (std::size_t k = 0; k < entry.decided; ++k) {
        const std::uint32_t code = numbers_[entry.start + k];
        told.variables.push_back(code / 2);
        told.values.push_back(code % 2 == 0);
      }
  }
  return told;
}

CountingTrace CountingCircuit::trace(std::size_t depth) {
  CountingTrace trace;
  if (std::isinf(log_z())) return trace;
  std::vector<std::size_t> places(nodes_.size(), 0);  // in the trace, from 1
  std::vector<std::pair<Node, std::size_t>> shown;    // and their depth
  const auto place_of = [&](Node node, std::size_t below) {
    if (places[node] == 0) {
      const bool cut = nodes_[node].kind == Kind::choice && below == depth;
      trace.nodes.push_back(describe(node, cut));
      shown.emplace_back(node, below);
      places[node] = shown.size();
    } else {
      ++trace.nodes[places[node] - 1].uses;
    }
    return places[node] - 1;
  };
  place_of(root_, 0);
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const Entry& entry = nodes_[shown[at].first];
    if (entry.kind == Kind::leaf || trace.nodes[at].cut) continue;
    const std::size_t below = shown[at].second + (entry.kind == Kind::choice ? 1 : 0);
    for (const Node child : children(entry)) {
      if (child == kImpossible || std::isinf(values_[child])) continue;
      const std::size_t place = place_of(child, below);
      trace.nodes[at].children.push_back(place);
    }
  }
  return trace;
}

}  // namespace capella::logic
