#include "world/grammar.h"

namespace capella::world {
namespace {

using enum Class;
using enum Predicate;

constexpr Class kPeople[] = {man, woman, boy, girl};
constexpr Class kPets[] = {dog, cat};
constexpr Class kFarm[] = {horse, cow, sheep};
constexpr Class kDog[] = {dog};
constexpr Class kCat[] = {cat};
constexpr Class kBirds[] = {bird, duck};
constexpr Class kRidden[] = {bike, horse};
constexpr Class kBike[] = {bike};
constexpr Class kBench[] = {bench};
constexpr Class kSeats[] = {chair, couch};
constexpr Class kHorse[] = {horse};
constexpr Class kBeachStands[] = {box, chair};
constexpr Class kChair[] = {chair};
constexpr Class kStands[] = {box, bench};
constexpr Class kIndoorStands[] = {table, box, couch, chair};
constexpr Class kSteps[] = {box, couch, chair};
constexpr Class kBall[] = {ball};
constexpr Class kKite[] = {kite};
constexpr Class kPrey[] = {ball, cat, duck, bird};
constexpr Class kToys[] = {ball, balloon, kite};
constexpr Class kAnimals[] = {dog, cat, duck, bird};
constexpr Class kParkThings[] = {balloon, umbrella, book, bag, ball};
constexpr Class kStreetThings[] = {umbrella, bag, balloon};
constexpr Class kBeachThings[] = {umbrella, ball, balloon, bag};
constexpr Class kRoomThings[] = {book, cup, bag, balloon};
constexpr Class kFood[] = {apple, banana, cake};
constexpr Class kFodder[] = {apple, flower, bush};
constexpr Class kCart[] = {cart};
constexpr Class kBox[] = {box};
constexpr Class kBoat[] = {boat};
constexpr Class kClassTable[] = {table};
constexpr Class kTop[] = {cup, book, apple, cake, banana, bag};
constexpr Class kPut[] = {bag, book, ball};
constexpr Class kPutOn[] = {chair, box};
constexpr Class kPacked[] = {ball, bag};
constexpr Class kHidden[] = {ball, cat, bag};
constexpr Class kUnderTable[] = {ball, cat, dog, bag, cup, book, apple, cake, banana};

//                                                 park street beach room
constexpr EventRule kEvents[] = {
    {ride, kPeople, kRidden, {1.5, 0, .5, 0}, Sharing::each, 2},
    {ride, kPeople, kBike, {0, 2, 0, 0}, Sharing::each, 2},
    {sit_on, kPeople, kBench, {1, .6, 0, 0}, Sharing::together, 2},
    {sit_on, kPeople, kSeats, {0, 0, 0, 1.2}, Sharing::single, 1},
    {sit_on, kPeople, kChair, {0, 0, 1, 0}, Sharing::single, 1},
    {sit_on, kPets, kSeats, {0, 0, 0, .8}, Sharing::single, 1},
    {sit_on, kPets, kBench, {.3, .3, 0, 0}, Sharing::single, 1},
    {stand_on, kPets, kStands, {.5, .5, 0, 0}, Sharing::single, 1},
    {stand_on, kCat, kIndoorStands, {0, 0, 0, .6}, Sharing::single, 1},
    {stand_on, kDog, kSteps, {0, 0, 0, .4}, Sharing::single, 1},
    {stand_on, kPeople, kStands, {.4, .3, 0, 0}, Sharing::together, 2},
    {stand_on, kPeople, kSteps, {0, 0, 0, .6}, Sharing::single, 1},
    {stand_on, kPeople, kBeachStands, {0, 0, .5, 0}, Sharing::single, 1},
    {stand_on, kBirds, kStands, {.4, 0, .4, 0}, Sharing::together, 3},
    {hold, kPeople, kParkThings, {1, 0, 0, 0}, Sharing::each, 3},
    {hold, kPeople, kStreetThings, {0, 1.5, 0, 0}, Sharing::each, 3},
    {hold, kPeople, kBeachThings, {0, 0, 1.2, 0}, Sharing::each, 3},
    {hold, kPeople, kRoomThings, {0, 0, 0, 1}, Sharing::each, 3},
    {hold, kPeople, kFood, {.3, .3, .3, .5}, Sharing::each, 2},
    {hold, kPeople, kKite, {.3, 0, .4, 0}, Sharing::each, 2},
    {eat, kPeople, kFood, {.5, .4, .5, 1}, Sharing::each, 2},
    {eat, kFarm, kFodder, {.6, 0, 0, 0}, Sharing::single, 1},
    {chase, kDog, kPrey, {1, .6, 1, 0}, Sharing::together, 3},
    {chase, kCat, kBirds, {.4, 0, 0, 0}, Sharing::together, 2},
    {chase, kPeople, kToys, {.6, .4, .6, .2}, Sharing::together, 2},
    {chase, kPeople, kAnimals, {.5, .4, .4, 0}, Sharing::together, 2},
    {play_with, kPets, kBall, {.8, 0, .5, 1}, Sharing::together, 2},
    {play_with, kPeople, kBall, {.5, .2, .6, .4}, Sharing::together, 2},
    {play_with, kPeople, kPets, {.5, .3, .3, .6}, Sharing::together, 2},
    {fly, kPeople, kKite, {1, 0, 1.5, 0}, Sharing::each, 2},
    {walk, kPeople, kDog, {1, 1.2, .8, 0}, Sharing::single, 1},
    {walk, kPeople, kHorse, {.5, 0, .3, 0}, Sharing::single, 1},
    {kick, kPeople, kBall, {.8, .3, .8, 0}, Sharing::single, 1},
    {push, kPeople, kCart, {.3, 1.2, 0, .2}, Sharing::single, 1},
    {push, kPeople, kBike, {.4, .6, .1, 0}, Sharing::single, 1},
    {push, kPeople, kBoat, {0, 0, .6, 0}, Sharing::together, 2},
    {in, kPets, kBox, {.3, .3, 0, .8}, Sharing::single, 1},
    {in, kPeople, kBoat, {0, 0, 1.2, 0}, Sharing::together, 2},
    {in, kPeople, kCart, {.3, .6, 0, .2}, Sharing::single, 1},
    {in, kPacked, kBox, {.2, .2, .2, .5}, Sharing::single, 1},
    {on, kPut, kPutOn, {0, 0, .3, .6}, Sharing::single, 1},
    {on, kPut, kBench, {.3, .2, 0, 0}, Sharing::single, 1},
    {on, kTop, kClassTable, {.2, 0, 0, 1.2}, Sharing::single, 1},
    {under, kUnderTable, kClassTable, {.1, 0, 0, .9}, Sharing::single, 1},
    {under, kHidden, kChair, {0, 0, .3, .3}, Sharing::single, 1},
    {under, kHidden, kBench, {.3, .2, 0, 0}, Sharing::single, 1},
};

constexpr ExtraRule kExtras[] = {
    {tree, {3, 1, .5, 0}, .5, 3},      {bush, {1, .3, 0, 0}, .3, 2},  {flower, {1, 0, 0, .4}, .0, 3},
    {bench, {.6, .6, 0, 0}, .1, 1},    {house, {.3, 2, 0, 0}, .8, 2}, {tower, {.2, .8, .2, 0}, .8, 1},
    {car, {0, 2, 0, 0}, .2, 2},        {bus, {0, .9, 0, 0}, .6, 1},   {truck, {0, .7, 0, 0}, .4, 1},
    {bike, {.3, .5, 0, 0}, .1, 1},     {boat, {0, 0, 2, 0}, .7, 1},   {duck, {.5, 0, .3, 0}, 0, 3},
    {bird, {.5, .3, .8, 0}, 0, 3},     {dog, {.5, .4, .5, .2}, 0, 2}, {sheep, {.4, 0, 0, 0}, .2, 3},
    {cow, {.3, 0, 0, 0}, .3, 2},       {chair, {0, 0, .6, 1}, .1, 2}, {table, {0, 0, 0, 1}, .3, 1},
    {couch, {0, 0, 0, 1}, .7, 1},      {box, {0, .2, 0, 1}, 0, 3},    {umbrella, {.1, .3, .8, .2}, 0, 2},
    {ball, {.2, 0, .5, .5}, 0, 3},     {bag, {.1, .3, .3, .5}, 0, 2}, {cat, {.2, .2, 0, .4}, 0, 2},
    {horse, {.3, 0, .2, 0}, .3, 1},    {book, {.2, 0, .2, .4}, 0, 2}, {cup, {0, 0, .1, .4}, 0, 2},
    {balloon, {.2, .2, .2, .2}, 0, 3},
};

}  // namespace

std::span<const EventRule> event_rules() {
  return kEvents;
}
std::span<const ExtraRule> extra_rules() {
  return kExtras;
}

}  // namespace capella::world
