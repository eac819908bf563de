// The tree of weighted counting, for people to look at.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pipeline/logic_run.h"

namespace capella::pipeline {
namespace {

constexpr std::size_t kMostNodes = 2'000;  // of a tree to be looked at
constexpr std::size_t kMostNames = 6;      // in a node

// Turns the search's graph, in which equal components are one node, into a tree with names.
class TreeMaker {
 public:
  TreeMaker(const logic::CountingTrace& trace, const logic::GroundNetwork& ground)
      : trace_(trace), ground_(ground), shown_(trace.nodes.size(), false) {}

  std::vector<CountingNode> make() {
    if (!trace_.nodes.empty()) add(0, "");
    return std::move(tree_);
  }

 private:
  std::size_t add(std::size_t traced, std::string branch) {
    const logic::CountingTrace::Node& node = trace_.nodes[traced];
    const std::size_t place = tree_.size();
    const bool again = shown_[traced] && !node.children.empty();
    const bool full = tree_.size() >= kMostNodes;
    shown_[traced] = true;
    tree_.push_back({kind_of(node),
                     label_of(node),
                     std::move(branch),
                     node.log_z,
                     again,
                     node.cut || (full && !again && !node.children.empty()),
                     {}});
    if (again || full) return place;
    for (const std::size_t child : node.children) {
      const std::size_t below = add(child, branch_to(node, trace_.nodes[child]));
      tree_[place].children.push_back(below);
    }
    return place;
  }

  static std::string kind_of(const logic::CountingTrace::Node& node) {
    using Kind = logic::CountingTrace::Kind;
    return node.kind == Kind::choice ? "choice" : node.kind == Kind::leaf ? "leaf" : "product";
  }

  // What a choice's child decides first is the choice's own variable.
  static std::string branch_to(const logic::CountingTrace::Node& parent,
                               const logic::CountingTrace::Node& child) {
    if (parent.kind != logic::CountingTrace::Kind::choice || child.values.empty()) return "";
    return child.values[0] ? "true" : "false";
  }

  std::string label_of(const logic::CountingTrace::Node& node) const {
    if (node.variables.empty()) return "independent parts";
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < std::min(node.variables.size(), kMostNames); ++k) {
      const bool negated = k < node.values.size() && !node.values[k];
      parts.push_back((negated ? "!" : "") + ground_.name(node.variables[k]));
    }
    const std::size_t more = node.variables.size() - parts.size();
    return fmt::format("{}{}", fmt::join(parts, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  }

  const logic::CountingTrace& trace_;
  const logic::GroundNetwork& ground_;
  std::vector<bool> shown_;
  std::vector<CountingNode> tree_;
};

}  // namespace

std::vector<CountingNode> counting_tree(const logic::CountingTrace& trace,
                                        const logic::GroundNetwork& ground) {
  return TreeMaker(trace, ground).make();
}

}  // namespace capella::pipeline
