#include "world/errors.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace capella::world {
namespace {

std::vector<Mention*> mentions_of(Plan& plan) {
  std::vector<Mention*> found;
  for (Clause& clause : plan.clauses) {
    found.push_back(&clause.subject);
    if (clause.object) found.push_back(&*clause.object);
    for (Clause::Tail& tail : clause.tails) found.push_back(&tail.object);
  }
  return found;
}

template <class Value>
Value another(Value value, std::size_t count, Draw& draw) {
  const std::size_t step = 1 + draw.below(count - 1);
  return static_cast<Value>((static_cast<std::size_t>(value) + step) % count);
}

Plan change_attribute(Plan plan, Draw& draw) {
  std::vector<std::function<void()>> changes;
  for (Mention* mention : mentions_of(plan)) {
    if (mention->colour)
      changes.push_back([mention, &draw] { mention->colour = another(*mention->colour, kColours, draw); });
    if (mention->size)
      changes.push_back(
          [mention] { mention->size = *mention->size == Size::small ? Size::large : Size::small; });
    if (mention->pattern) {
      changes.push_back([mention] {
        mention->pattern = *mention->pattern == Pattern::striped ? Pattern::spotted : Pattern::striped;
      });
    }
    for (Mention::Worn& worn : mention->worn) {
      if (worn.colour)
        changes.push_back([&worn, &draw] { worn.colour = another(*worn.colour, kColours, draw); });
    }
  }
  draw.pick(changes)();
  return plan;
}

// Whether it would be true of the groups that the two classes name.
bool would_be_true(const Scene& scene, Class subject, Predicate predicate, Class object) {
  const int a = group_of(scene, subject);
  const int b = group_of(scene, object);
  return scene.holds({a, predicate, b}) ||
         holds(predicate, scene.groups[static_cast<std::size_t>(a)].extent(),
               scene.groups[static_cast<std::size_t>(b)].extent());
}

// Predicates that would be wrong here. A passive needs one that has a passive.
std::vector<Predicate> wrong_predicates(const Scene& scene, Class subject, Predicate right, Class object,
                                        bool passive) {
  std::vector<Predicate> wrong;
  for (const Predicate rival : rivals(right)) {
    const bool sayable = !passive || !info(rival).wordings[0].passive.empty();
    if (rival != right && sayable && !would_be_true(scene, subject, rival, object)) wrong.push_back(rival);
  }
  return wrong;
}

// The main clause's relation; a passive that has no passive rival is told actively.
Plan change_relation(Plan plan, const Scene& scene, Draw& draw) {
  struct Place {
    Predicate* predicate;
    std::size_t* wording;
    std::vector<Predicate> wrong;
  };
  std::vector<Place> places;
  for (Clause& clause : plan.clauses) {
    const bool passive = clause.voice == Clause::Voice::passive;
    places.push_back(
        {&*clause.predicate, &clause.wording,
         wrong_predicates(scene, clause.subject.id, *clause.predicate, clause.object->id, passive)});
    for (Clause::Tail& tail : clause.tails) {
      places.push_back({&tail.predicate, &tail.wording,
                        wrong_predicates(scene, clause.subject.id, tail.predicate, tail.object.id, false)});
    }
  }
  std::erase_if(places, [](const Place& place) { return place.wrong.empty(); });
  const Place& place = draw.pick(places);
  *place.predicate = draw.pick(place.wrong);
  *place.wording = 0;
  return plan;
}

// Leaves out one thing: at the end of a clause with its relation; at its beginning so that the rest is named.
Plan drop_object(Plan plan, Draw& draw) {
  std::vector<std::function<void()>> drops;
  for (Clause& clause : plan.clauses) {
    drops.push_back([&clause] { clause.object.reset(); });
    if (clause.tails.empty()) {
      drops.push_back([&clause] {
        clause.subject = *clause.object;
        clause.object.reset();
      });
    }
    for (std::size_t i = 0; i < clause.tails.size(); ++i)
      drops.push_back(
          [&clause, i] { clause.tails.erase(clause.tails.begin() + static_cast<std::ptrdiff_t>(i)); });
  }
  draw.pick(drops)();
  return plan;
}

std::vector<Class> absent_classes(const Scene& scene, const std::function<bool(const ClassInfo&)>& wanted) {
  std::vector<Class> found;
  for (std::size_t i = 0; i < kClasses; ++i) {
    const ClassInfo& about = info(static_cast<Class>(i));
    if (about.kind != Kind::clothing && !scene.has(about.id) && wanted(about)) found.push_back(about.id);
  }
  return found;
}

Plan add_object(Plan plan, const Scene& scene, Draw& draw) {
  constexpr std::array<Predicate, 3> kPlaces = {Predicate::next_to, Predicate::behind,
                                                Predicate::in_front_of};
  constexpr std::array<std::string_view, 2> kLinks = {"and", "with"};
  const std::vector<Class> absent = absent_classes(scene, [](const ClassInfo&) { return true; });
  Mention mention;
  mention.id = draw.pick(absent);
  if (info(mention.id).palette != 0 && draw.chance(.5)) {
    while (!mention.colour || !(info(mention.id).palette >> static_cast<unsigned>(*mention.colour) & 1))
      mention.colour = static_cast<Colour>(draw.below(kColours));
  }
  Clause::Tail tail{draw.pick(kPlaces), 0, mention, ""};
  if (draw.chance(.4)) tail.link = draw.pick(kLinks);
  plan.clauses.back().tails.push_back(tail);
  return plan;
}

std::string shuffled(const std::string& text, Draw& draw) {
  const std::vector<std::string> words = words_of(text);
  std::vector<std::string> mixed = words;
  while (mixed == words) draw.shuffle(mixed);
  std::string out;
  for (const std::string& word : mixed) out += (out.empty() ? "" : " ") + word;
  return out;
}

// Two classes that share a word (man and woman are both "person") do not make a foil.
bool share_word(const ClassInfo& a, const ClassInfo& b) {
  for (std::size_t i = 0; i < a.noun_count(); ++i) {
    for (std::size_t j = 0; j < b.noun_count(); ++j) {
      if (a.nouns[i].singular == b.nouns[j].singular) return true;
    }
  }
  return false;
}

}  // namespace

Caption with_error(ErrorKind kind, const Plan& plan, const Scene& scene, const Plan& other, Draw& draw) {
  Caption caption{plan, "", true};
  switch (kind) {
    case ErrorKind::wrong_attribute:
      caption.plan = change_attribute(plan, draw);
      break;
    case ErrorKind::wrong_relation:
      caption.plan = change_relation(plan, scene, draw);
      break;
    case ErrorKind::missing_object:
      caption.plan = drop_object(plan, draw);
      break;
    case ErrorKind::hallucinated_object:
      caption.plan = add_object(plan, scene, draw);
      break;
    case ErrorKind::unrelated:
      caption.plan = other;
      break;
    case ErrorKind::shuffled:
      caption.readable = false;
      break;
  }
  caption.text = write_caption(caption.plan);
  if (kind == ErrorKind::shuffled) caption.text = shuffled(caption.text, draw);
  return caption;
}

std::optional<Foil> make_foil(const Plan& plan, const Scene& scene, Draw& draw) {
  Foil foil{plan, "", ""};
  std::vector<Mention*> mentions = mentions_of(foil.plan);
  draw.shuffle(mentions);
  for (Mention* mention : mentions) {
    const ClassInfo& right = info(mention->id);
    const std::vector<Class> others = absent_classes(
        scene, [&](const ClassInfo& about) { return about.kind == right.kind && !share_word(about, right); });
    if (others.empty()) continue;
    const bool plural = mention->count > 1;
    const auto word = [&](const Mention& of) {
      const Noun& noun = info(of.id).nouns[of.noun];
      return std::string(plural ? noun.plural : noun.singular);
    };
    foil.target_word = word(*mention);
    mention->id = draw.pick(others);
    mention->noun = 0;
    foil.foil_word = word(*mention);
    return foil;
  }
  return std::nullopt;
}

}  // namespace capella::world
