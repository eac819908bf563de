// The components that a counting search works on: open variables, and the factors that still say something of
// them (no literal is false, one at least is open). Together they say all about a component, so they are its
// key in the cache. Components are a stack; the parts of one are found from its own lists alone, so the cost
// falls with its size and all lists stay in ascending order without sorting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logic/disjoint_sets.h"
#include "logic/exact/counting_state.h"

namespace capella::logic {

class CountingComponents {
 public:
  /// Where a component is in the stack.
  struct Place {
    std::size_t begin = 0, end = 0;
  };

  /// The state must outlive this.
  explicit CountingComponents(const CountingState& state);

  /// Puts all variables and factors on the stack.
  Place add_all();
  /// Puts what is open of a component on the stack, part by part in the order of their first variables, and
  /// their places at the end of `parts`.
  void split(Place component, std::vector<Place>& parts);
  void drop_from(std::size_t begin) { stack_.resize(begin); }

  /// These are valid until the stack grows.
  std::span<const std::uint32_t> key(Place place) const {
    return std::span(stack_).subspan(place.begin, place.end - place.begin);
  }
  std::span<const std::uint32_t> variables(Place place) const {
    return key(place).subspan(1, stack_[place.begin]);
  }
  std::span<const std::uint32_t> factors(Place place) const {
    return key(place).subspan(1 + stack_[place.begin]);
  }

  std::size_t listed() const { return stack_.size(); }
  std::size_t steps() const { return steps_; }  ///< looks at variables and literals so far

 private:
  struct Part {
    std::uint32_t variables = 0, factors = 0;
    std::size_t next_variable = 0, next_factor = 0;  // where they go
  };

  void join_variables(Place component);
  void number_parts();
  void lay_out(std::vector<Place>& parts);

  const CountingState& state_;
  std::vector<std::uint32_t> stack_;  // of each: how many variables, the variables, the factors
  std::size_t steps_ = 0;
  // While a component is split:
  DisjointSets sets_;                               // of variables
  std::vector<std::uint32_t> numbers_;              // of parts, at their roots
  std::vector<std::uint32_t> open_, kept_, homes_;  // variables, factors, and one variable of each factor
  std::vector<Part> parts_;
};

}  // namespace capella::logic
