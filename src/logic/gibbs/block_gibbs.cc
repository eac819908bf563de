#include "logic/gibbs/block_gibbs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "logic/disjoint_sets.h"
#include "logic/gibbs/gibbs_sweeper.h"

namespace capella::logic {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Grows blocks: a variable joins if it has at most one neighbour in each tree of the block.
class Grower {
 public:
  Grower(const FactorGraph& graph, const FactorsOfVariables& incident)
      : graph_(graph), incident_(incident), block_(graph.variables(), kNone), trees_(graph.variables()) {}

  std::vector<TreeBlock> all() {
    std::vector<std::uint32_t> open(graph_.variables());
    std::iota(open.begin(), open.end(), 0u);
    std::vector<TreeBlock> blocks;
    while (!open.empty()) {
      const auto number = static_cast<std::uint32_t>(blocks.size());
      std::vector<std::uint32_t> members, left;
      for (const std::uint32_t v : open) (joins(v, number) ? members : left).push_back(v);
      blocks.push_back(rooted(members, number));
      open = std::move(left);
    }
    return blocks;
  }

 private:
  // The variables of the block that share a factor with v, each once.
  const std::vector<std::uint32_t>& neighbours(std::uint32_t v, std::uint32_t number) {
    found_.clear();
    for (const std::uint32_t factor : incident_[v]) {
      for (const Literal literal : graph_.factor(factor)) {
        if (literal.atom() != v && block_[literal.atom()] == number) found_.push_back(literal.atom());
      }
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return found_;
  }

  bool joins(std::uint32_t v, std::uint32_t number) {
    std::vector<std::uint32_t> roots;
    for (const std::uint32_t other : neighbours(v, number)) roots.push_back(trees_.root(other));
    std::sort(roots.begin(), roots.end());
    if (std::adjacent_find(roots.begin(), roots.end()) != roots.end()) return false;
    block_[v] = number;
    for (const std::uint32_t other : roots) trees_.join(v, other);
    return true;
  }

  // Parents before children.
  TreeBlock rooted(const std::vector<std::uint32_t>& members, std::uint32_t number) {
    TreeBlock block;
    std::vector<std::uint8_t> seen(graph_.variables(), 0);
    for (const std::uint32_t first : members) {
      if (seen[first]) continue;
      seen[first] = 1;
      block.push_back({first, TreeNode::kNoParent, {}, {}});
      for (auto at = static_cast<std::uint32_t>(block.size() - 1); at < block.size(); ++at) {
        for (const std::uint32_t other : neighbours(block[at].variable, number)) {
          if (seen[other]) continue;
          seen[other] = 1;
          block.push_back({other, at, {}, {}});
        }
      }
    }
    for (TreeNode& node : block) share_out(block, node, number);
    return block;
  }

  void share_out(const TreeBlock& block, TreeNode& node, std::uint32_t number) const {
    for (const std::uint32_t factor : incident_[node.variable]) {
      bool alone = true, with_parent = false;
      for (const Literal literal : graph_.factor(factor)) {
        if (literal.atom() == node.variable || block_[literal.atom()] != number) continue;
        alone = false;
        with_parent |= node.parent != kNone && block[node.parent].variable == literal.atom();
      }
      if (alone) node.alone.push_back(factor);
      if (with_parent) node.shared.push_back(factor);
    }
  }

  const FactorGraph& graph_;
  const FactorsOfVariables& incident_;
  std::vector<std::uint32_t> block_;  // of each variable
  DisjointSets trees_;
  std::vector<std::uint32_t> found_;
};

using Two = std::array<double, 2>;  // by the variable's value
using Four = std::array<Two, 2>;    // by the parent's, then the variable's

double log_add(double a, double b) {
  const double most = std::max(a, b);
  return std::isinf(most) ? most : most + std::log(std::exp(a - most) + std::exp(b - most));
}

// 1 / (1 + e^(b - a)), where not both are minus infinity.
double share(double a, double b) {
  return 1 / (1 + std::exp(b - a));
}

// Draws the blocks of one chain after the other.
class BlockSweeper final : public Sweeper {
 public:
  BlockSweeper(const GibbsModel& model, std::size_t group) : model_(model) {
    for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) {
      random_.emplace_back(place_seed(model.options.seed, Purpose::blocks, group, lane));
    }
  }

  void sweep(const LaneArrays& lanes, bool sum) override {
    for (const TreeBlock& block : model_.blocks) {
      for (std::size_t lane = 0; lane < kGibbsLanes; ++lane) draw(block, lanes, lane, sum);
    }
  }

 private:
  bool holds(const LaneMask* states, Literal literal, std::size_t lane) const {
    return (states[model_.graph.literal(literal)] >> lane) & 1u;
  }

  // Adds the factor's weight to the values that make it hold, if its literals outside do.
  void add_alone(std::uint32_t factor, std::uint32_t variable, const LaneMask* states, std::size_t lane,
                 Two& to) const {
    bool value = false;
    for (const Literal literal : model_.factors.factor(factor)) {
      if (literal.atom() == variable) value = literal.positive();
      if (literal.atom() != variable && !holds(states, literal, lane)) return;
    }
    to[value] += model_.factors.weights[factor];
  }

  void add_shared(std::uint32_t factor, std::uint32_t variable, std::uint32_t parent, const LaneMask* states,
                  std::size_t lane, Four& to) const {
    bool value = false, above = false;
    for (const Literal literal : model_.factors.factor(factor)) {
      if (literal.atom() == variable) {
        value = literal.positive();
      } else if (literal.atom() == parent) {
        above = literal.positive();
      } else if (!holds(states, literal, lane)) {
        return;
      }
    }
    to[above][value] += model_.factors.weights[factor];
  }

  void draw(const TreeBlock& block, const LaneArrays& lanes, std::size_t lane, bool sum) {
    weights_.assign(block.size(), Four{});
    for (std::size_t k = block.size(); k-- > 0;) gather(block, k, lanes.states, lane);
    for (std::size_t k = 0; k < block.size(); ++k) {
      const TreeNode& node = block[k];
      const bool above = node.parent != kNone && drawn_[node.parent];
      const double p = share(weights_[k][above][1], weights_[k][above][0]);
      drawn_.resize(std::max(drawn_.size(), k + 1));
      drawn_[k] = random_[lane].uniform() < p;
      const std::size_t place = model_.graph.places[node.variable];
      set_lane(lanes.states, place, lane, drawn_[k] != 0);
      if (sum) lanes.sums[place * kGibbsLanes + lane] += static_cast<float>(p) * kProbabilityUnit;
    }
  }

  // The log weights of node k's values and its children's messages, for each value of its parent; and its
  // message to the parent. Children have added theirs, to both.
  void gather(const TreeBlock& block, std::size_t k, const LaneMask* states, std::size_t lane) {
    const TreeNode& node = block[k];
    Two own = {0, model_.factors.log_odds[node.variable]};
    for (const std::uint32_t factor : node.alone) add_alone(factor, node.variable, states, lane, own);
    for (Two& row : weights_[k]) row = {row[0] + own[0], row[1] + own[1]};
    if (node.parent == kNone) return;
    for (const std::uint32_t factor : node.shared) {
      add_shared(factor, node.variable, block[node.parent].variable, states, lane, weights_[k]);
    }
    for (const std::size_t above : {0, 1}) {
      const double message = log_add(weights_[k][above][0], weights_[k][above][1]);
      for (Two& row : weights_[node.parent]) row[above] += message;
    }
  }

  const GibbsModel& model_;
  std::vector<ScalarRandom> random_;  // of each lane
  std::vector<Four> weights_;
  std::vector<std::uint8_t> drawn_;
};

}  // namespace

std::vector<TreeBlock> tree_blocks(const FactorGraph& graph, const FactorsOfVariables& incident) {
  return Grower(graph, incident).all();
}

std::unique_ptr<Sweeper> make_block_sweeper(const GibbsModel& model, std::size_t group) {
  return std::make_unique<BlockSweeper>(model, group);
}

}  // namespace capella::logic
