// Captions: a plan says what is told and in which words, and is written down as English. Errors are made in
// the plan, so that a wrong caption differs from the right one by the error alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "world/draw.h"
#include "world/scene.h"

namespace capella::world {

/// A noun phrase: "two small red dogs", "the man in a blue shirt".
struct Mention {
  Class id = Class::man;
  std::size_t count = 1;
  std::size_t noun = 0;  ///< which synonym
  bool numbered = true;  ///< plural: with a number ("two dogs") or without ("dogs")
  std::optional<Colour> colour;
  std::optional<Size> size;
  std::size_t size_word = 0;
  std::optional<Pattern> pattern;

  /// What people wear, as part of the phrase.
  struct Worn {
    Class id;
    std::size_t noun;
    std::optional<Colour> colour;
    std::optional<Pattern> pattern;
    std::string_view link;  ///< in, wearing, with
  };
  std::vector<Worn> worn;
};

/// A sentence's core: someone does something, or is somewhere.
struct Clause {
  enum class Voice : std::uint8_t { gerund, progressive, present, existential, passive };
  Voice voice = Voice::gerund;
  Mention subject;
  Predicate predicate = Predicate::on;
  std::size_t wording = 0;
  std::optional<Mention> object;  ///< none: the clause only names its subject

  /// Where the subject is, besides: "... next to a tree".
  struct Tail {
    Predicate predicate;
    std::size_t wording;
    Mention object;
    std::string_view link;  ///< said instead of the predicate ("with", "and"); usually empty
    bool joined = false;    ///< with "and" before it, since it is not true of the object before it
  };
  std::vector<Tail> tails;
};

struct Plan {
  std::vector<Clause> clauses;  ///< one or two
  bool while_ = false;          ///< the two are joined by "while" instead of "and"
  std::optional<Setting> setting;
  std::size_t setting_phrase = 0;
  bool setting_first = false;
};

/// How much is told.
enum class Detail : std::uint8_t { brief, normal, rich };

/// What to tell of the scene, in words drawn at random.
Plan make_plan(const Scene& scene, Detail detail, Draw& draw);

/// A plan that tells enough for every kind of error: an attribute, a relation, two things.
Plan make_system_plan(const Scene& scene, Draw& draw);

/// The plan as a lower-case sentence without a full stop.
std::string write_caption(const Plan& plan);

/// "a cat" -> "A cat."
std::string as_sentence(const std::string& caption);

/// Karpathy's tokens: the words, without punctuation.
std::vector<std::string> words_of(const std::string& caption);

/// The group that a mention of this class speaks of; -1 if the scene has none.
int group_of(const Scene& scene, Class id);

}  // namespace capella::world
