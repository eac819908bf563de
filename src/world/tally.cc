#include "world/tally.h"

#include <algorithm>

#include "world/facts.h"
#include "world/usual.h"

namespace capella::world {
namespace {

constexpr std::size_t kClaims = kTriplets + kClasses * kColours;

std::uint32_t colour_claim(Class id, Colour colour) {
  return static_cast<std::uint32_t>(kTriplets + static_cast<std::size_t>(id) * kColours +
                                    static_cast<std::size_t>(colour));
}

std::uint32_t relation_claim(Class subject, Predicate predicate, Class object) {
  return static_cast<std::uint32_t>(triplet_number(subject, predicate, object));
}

Class class_at(const Scene& scene, int group) {
  return scene.groups[static_cast<std::size_t>(group)].id;
}

Noted::Claims true_claims(const Scene& scene) {
  Noted::Claims claims;
  for (const Relation& relation : scene.relations)
    claims.push_back(relation_claim(class_at(scene, relation.subject), relation.predicate,
                                    class_at(scene, relation.object)));
  for (const Group& group : scene.groups) {
    if (group.coloured) claims.push_back(colour_claim(group.id, group.colour));
  }
  return claims;
}

Noted::Claims wrong_claims(const Plan& plan, const Scene& scene) {
  Noted::Claims claims;
  for (const Fact& fact : facts_of(plan)) {
    if (is_true(fact, scene)) continue;
    if (fact.kind == Fact::Kind::relation)
      claims.push_back(relation_claim(fact.subject, fact.predicate, fact.object));
    if (fact.kind != Fact::Kind::attribute) continue;
    for (std::size_t c = 0; c < kColours; ++c) {
      if (name(static_cast<Colour>(c)) == fact.value)
        claims.push_back(colour_claim(fact.subject, static_cast<Colour>(c)));
    }
  }
  std::sort(claims.begin(), claims.end());
  return claims;
}

bool wears_hat(const Scene& scene, int person) {
  return std::any_of(scene.relations.begin(), scene.relations.end(), [&](const Relation& relation) {
    return relation.subject == person && relation.predicate == Predicate::wear &&
           class_at(scene, relation.object) == Class::hat;
  });
}

void count_events(Counts& counts, const Scene& scene) {
  for (std::size_t i = 0; i < scene.events; ++i) {
    const Relation& event = scene.relations[i];
    ++counts.agents[scene.groups[static_cast<std::size_t>(event.subject)].count() - 1];
    if (info(class_at(scene, event.subject)).kind != Kind::person) continue;
    (event.predicate == Predicate::ride ? counts.hat_of_riders : counts.hat_of_others)
        .count(wears_hat(scene, event.subject));
  }
  std::size_t clusters = 0;
  for (const Group& group : scene.groups) clusters += group.head ? 1 : 0;
  ++counts.extras[clusters - scene.events];
  counts.second_event.count(scene.events > 1);
}

Counts counts_of(const Story& story) {
  const Scene& scene = story.scene;
  Counts counts;
  ++counts.settings[static_cast<std::size_t>(scene.setting)];
  count_events(counts, scene);
  for (const Group& group : scene.groups) {
    if (info(group.id).sized) ++counts.sizes[static_cast<std::size_t>(group.size)];
    if (info(group.id).patterned) ++counts.patterns[static_cast<std::size_t>(group.pattern)];
  }
  counts.close = {scene.neighbours, scene.close};
  for (std::size_t kind = 0; kind < kErrorNames.size(); ++kind) {
    for (std::size_t rate = 0; rate < kErrorRates.size(); ++rate)
      counts.errors[kind][rate] = &story.caption(kind, kErrorRates[rate]) != &story.system ? 1 : 0;
  }
  count_rules(scene, counts.rules);
  return counts;
}

template <std::size_t N>
void add_all(std::array<std::size_t, N>& sum, const std::array<std::size_t, N>& more) {
  for (std::size_t i = 0; i < N; ++i) sum[i] += more[i];
}

void add_share(Share& sum, const Share& more) {
  sum.all += more.all;
  sum.hits += more.hits;
}

}  // namespace

void Counts::add(const Counts& more) {
  add_all(settings, more.settings);
  add_all(agents, more.agents);
  add_all(extras, more.extras);
  add_all(sizes, more.sizes);
  add_all(patterns, more.patterns);
  add_share(second_event, more.second_event);
  add_share(hat_of_riders, more.hat_of_riders);
  add_share(hat_of_others, more.hat_of_others);
  add_share(close, more.close);
  for (std::size_t kind = 0; kind < errors.size(); ++kind) add_all(errors[kind], more.errors[kind]);
  for (std::size_t i = 0; i < kRules; ++i) {
    rules[i].body += more.rules[i].body;
    rules[i].both += more.rules[i].both;
  }
}

Noted note(const Story& story) {
  const auto wrong = [&](ErrorKind kind) {
    return wrong_claims(story.errors[static_cast<std::size_t>(kind)].plan, story.scene);
  };
  return {counts_of(story),
          true_claims(story.scene),
          {wrong(ErrorKind::wrong_attribute), wrong(ErrorKind::wrong_relation),
           wrong(ErrorKind::hallucinated_object),
           story.foil ? wrong_claims(story.foil->plan, story.scene) : Noted::Claims{}}};
}

Tally::Tally() : true_(kClaims) {}

void Tally::add(const Noted& noted) {
  counts_.add(noted.counts);
  for (const std::uint32_t claim : noted.true_claims) true_[claim] = true;
  for (std::size_t kind = 0; kind < noted.wrong_claims.size(); ++kind)
    ++wrong_[{kind, noted.wrong_claims[kind]}];
}

Share Tally::told_by_text(std::size_t kind) const {
  Share share;
  for (const auto& [key, count] : wrong_) {
    if (key.first != kind) continue;
    share.all += count;
    const bool known =
        std::all_of(key.second.begin(), key.second.end(), [&](std::uint32_t claim) { return true_[claim]; });
    if (!known) share.hits += count;
  }
  return share;
}

}  // namespace capella::world
