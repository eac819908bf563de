// The words of the world and what they stand for: classes of things with their synonyms, colours and sizes,
// predicates with their English forms, and settings. All tables are fixed; a world's seed never changes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace capella::world {

/// Classes of one kind can stand in for each other in a foil.
enum class Kind : std::uint8_t {
  person,
  animal,
  vehicle,
  furniture,
  plant,
  building,
  toy,
  thing,
  food,
  clothing
};

enum class Class : std::uint8_t {
  man,
  woman,
  boy,
  girl,
  dog,
  cat,
  horse,
  bird,
  cow,
  sheep,
  duck,
  car,
  bus,
  truck,
  bike,
  boat,
  cart,
  bench,
  chair,
  table,
  couch,
  box,
  tree,
  bush,
  flower,
  house,
  tower,
  ball,
  kite,
  balloon,
  umbrella,
  book,
  cup,
  bag,
  apple,
  banana,
  cake,
  hat,
  shirt
};
inline constexpr std::size_t kClasses = 39;

enum class Colour : std::uint8_t {
  red,
  blue,
  green,
  yellow,
  black,
  white,
  brown,
  orange,
  purple,
  gray,
  pink
};
inline constexpr std::size_t kColours = 11;
enum class Size : std::uint8_t { medium, small, large };
inline constexpr std::size_t kSizes = 3;
enum class Pattern : std::uint8_t { plain, striped, spotted };
inline constexpr std::size_t kPatterns = 3;
enum class Setting : std::uint8_t { park, street, beach, room };
inline constexpr std::size_t kSettings = 4;

enum class Predicate : std::uint8_t {
  // what someone does
  ride,
  sit_on,
  stand_on,
  hold,
  wear,
  eat,
  chase,
  play_with,
  fly,
  walk,
  kick,
  push,
  // where something is
  on,
  in,
  under,
  next_to,
  above,
  below,
  behind,
  in_front_of,
  left_of,
  right_of
};
inline constexpr std::size_t kPredicates = 22;

struct Noun {
  std::string_view singular;
  std::string_view plural;
};

struct ClassInfo {
  Class id;
  Kind kind;
  std::array<Noun, 3> nouns;  ///< the first is the label; unused ones are empty
  std::uint16_t palette;      ///< bit c: colour c occurs; 0: its colour is never told
  bool sized;                 ///< may be small or large
  bool patterned;             ///< may be striped or spotted
  double width;               ///< of a medium one, the picture being 1 x 1
  double height;

  std::size_t noun_count() const { return nouns[1].singular.empty() ? 1 : nouns[2].singular.empty() ? 2 : 3; }
};

/// One way to say a predicate. Those that tell where something is have no passive.
struct Wording {
  std::string_view third;    ///< "a dog ... a ball"
  std::string_view plural;   ///< "two dogs ... a ball"
  std::string_view gerund;   ///< "a dog ... a ball", also after is and are
  std::string_view passive;  ///< "a ball is being ... a dog"; empty: none
};

struct PredicateInfo {
  Predicate id;
  std::string_view label;  ///< the lemma, as in triplets
  bool action;
  std::array<Wording, 4> wordings;  ///< the first is the plainest; unused ones are empty
  std::string_view concept_name;    ///< the label of an image that is about it

  std::size_t wording_count() const;
};

struct SettingInfo {
  Setting id;
  std::string_view label;
  std::string_view predicate;               ///< "in" a park, "at" a beach
  std::array<std::string_view, 3> phrases;  ///< "in a park"
};

const ClassInfo& info(Class id);
const PredicateInfo& info(Predicate id);
const SettingInfo& info(Setting id);
std::string_view name(Class id);  ///< its label
std::string_view name(Colour id);
std::string_view name(Size id);     ///< empty for medium
std::string_view name(Pattern id);  ///< empty for plain
std::string_view name(Kind id);

/// The colours that things of the class have; none if their colour is never told.
std::vector<Colour> palette_of(Class id);

/// How sizes are said; the first is the name.
std::span<const std::string_view> size_words(Size size);

/// The predicate that holds from object to subject whenever this one holds from subject to object, if any.
std::optional<Predicate> inverse(Predicate id);

/// Whether everything of the one class is of the other, too: a duck is a bird.
bool is_a(Class special, Class general);

/// Whether a picture of the one shows the other, too: who eats an apple holds it. Not of a predicate itself.
bool entails(Predicate id, Predicate other);

/// Predicates that can be said of the pair instead and would be wrong (if the pair's boxes do not make them
/// true); may hold the predicate itself.
std::span<const Predicate> rivals(Predicate id);

inline constexpr std::array<std::string_view, 11> kConcepts = {"Sit",  "Eat", "Stand", "Walk", "Play", "Fly",
                                                               "Ride", "On",  "In",    "Hold", "Other"};

}  // namespace capella::world
