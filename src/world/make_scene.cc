// Draws a scene from the grammar.
#include <algorithm>

#include "world/draw.h"
#include "world/grammar.h"
#include "world/layout.h"
#include "world/scene.h"

namespace capella::world {
namespace {

// The scene as it grows: clusters that are not yet placed, and the events among them, whose groups are
// counted within their cluster.
struct Draft {
  Setting setting;
  std::vector<Cluster> clusters;
  struct Event {
    std::size_t cluster, subject, object;
    Predicate predicate;
  };
  std::vector<Event> events;

  bool has(Class id) const {
    return std::any_of(clusters.begin(), clusters.end(), [id](const Cluster& cluster) {
      return std::any_of(cluster.groups.begin(), cluster.groups.end(),
                         [id](const Group& group) { return group.id == id; });
    });
  }
};

std::size_t index(Setting setting) {
  return static_cast<std::size_t>(setting);
}

Group draw_group(Class id, bool may_vary_in_size, Draw& draw) {
  Group group;
  group.id = id;
  const ClassInfo& about = info(id);
  if (about.palette != 0) {
    group.colour = draw.pick(palette_of(id));
    group.coloured = true;
  }
  if (about.sized && may_vary_in_size) group.size = static_cast<Size>(draw.weighted(kSizeWeights));
  if (about.patterned) group.pattern = static_cast<Pattern>(draw.weighted(kPatternWeights));
  return group;
}

// Sizes are left alone where things must fit into each other.
bool sizes_vary(Predicate predicate) {
  switch (predicate) {
    case Predicate::in:
    case Predicate::under:
    case Predicate::on:
    case Predicate::sit_on:
    case Predicate::stand_on:
      return false;
    default:
      return true;
  }
}

// Everybody wears a shirt, some a hat.
void dress(Cluster& cluster, std::size_t number, bool rides, Draft& draft, Draw& draw) {
  const Group person = cluster.groups[0];
  if (info(person.id).kind != Kind::person) return;
  for (const Class id : {Class::shirt, Class::hat}) {
    if (id == Class::hat && !draw.chance(rides ? kHatOfRider : kHat)) continue;
    Group worn = draw_group(id, false, draw);
    worn.attached = true;
    worn.mirrored = person.mirrored;
    worn.depth = person.depth + .001;
    for (const Box& box : person.boxes)
      worn.boxes.push_back(id == Class::hat ? hat_box(box, person.pose) : shirt_box(box, person.pose));
    if (id == Class::shirt) cluster.groups[0].colour = worn.colour;
    draft.events.push_back({number, 0, cluster.groups.size(), Predicate::wear});
    cluster.groups.push_back(std::move(worn));
  }
}

// Adds an event if its classes are new to the scene.
bool add_event(Draft& draft, Draw& draw) {
  std::vector<double> weights;
  for (const EventRule& rule : event_rules()) weights.push_back(rule.weights[index(draft.setting)]);
  const EventRule& rule = event_rules()[draw.weighted(weights)];
  const Class agent = draw.pick(rule.agents);
  const Class theme = draw.pick(rule.themes);
  std::size_t agents = std::min(draw.weighted(kCountWeights) + 1, rule.most);
  if (draft.has(agent) || draft.has(theme)) return false;
  const bool vary = sizes_vary(rule.predicate);
  Cluster cluster;
  cluster.groups = {draw_group(agent, vary && rule.predicate != Predicate::eat, draw),
                    draw_group(theme, vary, draw)};
  cluster.groups[0].head = true;
  const std::size_t number = draft.clusters.size();
  place_event(cluster, rule.predicate, agents, rule.sharing == Sharing::each ? agents : 1, draw);
  draft.events.push_back({number, 0, 1, rule.predicate});
  dress(cluster, number, rule.predicate == Predicate::ride, draft, draw);
  draft.clusters.push_back(std::move(cluster));
  return true;
}

// Draws until the classes are new; every setting has events enough.
void add_second_event(Draft& draft, Draw& draw) {
  constexpr int kTries = 50;
  for (int i = 0; i < kTries && !add_event(draft, draw); ++i) {
  }
}

void add_extra(Draft& draft, Draw& draw) {
  std::vector<double> weights;
  for (const ExtraRule& rule : extra_rules())
    weights.push_back(draft.has(rule.id) ? 0 : rule.weights[index(draft.setting)]);
  const ExtraRule& rule = extra_rules()[draw.weighted(weights)];
  const std::size_t count = std::min(draw.weighted(kCountWeights) + 1, rule.most);
  Cluster cluster;
  cluster.behind = draw.chance(rule.behind);
  cluster.groups = {draw_group(rule.id, true, draw)};
  cluster.groups[0].head = true;
  place_row(cluster, count, draw);
  draft.clusters.push_back(std::move(cluster));
}

// Groups were moved in another order than they were made in; finds them again.
int find_group(const Scene& scene, std::size_t cluster, std::size_t place) {
  for (std::size_t i = 0; i < scene.groups.size(); ++i) {
    if (scene.groups[i].cluster == static_cast<int>(cluster)) return static_cast<int>(i + place);
  }
  return -1;
}

// Does, wears, is: events that people tell first stand in front.
void add_events(const Draft& draft, Scene& scene) {
  for (const bool worn : {false, true}) {
    for (const Draft::Event& event : draft.events) {
      if ((event.predicate == Predicate::wear) != worn) continue;
      const int first = find_group(scene, event.cluster, 0);
      scene.relations.push_back(
          {first + static_cast<int>(event.subject), event.predicate, first + static_cast<int>(event.object)});
    }
    if (!worn) scene.events = scene.relations.size();
  }
}

}  // namespace

Scene make_scene(std::uint64_t seed, std::uint64_t image) {
  Draw draw(seed, Stream::scene, image);
  Draft draft;
  draft.setting = static_cast<Setting>(draw.weighted(kSettingWeights));
  add_event(draft, draw);  // nothing is there yet to clash with
  if (draw.chance(kSecondEvent)) add_second_event(draft, draw);
  for (std::size_t left = draw.weighted(kExtraWeights); left > 0; --left) add_extra(draft, draw);
  Scene scene;
  scene.setting = draft.setting;
  arrange(draft.clusters, scene, draw);
  add_events(draft, scene);
  add_places(scene);
  return scene;
}

}  // namespace capella::world
