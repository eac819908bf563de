#include "report/scene_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/names.h"
#include "report/svg.h"

namespace capella::report {
namespace {

constexpr SvgFont kObjectFont{kMonospace, 15, kDark, "middle", true};
constexpr SvgFont kAttributeFont{kMonospace, 13, kDark, "middle", false};
constexpr SvgFont kRelationFont{kMonospace, 13, "#0b4f7d", "middle", false};
constexpr SvgStyle kObjectStyle{"#cfe3f5", "#0072b2", 1.5, ""};
constexpr SvgStyle kAttributeStyle{"#d9f0e3", "#009e73", 1, ""};
constexpr SvgStyle kStemStyle{"none", "#009e73", 1, ""};
constexpr SvgStyle kArrowStyle{"none", "#0072b2", 1.5, ""};
constexpr SvgStyle kHeadStyle{"#0072b2", "none", 1, ""};

constexpr double kTitleBaseline = 30;
constexpr double kTitleSpace = 46;  // from the picture's top to the highest arrow
constexpr double kLevel = 34;       // between arrows that lie above each other
constexpr double kPadding = 12;     // beside a text, within its box
constexpr double kObjectGap = 44;
constexpr double kObjectHeight = 30;
constexpr double kAttributeHeight = 24;
constexpr double kAttributeGap = 8;
constexpr double kHead = 6;  // of an arrow

struct Object {
  std::string name;
  std::vector<std::string> attributes;
  double left = 0;
  double width = 0;
  double middle() const { return left + width / 2; }
};

struct Relation {
  std::size_t subject;
  std::size_t object;
  std::string name;
  double from = 0;  // where on the objects the arrow starts and ends
  double to = 0;
  std::size_t level = 0;  // from 1 up, above the objects
};

double box_width(std::string_view text, const SvgFont& font) {
  return monospace_width(text, font.size) + 2 * kPadding;
}

// Where the caption has one of the object's words; words it does not have come last.
std::size_t first_place(const ParsedCaption& caption, const std::string& object) {
  const auto words = split_list(object, '/');
  std::size_t place = 0;
  for (const ParsedSentence& sentence : caption.sentences) {
    for (const ParsedWord& word : sentence) {
      if (std::ranges::find(words, word.lemma) != words.end()) return place;
      ++place;
    }
  }
  return place;
}

class Scene {
 public:
  explicit Scene(const ParsedCaption& caption) : title_(caption.text) {
    for (const auto& tuple : caption.tuples) {
      if (tuple.size() == 1) objects_.push_back({tuple[0], {}});
    }
    std::ranges::stable_sort(objects_, {}, [&](const Object& o) { return first_place(caption, o.name); });
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < objects_.size(); ++i) places[objects_[i].name] = i;
    for (const auto& tuple : caption.tuples) {
      if (tuple.size() == 2) objects_[places.at(tuple[0])].attributes.push_back(tuple[1]);
      if (tuple.size() == 3) relations_.push_back({places.at(tuple[0]), places.at(tuple[2]), tuple[1]});
    }
    lay_out_objects();
    lay_out_relations();
  }

  double width() const { return width_; }
  double height() const { return height_; }

  void paint(Svg& svg) const {
    svg.text({kMargin, kTitleBaseline}, title_, kTitleFont);
    if (objects_.empty()) svg.text({kMargin, kTitleSpace + kObjectHeight / 2}, "no objects", kNoteFont);
    for (const Relation& relation : relations_) paint_relation(svg, relation);
    for (const Object& object : objects_) paint_object(svg, object);
  }

 private:
  // Objects leave room for their attributes and for the names of relations with a neighbour.
  void lay_out_objects() {
    double left = kMargin;
    for (Object& object : objects_) {
      object.width = box_width(object.name, kObjectFont);
      for (const std::string& attribute : object.attributes)
        object.width = std::max(object.width, box_width(attribute, kAttributeFont));
    }
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      objects_[i].left = left;
      double gap = kObjectGap;
      for (const Relation& relation : relations_) {
        if (std::min(relation.subject, relation.object) != i || relation.subject == relation.object) continue;
        if (std::max(relation.subject, relation.object) != i + 1) continue;
        const double room = (objects_[i].width + objects_[i + 1].width) / 2;
        gap = std::max(gap, box_width(relation.name, kRelationFont) + 2 * kHead - room);
      }
      left += objects_[i].width + gap;
    }
    const double right = objects_.empty() ? 0 : objects_.back().left + objects_.back().width;
    width_ = std::max(right, kMargin + monospace_width(title_, kTitleFont.size)) + kMargin;
  }

  // Short arrows lie low; one that overlaps another lies above it.
  void lay_out_relations() {
    const auto span = [](const Relation& r) {
      return std::max(r.subject, r.object) - std::min(r.subject, r.object);
    };
    std::ranges::stable_sort(relations_, {}, span);
    for (std::size_t i = 0; i < relations_.size(); ++i) relations_[i].level = free_level(i);
    std::size_t highest = 0;
    for (const Relation& relation : relations_) highest = std::max(highest, relation.level);
    for (std::size_t i = 0; i < objects_.size(); ++i) spread_ends(i);
    top_ = kTitleSpace + static_cast<double>(highest) * kLevel;
    std::size_t most = 0;
    for (const Object& object : objects_) most = std::max(most, object.attributes.size());
    height_ = top_ + kObjectHeight + static_cast<double>(most) * (kAttributeHeight + kAttributeGap) + kMargin;
  }

  std::size_t free_level(std::size_t i) const {
    const auto low = [](const Relation& r) { return std::min(r.subject, r.object); };
    const auto high = [](const Relation& r) { return std::max(r.subject, r.object); };
    std::size_t level = 1;
    for (std::size_t other = 0; other < i; ++other) {
      const bool apart =
          high(relations_[other]) <= low(relations_[i]) || high(relations_[i]) <= low(relations_[other]);
      if (!apart || low(relations_[other]) == low(relations_[i]))
        level = std::max(level, relations_[other].level + 1);
    }
    return level;
  }

  // The arrows of an object start and end at places of their own: those from the left on the left.
  void spread_ends(std::size_t object) {
    struct End {
      double* place;
      double direction;
    };
    std::vector<End> ends;
    for (Relation& relation : relations_) {
      const auto way = static_cast<double>(relation.object) - static_cast<double>(relation.subject);
      const auto level = static_cast<double>(relation.level) / 100;
      if (relation.subject == object) ends.push_back({&relation.from, way > 0 ? 1 - level : -1 + level});
      if (relation.object == object) ends.push_back({&relation.to, way > 0 ? -1 + level : 1 - level});
    }
    std::ranges::stable_sort(ends, {}, &End::direction);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const double share = static_cast<double>(i + 1) / static_cast<double>(ends.size() + 1);
      *ends[i].place = objects_[object].left + objects_[object].width * share;
    }
  }

  void paint_object(Svg& svg, const Object& object) const {
    svg.rect({object.left, top_}, object.width, kObjectHeight, kObjectStyle, 6);
    svg.text({object.middle(), top_ + kObjectHeight / 2 + 5}, object.name, kObjectFont);
    double y = top_ + kObjectHeight;
    for (const std::string& attribute : object.attributes) {
      svg.line({object.middle(), y}, {object.middle(), y + kAttributeGap}, kStemStyle);
      y += kAttributeGap;
      const double width = box_width(attribute, kAttributeFont);
      svg.rect({object.middle() - width / 2, y}, width, kAttributeHeight, kAttributeStyle,
               kAttributeHeight / 2);
      svg.text({object.middle(), y + kAttributeHeight / 2 + 4}, attribute, kAttributeFont);
      y += kAttributeHeight;
    }
  }

  void paint_relation(Svg& svg, const Relation& relation) const {
    const double height = top_ - static_cast<double>(relation.level) * kLevel + 12;
    const double way = relation.to > relation.from ? 1 : -1;
    const double bend = std::min(16.0, std::abs(relation.to - relation.from) / 2);
    SvgPath path;
    path.move_to({relation.from, top_});
    path.curve_to({relation.from, height}, {relation.from, height}, {relation.from + way * bend, height});
    path.line_to({relation.to - way * bend, height});
    path.curve_to({relation.to, height}, {relation.to, height}, {relation.to, top_ - kHead});
    svg.path(path, kArrowStyle,
             fmt::format("{} - {} - {}", objects_[relation.subject].name, relation.name,
                         objects_[relation.object].name));
    SvgPath head;
    head.move_to({relation.to, top_}).line_to({relation.to - kHead / 2, top_ - kHead});
    head.line_to({relation.to + kHead / 2, top_ - kHead}).line_to({relation.to, top_});
    svg.path(head, kHeadStyle);
    const double middle = (relation.from + relation.to) / 2;
    const double width = monospace_width(relation.name, kRelationFont.size) + 8;
    svg.rect({middle - width / 2, height - 9}, width, 18, {"#ffffff"});
    svg.text({middle, height + 4}, relation.name, kRelationFont);
  }

  std::string title_;
  std::vector<Object> objects_;
  std::vector<Relation> relations_;
  double width_ = 0;
  double top_ = 0;  // of the objects
  double height_ = 0;
};

std::string describe(std::span<const ParsedCaption> captions) {
  std::vector<std::string> parts;
  for (const ParsedCaption& caption : captions) {
    std::vector<std::string> tuples;
    for (const auto& tuple : caption.tuples) tuples.push_back(fmt::format("{}", fmt::join(tuple, " - ")));
    parts.push_back(fmt::format("{}: {}", caption.text, fmt::join(tuples, "; ")));
  }
  return fmt::format("{}", fmt::join(parts, ". "));
}

}  // namespace

std::string draw_scenes(std::span<const ParsedCaption> captions) {
  Svg svg;
  double width = 2 * kMargin;
  double height = 0;
  for (const ParsedCaption& caption : captions) {
    const Scene scene(caption);
    svg.begin_group({0, height});
    scene.paint(svg);
    svg.end_group();
    width = std::max(width, scene.width());
    height += scene.height();
  }
  const std::string title =
      captions.size() == 1 ? captions[0].text : fmt::format("{} captions", captions.size());
  return svg.document(width, std::max(height, 2 * kMargin), title, describe(captions));
}

}  // namespace capella::report
