#include "world/errors.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "world/usual.h"
#include "world/wrong.h"

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

// Another colour that things of the class have; all palettes have several.
Colour another_colour(Class id, Colour right, Draw& draw) {
  std::vector<Colour> others;
  for (const Colour colour : palette_of(id)) {
    if (colour != right) others.push_back(colour);
  }
  return draw.pick(others);
}

Plan change_attribute(Plan plan, Draw& draw) {
  std::vector<std::function<void()>> changes;
  for (Mention* mention : mentions_of(plan)) {
    if (mention->colour)
      changes.push_back(
          [mention, &draw] { mention->colour = another_colour(mention->id, *mention->colour, draw); });
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
        changes.push_back([&worn, &draw] { worn.colour = another_colour(worn.id, *worn.colour, draw); });
    }
  }
  draw.pick(changes)();
  return plan;
}

// A relation that a plan tells, and what could be told instead.
struct Told {
  Predicate* predicate;
  std::size_t* wording;
  Choices<Predicate> wrong;
};

std::vector<Told> relations_of(Plan& plan, const Scene& scene) {
  std::vector<Told> found;
  const auto add = [&](Predicate& predicate, std::size_t& wording, Class subject, Class object,
                       bool passive) {
    found.push_back(
        {&predicate, &wording,
         wrong_predicates(scene, group_of(scene, subject), predicate, group_of(scene, object), passive)});
  };
  for (Clause& clause : plan.clauses) {
    const Class subject = clause.subject.id;
    add(clause.predicate, clause.wording, subject, clause.object->id, clause.voice == Clause::Voice::passive);
    for (Clause::Tail& tail : clause.tails) add(tail.predicate, tail.wording, subject, tail.object.id, false);
  }
  return found;
}

// One of those with a usual mistake, if there are any.
Plan change_relation(Plan plan, const Scene& scene, Draw& draw) {
  std::vector<Told> all = relations_of(plan, scene);
  const auto is_usual = [](const Told& told) { return told.wrong.usual; };
  if (std::any_of(all.begin(), all.end(), is_usual)) std::erase_if(all, std::not_fn(is_usual));
  const Told& told = draw.pick(all);
  *told.predicate = told.wrong.pick(draw);
  *told.wording = 0;
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

// A thing and its place, of those that are seen with the subject in such settings; else anything.
Clause::Tail absent_thing(Class subject, const Scene& scene, Draw& draw) {
  constexpr std::array<Predicate, 5> kPlaces = {Predicate::next_to, Predicate::behind, Predicate::in_front_of,
                                                Predicate::left_of, Predicate::right_of};
  Choices<std::pair<Class, Predicate>> usual, any;
  for (const Class id : absent_classes(scene, [](const ClassInfo&) { return true; })) {
    for (const Predicate place : kPlaces) {
      any.add({id, place}, 1);
      const double times = Usual::counts().times(subject, place, id);
      if (times > 0 && Usual::counts().occurs(id, scene.setting)) usual.add({id, place}, times);
    }
  }
  const auto [id, place] = (usual.empty() ? any : usual).pick(draw);
  Mention mention;
  mention.id = id;
  return {place, 0, mention, "", false};
}

Plan add_object(Plan plan, const Scene& scene, Draw& draw) {
  constexpr std::array<std::string_view, 2> kLinks = {"and", "with"};
  Clause::Tail tail = absent_thing(plan.clauses.back().subject.id, scene, draw);
  const std::vector<Colour> palette = palette_of(tail.object.id);
  if (!palette.empty() && draw.chance(.5)) tail.object.colour = draw.pick(palette);
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

// Whether the word is one for the class: man and woman are both "person".
bool can_be_called(const ClassInfo& about, std::string_view word) {
  for (std::size_t i = 0; i < about.noun_count(); ++i) {
    if (about.nouns[i].singular == word || about.nouns[i].plural == word) return true;
  }
  return false;
}

std::string_view word_of(const Mention& mention) {
  const Noun& noun = info(mention.id).nouns[mention.noun];
  return mention.count > 1 ? noun.plural : noun.singular;
}

// How usual it is to say of the class what the plan says of the mention: 0 if its attributes, its relations
// or the setting do not go with it.
double fit(const Plan& plan, const Mention& mention, Class id, Setting setting) {
  const ClassInfo& about = info(id);
  const std::vector<Colour> palette = palette_of(id);
  if (mention.colour && std::find(palette.begin(), palette.end(), *mention.colour) == palette.end()) return 0;
  if ((mention.size && !about.sized) || (mention.pattern && !about.patterned)) return 0;
  if (!Usual::counts().occurs(id, setting)) return 0;
  double least = 1e9;
  const auto look = [&](const Mention& subject, Predicate predicate, const Mention& object) {
    if (&subject != &mention && &object != &mention) return;
    least = std::min(least, Usual::counts().times(&subject == &mention ? id : subject.id, predicate,
                                                  &object == &mention ? id : object.id));
  };
  for (const Clause& clause : plan.clauses) {
    look(clause.subject, clause.predicate, *clause.object);
    for (const Clause::Tail& tail : clause.tails) look(clause.subject, tail.predicate, tail.object);
  }
  return least;
}

// Classes of the same kind that the scene does not have; the usual ones if there are any.
Choices<Class> foils_for(const Plan& plan, const Mention& mention, const Scene& scene) {
  Choices<Class> usual, any;
  usual.usual = true;
  for (const Class id : absent_classes(scene, [&](const ClassInfo& about) {
         return about.kind == info(mention.id).kind && !can_be_called(about, word_of(mention));
       })) {
    any.add(id, 1);
    const double times = fit(plan, mention, id, scene.setting);
    if (times > 0) usual.add(id, times);
  }
  return usual.empty() ? any : usual;
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
  for (const bool usual : {true, false}) {
    for (Mention* mention : mentions) {
      const Choices<Class> others = foils_for(foil.plan, *mention, scene);
      if (others.empty() || (usual && !others.usual)) continue;
      foil.target_word = word_of(*mention);
      mention->id = others.pick(draw);
      mention->noun = 0;
      foil.foil_word = word_of(*mention);
      return foil;
    }
  }
  return std::nullopt;
}

bool has_usual_mistake(const Plan& plan, const Scene& scene) {
  Plan copy = plan;
  const std::vector<Told> all = relations_of(copy, scene);
  return std::any_of(all.begin(), all.end(), [](const Told& told) { return told.wrong.usual; });
}

}  // namespace capella::world
