#include "logic/exact/counting_components.h"

#include <algorithm>

namespace capella::logic {

CountingComponents::CountingComponents(const CountingState& state)
    : state_(state), sets_(state.graph().variables()), numbers_(state.graph().variables()) {}

CountingComponents::Place CountingComponents::add_all() {
  const std::size_t begin = stack_.size();
  const auto variables = static_cast<std::uint32_t>(state_.graph().variables());
  const auto factors = static_cast<std::uint32_t>(state_.graph().factors());
  stack_.push_back(variables);
  for (std::uint32_t v = 0; v < variables; ++v) stack_.push_back(v);
  for (std::uint32_t k = 0; k < factors; ++k) stack_.push_back(k);
  return {begin, stack_.size()};
}

void CountingComponents::split(Place component, std::vector<Place>& parts) {
  join_variables(component);
  number_parts();
  lay_out(parts);
  for (const std::uint32_t v : open_) stack_[parts_[numbers_[sets_.settled_root(v)]].next_variable++] = v;
  for (std::size_t k = 0; k < kept_.size(); ++k)
    stack_[parts_[numbers_[sets_.settled_root(homes_[k])]].next_factor++] = kept_[k];
}

void CountingComponents::join_variables(Place component) {
  open_.clear();
  kept_.clear();
  homes_.clear();
  for (const std::uint32_t v : variables(component)) {
    if (!state_.open(v)) continue;
    sets_.isolate(v);
    open_.push_back(v);
  }
  steps_ += variables(component).size() + factors(component).size();
  for (const std::uint32_t factor : factors(component)) {
    if (!state_.live(factor) || state_.open_literals(factor) == 0) continue;
    const auto literals = state_.graph().factor(factor);
    steps_ += literals.size();
    std::size_t at = 0;
    while (!state_.open(literals[at].atom())) ++at;
    kept_.push_back(factor);
    homes_.push_back(literals[at].atom());
    std::uint32_t root = sets_.root(literals[at].atom());
    for (++at; at < literals.size(); ++at)
      if (state_.open(literals[at].atom())) root = sets_.join(root, literals[at].atom());
  }
}

void CountingComponents::number_parts() {
  parts_.clear();
  for (const std::uint32_t v : open_) {
    sets_.settle(v);
    if (sets_.settled_root(v) == v) {
      numbers_[v] = static_cast<std::uint32_t>(parts_.size());
      parts_.emplace_back();
    }
    ++parts_[numbers_[sets_.settled_root(v)]].variables;
  }
  for (const std::uint32_t v : homes_) ++parts_[numbers_[sets_.settled_root(v)]].factors;
}

void CountingComponents::lay_out(std::vector<Place>& parts) {
  std::size_t end = stack_.size();
  for (Part& part : parts_) {
    const std::size_t begin = end;
    part.next_variable = begin + 1;
    part.next_factor = part.next_variable + part.variables;
    end = part.next_factor + part.factors;
    parts.push_back({begin, end});
  }
  stack_.resize(end);
  for (const Part& part : parts_) stack_[part.next_variable - 1] = part.variables;
}

}  // namespace capella::logic
