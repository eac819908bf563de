#include "world/vocabulary.h"

namespace capella::world {
namespace {

using enum Class;
using enum Predicate;

constexpr std::uint16_t bit(Colour colour) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(colour));
}
constexpr std::uint16_t kBright = bit(Colour::red) | bit(Colour::blue) | bit(Colour::green) |
                                  bit(Colour::yellow) | bit(Colour::orange) | bit(Colour::purple) |
                                  bit(Colour::pink);
constexpr std::uint16_t kFur =
    bit(Colour::brown) | bit(Colour::black) | bit(Colour::white) | bit(Colour::gray);
constexpr std::uint16_t kPaint = bit(Colour::red) | bit(Colour::blue) | bit(Colour::green) |
                                 bit(Colour::yellow) | bit(Colour::white) | bit(Colour::black);
constexpr std::uint16_t kWood =
    bit(Colour::brown) | bit(Colour::white) | bit(Colour::green) | bit(Colour::blue);

constexpr std::array<ClassInfo, kClasses> kClassTable = {{
    {man, Kind::person, {{{"man", "men"}, {"guy", "guys"}, {"person", "people"}}}, 0, false, false, .15, .42},
    {woman,
     Kind::person,
     {{{"woman", "women"}, {"lady", "ladies"}, {"person", "people"}}},
     0,
     false,
     false,
     .15,
     .40},
    {boy,
     Kind::person,
     {{{"boy", "boys"}, {"kid", "kids"}, {"child", "children"}}},
     0,
     false,
     false,
     .12,
     .31},
    {girl,
     Kind::person,
     {{{"girl", "girls"}, {"kid", "kids"}, {"child", "children"}}},
     0,
     false,
     false,
     .12,
     .31},
    {dog, Kind::animal, {{{"dog", "dogs"}, {"puppy", "puppies"}, {}}}, kFur, true, false, .21, .17},
    {cat,
     Kind::animal,
     {{{"cat", "cats"}, {"kitty", "kitties"}, {}}},
     kFur | bit(Colour::orange),
     true,
     false,
     .17,
     .16},
    {horse, Kind::animal, {{{"horse", "horses"}, {"pony", "ponies"}, {}}}, kFur, false, false, .32, .29},
    {bird, Kind::animal, {{{"bird", "birds"}, {}, {}}}, kPaint, true, false, .10, .09},
    {cow, Kind::animal, {{{"cow", "cows"}, {}, {}}}, kFur, false, false, .30, .23},
    {sheep,
     Kind::animal,
     {{{"sheep", "sheep"}, {}, {}}},
     bit(Colour::white) | bit(Colour::black),
     true,
     false,
     .21,
     .17},
    {duck,
     Kind::animal,
     {{{"duck", "ducks"}, {}, {}}},
     bit(Colour::yellow) | bit(Colour::white) | bit(Colour::brown),
     true,
     false,
     .12,
     .11},
    {car,
     Kind::vehicle,
     {{{"car", "cars"}, {"automobile", "automobiles"}, {}}},
     kPaint,
     true,
     false,
     .32,
     .15},
    {bus, Kind::vehicle, {{{"bus", "buses"}, {}, {}}}, kPaint, false, true, .42, .23},
    {truck, Kind::vehicle, {{{"truck", "trucks"}, {"lorry", "lorries"}, {}}}, kPaint, true, false, .36, .21},
    {bike,
     Kind::vehicle,
     {{{"bike", "bikes"}, {"bicycle", "bicycles"}, {}}},
     kPaint | kBright,
     false,
     false,
     .27,
     .18},
    {boat, Kind::vehicle, {{{"boat", "boats"}, {}, {}}}, kPaint, false, true, .38, .15},
    {cart, Kind::vehicle, {{{"cart", "carts"}, {"wagon", "wagons"}, {}}}, kPaint, false, false, .21, .18},
    {bench, Kind::furniture, {{{"bench", "benches"}, {}, {}}}, kWood, false, false, .32, .18},
    {chair, Kind::furniture, {{{"chair", "chairs"}, {}, {}}}, kBright | kWood, true, false, .16, .25},
    {table, Kind::furniture, {{{"table", "tables"}, {}, {}}}, kWood, true, false, .32, .19},
    {couch,
     Kind::furniture,
     {{{"couch", "couches"}, {"sofa", "sofas"}, {}}},
     kBright | kFur,
     false,
     true,
     .38,
     .20},
    {box,
     Kind::furniture,
     {{{"box", "boxes"}, {"crate", "crates"}, {}}},
     kBright | bit(Colour::brown),
     true,
     true,
     .21,
     .16},
    {tree, Kind::plant, {{{"tree", "trees"}, {}, {}}}, 0, true, false, .24, .50},
    {bush, Kind::plant, {{{"bush", "bushes"}, {"shrub", "shrubs"}, {}}}, 0, true, false, .21, .15},
    {flower,
     Kind::plant,
     {{{"flower", "flowers"}, {}, {}}},
     kBright | bit(Colour::white),
     true,
     false,
     .09,
     .17},
    {house,
     Kind::building,
     {{{"house", "houses"}, {"home", "homes"}, {}}},
     kPaint | bit(Colour::brown),
     true,
     false,
     .38,
     .38},
    {tower, Kind::building, {{{"tower", "towers"}, {}, {}}}, kFur | bit(Colour::red), false, true, .16, .52},
    {ball, Kind::toy, {{{"ball", "balls"}, {}, {}}}, kBright, true, true, .10, .10},
    {kite, Kind::toy, {{{"kite", "kites"}, {}, {}}}, kBright, true, true, .16, .18},
    {balloon, Kind::toy, {{{"balloon", "balloons"}, {}, {}}}, kBright, true, true, .10, .19},
    {umbrella,
     Kind::thing,
     {{{"umbrella", "umbrellas"}, {"parasol", "parasols"}, {}}},
     kBright | bit(Colour::black),
     false,
     true,
     .25,
     .24},
    {book, Kind::thing, {{{"book", "books"}, {}, {}}}, kPaint, true, false, .11, .08},
    {cup,
     Kind::thing,
     {{{"cup", "cups"}, {"mug", "mugs"}, {}}},
     kBright | bit(Colour::white),
     true,
     true,
     .08,
     .08},
    {bag, Kind::thing, {{{"bag", "bags"}, {"purse", "purses"}, {}}}, kBright | kFur, true, true, .12, .14},
    {apple,
     Kind::food,
     {{{"apple", "apples"}, {}, {}}},
     bit(Colour::red) | bit(Colour::green) | bit(Colour::yellow),
     true,
     false,
     .075,
     .08},
    {banana,
     Kind::food,
     {{{"banana", "bananas"}, {}, {}}},
     bit(Colour::yellow) | bit(Colour::green),
     false,
     false,
     .11,
     .07},
    {cake,
     Kind::food,
     {{{"cake", "cakes"}, {}, {}}},
     bit(Colour::pink) | bit(Colour::brown) | bit(Colour::white),
     true,
     false,
     .12,
     .10},
    {hat, Kind::clothing, {{{"hat", "hats"}, {"cap", "caps"}, {}}}, kBright | kFur, false, true, .12, .07},
    {shirt,
     Kind::clothing,
     {{{"shirt", "shirts"}, {"top", "tops"}, {}}},
     kBright | bit(Colour::white) | bit(Colour::black),
     false,
     false,
     .09,
     .14},
}};

constexpr std::array<PredicateInfo, kPredicates> kPredicateTable = {{
    {ride, "ride", true, {{{"rides", "ride", "riding", "ridden by"}}}, "Ride"},
    {sit_on,
     "sit on",
     true,
     {{{"sits on", "sit on", "sitting on", ""}, {"sits on top of", "sit on top of", "seated on", ""}}},
     "Sit"},
    {stand_on,
     "stand on",
     true,
     {{{"stands on", "stand on", "standing on", ""},
       {"stands on top of", "stand on top of", "standing on top of", ""}}},
     "Stand"},
    {hold,
     "hold",
     true,
     {{{"holds", "hold", "holding", "held by"}, {"carries", "carry", "carrying", "carried by"}}},
     "Hold"},
    {wear, "wear", true, {{{"wears", "wear", "wearing", "worn by"}}}, "Other"},
    {eat,
     "eat",
     true,
     {{{"eats", "eat", "eating", "eaten by"}, {"bites", "bite", "biting into", ""}}},
     "Eat"},
    {chase,
     "chase",
     true,
     {{{"chases", "chase", "chasing", "chased by"}, {"runs after", "run after", "running after", ""}}},
     "Other"},
    {play_with, "play with", true, {{{"plays with", "play with", "playing with", ""}}}, "Play"},
    {fly, "fly", true, {{{"flies", "fly", "flying", "flown by"}}}, "Fly"},
    {walk, "walk", true, {{{"walks", "walk", "walking", "walked by"}}}, "Walk"},
    {kick, "kick", true, {{{"kicks", "kick", "kicking", "kicked by"}}}, "Play"},
    {push, "push", true, {{{"pushes", "push", "pushing", "pushed by"}}}, "Other"},
    {on,
     "on",
     false,
     {{{"is on", "are on", "on", ""}, {"is on top of", "are on top of", "on top of", ""}}},
     "On"},
    {in, "in", false, {{{"is in", "are in", "in", ""}, {"is inside", "are inside", "inside", ""}}}, "In"},
    {under,
     "under",
     false,
     {{{"is under", "are under", "under", ""}, {"is underneath", "are underneath", "underneath", ""}}},
     "Other"},
    {next_to,
     "next to",
     false,
     {{{"is next to", "are next to", "next to", ""},
       {"is near", "are near", "near", ""},
       {"is beside", "are beside", "beside", ""},
       {"is by", "are by", "by", ""}}},
     "Other"},
    {above,
     "above",
     false,
     {{{"is above", "are above", "above", ""}, {"is over", "are over", "over", ""}}},
     "Other"},
    {below,
     "below",
     false,
     {{{"is below", "are below", "below", ""}, {"is beneath", "are beneath", "beneath", ""}}},
     "Other"},
    {behind, "behind", false, {{{"is behind", "are behind", "behind", ""}}}, "Other"},
    {in_front_of,
     "in front of",
     false,
     {{{"is in front of", "are in front of", "in front of", ""}}},
     "Other"},
    {left_of,
     "left of",
     false,
     {{{"is to the left of", "are to the left of", "to the left of", ""},
       {"is left of", "are left of", "left of", ""}}},
     "Other"},
    {right_of,
     "right of",
     false,
     {{{"is to the right of", "are to the right of", "to the right of", ""},
       {"is right of", "are right of", "right of", ""}}},
     "Other"},
}};

constexpr std::array<SettingInfo, kSettings> kSettingTable = {{
    {Setting::park, "park", "in", {"in a park", "in the park", "in a grassy park"}},
    {Setting::street, "street", "on", {"on a street", "on the street", "in the street"}},
    {Setting::beach, "beach", "on", {"on a beach", "on the beach", "at the beach"}},
    {Setting::room, "room", "in", {"in a room", "inside a room", "in the room"}},
}};

constexpr std::array<std::string_view, kColours> kColourNames = {
    "red", "blue", "green", "yellow", "black", "white", "brown", "orange", "purple", "gray", "pink"};
constexpr std::array<std::string_view, 1> kMediumWords = {""};
constexpr std::array<std::string_view, 3> kSmallWords = {"small", "little", "tiny"};
constexpr std::array<std::string_view, 3> kLargeWords = {"large", "big", "huge"};

// Who does one of these to a thing does none of the others to it.
constexpr std::array<Predicate, 4> kAtHand = {hold, kick, push, wear};
constexpr std::array<Predicate, 4> kWithToy = {eat, chase, push, kick};
constexpr std::array<Predicate, 4> kOnAnother = {push, under, behind, chase};
constexpr std::array<Predicate, 3> kWithAnimal = {ride, chase, push};
constexpr std::array<Predicate, 3> kNotOn = {under, below, in};
constexpr std::array<Predicate, 3> kNotIn = {under, above, on};
constexpr std::array<Predicate, 3> kNotUnder = {on, above, in};
constexpr std::array<Predicate, 4> kNotNextTo = {on, in, above, under};
constexpr std::array<Predicate, 3> kNotAbove = {below, in, under};
constexpr std::array<Predicate, 3> kNotBelow = {above, on, in};
constexpr std::array<Predicate, 3> kNotBehind = {in_front_of, on, above};
constexpr std::array<Predicate, 3> kNotInFront = {behind, on, above};
constexpr std::array<Predicate, 3> kNotLeft = {right_of, on, above};
constexpr std::array<Predicate, 3> kNotRight = {left_of, on, above};

constexpr std::array<std::string_view, 10> kKindNames = {
    "person", "animal", "vehicle", "furniture", "plant", "building", "toy", "thing", "food", "clothing"};

}  // namespace

std::size_t PredicateInfo::wording_count() const {
  std::size_t count = 0;
  while (count < wordings.size() && !wordings[count].gerund.empty()) ++count;
  return count;
}

const ClassInfo& info(Class id) {
  return kClassTable[static_cast<std::size_t>(id)];
}
const PredicateInfo& info(Predicate id) {
  return kPredicateTable[static_cast<std::size_t>(id)];
}
const SettingInfo& info(Setting id) {
  return kSettingTable[static_cast<std::size_t>(id)];
}
std::string_view name(Class id) {
  return info(id).nouns[0].singular;
}
std::string_view name(Colour id) {
  return kColourNames[static_cast<std::size_t>(id)];
}
std::string_view name(Size id) {
  return size_words(id)[0];
}
std::string_view name(Kind id) {
  return kKindNames[static_cast<std::size_t>(id)];
}

std::string_view name(Pattern id) {
  return id == Pattern::striped ? "striped" : id == Pattern::spotted ? "spotted" : "";
}

std::vector<Colour> palette_of(Class id) {
  std::vector<Colour> colours;
  for (std::size_t c = 0; c < kColours; ++c) {
    if (info(id).palette >> c & 1) colours.push_back(static_cast<Colour>(c));
  }
  return colours;
}

std::span<const std::string_view> size_words(Size size) {
  if (size == Size::small) return kSmallWords;
  if (size == Size::large) return kLargeWords;
  return kMediumWords;
}

std::optional<Predicate> inverse(Predicate id) {
  switch (id) {
    case next_to:
      return next_to;
    case above:
      return below;
    case below:
      return above;
    case behind:
      return in_front_of;
    case in_front_of:
      return behind;
    case left_of:
      return right_of;
    case right_of:
      return left_of;
    default:
      return std::nullopt;
  }
}

bool is_a(Class special, Class general) {
  return special == general || (special == duck && general == bird);
}

bool entails(Predicate id, Predicate other) {
  switch (id) {
    case ride:
      return other == sit_on || other == on || other == above;
    case sit_on:
    case stand_on:
      return other == on || other == above;
    case on:
      return other == above;
    case under:
      return other == below;
    case eat:
    case fly:
      return other == hold;
    case kick:
    case chase:
      return other == play_with;
    default:
      return false;
  }
}

std::span<const Predicate> rivals(Predicate id) {
  switch (id) {
    case ride:
    case sit_on:
    case stand_on:
      return kOnAnother;
    case hold:
    case wear:
    case push:
    case kick:
      return kAtHand;
    case eat:
    case chase:
    case play_with:
    case fly:
      return kWithToy;
    case walk:
      return kWithAnimal;
    case on:
      return kNotOn;
    case in:
      return kNotIn;
    case under:
      return kNotUnder;
    case next_to:
      return kNotNextTo;
    case above:
      return kNotAbove;
    case below:
      return kNotBelow;
    case behind:
      return kNotBehind;
    case in_front_of:
      return kNotInFront;
    case left_of:
      return kNotLeft;
    default:
      return kNotRight;
  }
}

}  // namespace capella::world
