// The search tree of weighted counting: as a picture, for Graphviz, and as JSON.
#include <algorithm>

#include <fmt/format.h>

#include "report/json_value.h"
#include "report/logic_pictures.h"
#include "report/svg.h"

namespace capella::report {
namespace {

constexpr SvgFont kLabelFont{kMonospace, 13, kDark, "middle", true};
constexpr SvgFont kNumberFont{kMonospace, 11, kDark, "middle", false};
constexpr SvgFont kBranchFont{"sans-serif", 12, "#0b4f7d", "middle", false};

constexpr double kLevel = 92;  // from one row of nodes to the next
constexpr double kHeight = 38;
constexpr double kTreeGap = 16;

bool branches(const CountingNode& node) {
  return node.kind == "choice";
}

std::string label_text(const CountingNode& node) {
  return node.kind == "leaf" ? fmt::format("{{{}}}", node.label) : node.label;
}

std::string number_text(const CountingNode& node) {
  return fmt::format("log Z {:.4g}{}{}", node.log_z, node.cached ? ", counted before" : "",
                     node.cut ? ", more below" : "");
}

class TreePicture {
 public:
  explicit TreePicture(std::span<const CountingNode> tree)
      : tree_(tree), middle_(tree.size(), 0), width_(tree.size(), 0), depth_(tree.size(), 0) {
    if (!tree.empty()) right_ = std::max(right_, place(0, kMargin, 0));
  }

  std::string draw() {
    constexpr std::string_view kTitle = "Weighted counting: case distinctions and independent parts";
    constexpr std::string_view kNote =
        "each node with the logarithm of the weighted count of what is below it";
    svg_.text({kMargin, 28}, kTitle, kTitleFont);
    svg_.text({kMargin, 47}, kNote, kSmallNoteFont);
    for (std::size_t node = 0; node < tree_.size(); ++node) draw_edges(node);
    for (std::size_t node = 0; node < tree_.size(); ++node) draw_node(node);
    const double height = kBelowTitle + static_cast<double>(deepest_) * kLevel + kHeight + kMargin;
    const double width = std::max(right_, kMargin + monospace_width(kTitle, kTitleFont.size)) + kMargin;
    return svg_.document(width, height, kTitle, fmt::format("A tree of {} nodes.", tree_.size()));
  }

 private:
  // Gives the node and all below it places from `left` on; returns where they end. Trees are as deep as was
  // asked for, so that the calls are not many.
  double place(std::size_t node, double left, std::size_t depth) {
    depth_[node] = depth;
    deepest_ = std::max(deepest_, depth);
    const double wide = std::max(monospace_width(label_text(tree_[node]), kLabelFont.size),
                                 monospace_width(number_text(tree_[node]), kNumberFont.size));
    width_[node] = wide + 16;
    double end = left;
    for (const std::size_t child : tree_[node].children) {
      end = place(child, end, depth + 1) + kTreeGap;
    }
    if (tree_[node].children.empty()) {
      middle_[node] = left + width_[node] / 2;
      return left + width_[node];
    }
    middle_[node] = (middle_[tree_[node].children.front()] + middle_[tree_[node].children.back()]) / 2;
    end -= kTreeGap;
    if (const double missing = left + width_[node] / 2 - middle_[node]; missing > 0) {
      shift(node, missing);
      end += missing;
    }
    return std::max(end, middle_[node] + width_[node] / 2);
  }

  void shift(std::size_t node, double by) {
    middle_[node] += by;
    for (const std::size_t child : tree_[node].children) shift(child, by);
  }

  double top(std::size_t node) const { return kBelowTitle + static_cast<double>(depth_[node]) * kLevel; }

  void draw_edges(std::size_t node) {
    for (const std::size_t child : tree_[node].children) {
      const SvgPoint from{middle_[node], top(node) + kHeight};
      const SvgPoint to{middle_[child], top(child)};
      svg_.line(from, to, {"none", "#767676", 1.2});
      if (tree_[child].branch.empty()) continue;
      const SvgPoint at{(from.x + 2 * to.x) / 3, (from.y + 2 * to.y) / 3};
      const double width = monospace_width(tree_[child].branch, kBranchFont.size) + 4;
      svg_.rect({at.x - width / 2, at.y - 9}, width, 14, {"#ffffff"});
      svg_.text({at.x, at.y + 3}, tree_[child].branch, kBranchFont);
    }
  }

  void draw_node(std::size_t node) {
    const CountingNode& shown = tree_[node];
    const std::string_view fill = branches(shown) ? "#cfe3f5" : shown.kind == "leaf" ? "#eeeeee" : "#ffffff";
    svg_.rect({middle_[node] - width_[node] / 2, top(node)}, width_[node], kHeight,
              {fill, branches(shown) ? "#0072b2" : "#767676", 1.3, shown.cached ? "5 3" : ""},
              branches(shown) ? 16 : 3);
    svg_.text({middle_[node], top(node) + 16}, label_text(shown), kLabelFont);
    svg_.text({middle_[node], top(node) + 31}, number_text(shown), kNumberFont);
  }

  std::span<const CountingNode> tree_;
  Svg svg_;
  std::vector<double> middle_, width_;
  std::vector<std::size_t> depth_;
  std::size_t deepest_ = 0;
  double right_ = 2 * kMargin;
};

// Text between quotes, as Graphviz reads it.
std::string dot_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

Json json_node(std::span<const CountingNode> tree, std::size_t place) {
  const CountingNode& node = tree[place];
  Json json = {{"kind", node.kind}, {"label", node.label}};
  if (!node.branch.empty()) json["branch"] = node.branch;
  json["log_z"] = json_number(node.log_z);
  if (node.cached) json["cached"] = true;
  if (node.cut) json["cut"] = true;
  for (const std::size_t child : node.children) json["children"].push_back(json_node(tree, child));
  return json;
}

}  // namespace

std::string draw_counting_tree(std::span<const CountingNode> tree) {
  return TreePicture(tree).draw();
}

std::string counting_tree_dot(std::span<const CountingNode> tree) {
  std::string out = "digraph counting {\n  node [fontname=\"monospace\"];\n";
  for (std::size_t place = 0; place < tree.size(); ++place) {
    const CountingNode& node = tree[place];
    out += fmt::format("  n{} [label=\"{}\\n{}\", shape={}{}];\n", place, dot_text(label_text(node)),
                       number_text(node), branches(node) ? "ellipse" : "box",
                       node.cached ? ", style=dashed" : "");
    for (const std::size_t child : node.children)
      out += fmt::format("  n{} -> n{} [label=\"{}\"];\n", place, child, dot_text(tree[child].branch));
  }
  return out + "}\n";
}

std::string counting_tree_json(std::span<const CountingNode> tree) {
  return dump(tree.empty() ? Json::object() : json_node(tree, 0), 2) + '\n';
}

}  // namespace capella::report
