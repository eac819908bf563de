// Greedy elimination of a graph of any size: the node of least fill first. The fill of every node is changed
// by what an elimination changes, never counted anew, so that a hub with very many neighbours costs no more
// than its edges. Where even that is too much, nodes of least degree come first from there on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

namespace capella::logic {

/// By node: its neighbours, ascending. Both ends of an edge have each other.
using Neighbours = std::vector<std::vector<std::uint32_t>>;

/// The most neighbours that the poorest node of any part of the graph has. No elimination order has a smaller
/// width, since a minor has at most the width of its graph. Takes time by the number of edges.
std::size_t degeneracy(const Neighbours& neighbours);

class LeastFill {
 public:
  static constexpr std::size_t kMostSteps = 50'000'000;  ///< a second or so

  /// `most_steps`: looks at neighbours, after which degrees decide instead of fills.
  explicit LeastFill(Neighbours neighbours, std::size_t most_steps = kMostSteps);

  /// Degrees decide instead of fills.
  bool by_degree() const { return by_degree_; }
  /// Ten times as many steps were too few: give up.
  bool exhausted() const { return steps_ > 10 * most_steps_; }

  /// The open node of least fill, the first of equals.
  std::uint32_t next();
  std::size_t degree(std::uint32_t node) const { return degrees_[node]; }
  /// Joins the node's open neighbours and takes it out. They are valid until the next call.
  std::span<const std::uint32_t> eliminate(std::uint32_t node);

 private:
  struct Candidate {
    std::int64_t fill;
    std::uint32_t node;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  double steps_to_begin() const;
  void go_by_degree();
  bool joined(std::uint32_t a, std::uint32_t b) const;
  std::int64_t common(std::uint32_t a, std::uint32_t b, bool less_fill);
  std::int64_t count_fill(std::uint32_t node);
  void add_edge(std::uint32_t a, std::uint32_t b);
  void changed(std::uint32_t node);

  Neighbours neighbours_;  // closed ones stay listed
  std::size_t most_steps_, steps_ = 0;
  bool by_degree_ = false;
  std::vector<std::uint32_t> degrees_;  // open neighbours
  std::vector<std::int64_t> fills_;     // or degrees
  std::vector<char> open_;
  std::vector<std::uint32_t> around_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

}  // namespace capella::logic
