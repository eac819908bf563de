#include "world/foil_nouns.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/ascii.h"
#include "base/names.h"
#include "world/rewrite.h"

namespace capella::world {
namespace {

constexpr NounCategory kCocoCategories[] = {
    {"vehicle", "bicycle/bicycles", "bike,bikes,cycle,cycles,bicyclist,bicyclists,cyclist,cyclists,tricycle"},
    {"vehicle", "car/cars,automobile/automobiles",
     "auto,autos,taxi,taxis,cab,cabs,sedan,suv,suvs,jeep,jeeps,van,vans,minivan,vehicle,vehicles,limo,"
     "limousine,convertible,traffic,hatchback"},
    {"vehicle", "motorcycle/motorcycles,motorbike/motorbikes",
     "bike,bikes,motor bike,motor "
     "bikes,moped,mopeds,scooter,scooters,motorcyclist,motorcyclists,biker,bikers,"
     "dirt bike,harley,vespa,cycle,cycles"},
    {"vehicle", "airplane/airplanes,plane/planes,aeroplane/aeroplanes",
     "jet,jets,jetliner,jetliners,airliner,airliners,aircraft,aircrafts,biplane,biplanes,seaplane,airbus,"
     "glider,propeller,helicopter,runway"},
    {"vehicle", "bus/buses",
     "busses,minibus,minibuses,coach,double decker,double deckers,trolley,tram,van,vans"},
    {"vehicle", "train/trains",
     "locomotive,locomotives,engine,engines,subway,tram,trams,trolley,trolleys,railcar,railway,caboose,metro,"
     "monorail,streetcar,railroad,rail,boxcar"},
    {"vehicle", "truck/trucks",
     "lorry,lorries,pickup,pickups,semi,semis,firetruck,firetrucks,fire engine,van,vans,tractor,tractors,"
     "trailer,trailers,vehicle,vehicles,tow,jeep,rv"},
    {"vehicle", "boat/boats",
     "ship,ships,canoe,canoes,kayak,kayaks,sailboat,sailboats,sail,yacht,yachts,raft,rafts,ferry,ferries,"
     "vessel,"
     "vessels,rowboat,rowboats,speedboat,speedboats,gondola,gondolas,dinghy,barge,barges,tugboat,houseboat,"
     "motorboat,catamaran,marina,harbor"},
    {"outdoor", "traffic light/traffic lights,stoplight/stoplights",
     "traffic signal,traffic signals,stop light,stop lights,street light,street lights,signal,signals,light,"
     "lights,red light,green light"},
    {"outdoor", "fire hydrant/fire hydrants,hydrant/hydrants", "water hydrant,fireplug"},
    {"outdoor", "stop sign/stop signs", "street sign,street signs,sign,signs,traffic sign,traffic signs"},
    {"outdoor", "parking meter/parking meters", "meter,meters"},
    {"outdoor", "bench/benches", "seat,seats,seating,pew,pews"},
    {"animal", "bird/birds",
     "duck,ducks,goose,geese,seagull,seagulls,gull,gulls,parrot,parrots,pigeon,pigeons,owl,owls,swan,swans,"
     "chicken,chickens,hen,hens,rooster,eagle,hawk,pelican,pelicans,crow,crows,penguin,penguins,flamingo,"
     "flamingos,peacock,turkey,ostrich,robin,finch,hummingbird,parakeet,cockatoo,falcon,heron,stork,crane,"
     "sparrow,blue jay,fowl,duckling,ducklings,dove,doves,vulture,vultures,macaw,animal,animals"},
    {"animal", "cat/cats,kitten/kittens", "kitty,kitties,feline,felines,tabby,siamese,animal,animals"},
    {"animal", "dog/dogs,puppy/puppies",
     "pup,pups,doggy,doggie,canine,canines,hound,poodle,terrier,bulldog,labrador,beagle,collie,dachshund,"
     "chihuahua,pug,dalmatian,shepherd,retriever,husky,corgi,mutt,animal,animals"},
    {"animal", "horse/horses",
     "pony,ponies,foal,foals,colt,colts,mare,stallion,donkey,donkeys,mule,mules,"
     "horseback,jockey,jockeys,carriage,carriages,animal,animals,mustang"},
    {"animal", "*sheep/*sheep", "lamb,lambs,ram,rams,ewe,ewes,goat,goats,flock,herd,animal,animals"},
    {"animal", "cow/cows",
     "bull,bulls,calf,calves,cattle,steer,steers,ox,oxen,bovine,bovines,buffalo,bison,"
     "longhorn,heifer,yak,herd,animal,animals"},
    {"animal", "elephant/elephants", "tusk,tusks,mammoth,animal,animals"},
    {"animal", "bear/bears", "cub,cubs,panda,pandas,grizzly,polar,animal,animals"},
    {"animal", "zebra/zebras", "animal,animals"},
    {"animal", "giraffe/giraffes", "girafe,girrafe,giraff,animal,animals"},
    {"accessory", "backpack/backpacks", "bag,bags,pack,packs,knapsack,rucksack,back pack,luggage,satchel"},
    {"accessory", "umbrella/umbrellas", "parasol,parasols,canopy,umbrealla"},
    {"accessory", "handbag/handbags,purse/purses", "bag,bags,tote,totes,hand bag,pocketbook,clutch"},
    {"accessory", "tie/ties,necktie/neckties", "bow tie,bow ties,bowtie,bowties,suit,suits,tuxedo"},
    {"accessory", "suitcase/suitcases",
     "luggage,baggage,bag,bags,briefcase,briefcases,trunk,trunks,suit case,"
     "suit cases"},
    {"sports", "frisbee/frisbees", "frizbee,frisbe,disc,discs,disk"},
    {"sports", "*/*skis", "ski,skis,skiing,skier,skiers,snow ski,snow skis"},
    {"sports", "snowboard/snowboards", "board,boards,snow board,snowboarder,snowboarders,snowboarding"},
    {"sports", "ball/balls,tennis ball/tennis balls,soccer ball/soccer balls",
     "baseball,baseballs,football,footballs,basketball,volleyball,softball,soccer"},
    {"sports", "kite/kites", "parasail,parachute,glider,kiteboarding,kiteboarder"},
    {"sports", "baseball bat/baseball bats,bat/bats", "batter,batting,swing,swinging"},
    {"sports", "baseball glove/baseball gloves", "glove,gloves,mitt,mitts,catcher,catchers,baseball mitt"},
    {"sports", "skateboard/skateboards",
     "board,boards,skate board,skateboarder,skateboarders,skateboarding,"
     "skater,skaters,skate,longboard"},
    {"sports", "surfboard/surfboards",
     "board,boards,surf board,surf boards,surfer,surfers,surfing,surf,"
     "bodyboard,boogie board,paddleboard,paddle board,sailboard"},
    {"sports", "tennis racket/tennis rackets,tennis racquet/tennis racquets,racket/rackets,racquet/racquets",
     "paddle,paddles,raquet,tennis racquets"},
    {"kitchen", "bottle/bottles", "flask,jug,beer,beers,wine"},
    {"kitchen", "wine glass/wine glasses", "glass,glasses,goblet,goblets,wineglass,wineglasses,drink,drinks"},
    {"kitchen", "cup/cups", "mug,mugs,glass,glasses,coffee,tea,teacup,drink,drinks,beverage"},
    {"kitchen", "fork/forks", "utensil,utensils,silverware,cutlery,flatware"},
    {"kitchen", "knife/knives", "utensil,utensils,silverware,cutlery,flatware,blade"},
    {"kitchen", "spoon/spoons", "utensil,utensils,silverware,cutlery,flatware,spatula,ladle"},
    {"kitchen", "bowl/bowls", "dish,dishes,container,containers,soup,salad,cereal"},
    {"food", "banana/bananas", "plantain,plantains,fruit,fruits"},
    {"food", "apple/apples", "fruit,fruits"},
    {"food", "sandwich/sandwiches",
     "sandwhich,burger,burgers,hamburger,hamburgers,sub,subs,panini,toast,bagel,wrap,burrito,meal,food"},
    {"food", "*orange/oranges", "tangerine,tangerines,clementine,mandarin,citrus,fruit,fruits"},
    {"food", "*broccoli/*", "brocolli,vegetable,vegetables,veggies,greens,food,meal"},
    {"food", "carrot/carrots", "vegetable,vegetables,veggies,food,meal"},
    {"food", "hot dog/hot dogs,hotdog/hotdogs",
     "sausage,sausages,bratwurst,frank,franks,weiner,wiener,food,meal"},
    {"food", "pizza/pizzas", "pepperoni,pie,pies,slice,slices,food,meal"},
    {"food", "donut/donuts,doughnut/doughnuts", "pastry,pastries,dessert,desserts,bagel,bagels,food"},
    {"food", "cake/cakes", "cupcake,cupcakes,cheesecake,dessert,desserts,pastry,pastries,pie,brownie,food"},
    {"furniture", "chair/chairs",
     "seat,seats,seating,armchair,armchairs,recliner,stool,stools,rocker,loveseat,"
     "furniture,lounge"},
    {"furniture", "couch/couches,sofa/sofas", "loveseat,futon,settee,furniture,seating,sectional"},
    {"furniture", "potted plant/potted plants,plant/plants",
     "flower,flowers,houseplant,houseplants,fern,pot,pots,"
     "planter,planters,tree,trees,foliage,greenery"},
    {"furniture", "bed/beds", "mattress,mattresses,bunk,bunks,crib,cot,bedroom,bedding,bedspread,furniture"},
    {"furniture", "table/tables",
     "desk,desks,counter,countertop,dining,tabletop,workstation,furniture,stand"},
    {"furniture", "toilet/toilets", "urinal,urinals,commode,bathroom,restroom,bidet,latrine,stall"},
    {"electronic", "television/televisions,tv/tvs",
     "monitor,monitors,screen,screens,flatscreen,set,tv set,display,displays,video,game"},
    {"electronic", "laptop/laptops",
     "computer,computers,notebook,notebooks,macbook,lap top,pc,screen,screens"},
    {"electronic", "*mouse/*", "mice,mouses,computer mouse,computer,computers"},
    {"electronic", "*remote/remotes,remote control/remote controls",
     "controller,controllers,control,controls,wii,wiimote,game,clicker"},
    {"electronic", "keyboard/keyboards", "computer,computers,piano,laptop,laptops,key board"},
    {"electronic", "cell phone/cell phones,cellphone/cellphones,*phone/*phones",
     "cell,smartphone,smart phone,smartphones,iphone,mobile,telephone,device,devices,blackberry"},
    {"appliance", "microwave/microwaves", "appliance,appliances,kitchen,kitchens,microwave oven"},
    {"appliance", "oven/ovens",
     "stove,stoves,range,stovetop,cooker,appliance,appliances,kitchen,kitchens,"
     "toaster oven"},
    {"appliance", "toaster/toasters", "appliance,appliances,kitchen,kitchens,toaster oven"},
    {"appliance", "sink/sinks", "basin,basins,bathroom,bathrooms,faucet,faucets,kitchen,kitchens,vanity"},
    {"appliance", "refrigerator/refrigerators,fridge/fridges",
     "freezer,freezers,cooler,coolers,appliance,appliances,kitchen,kitchens,icebox"},
    {"indoor", "book/books",
     "magazine,magazines,novel,novels,bookshelf,bookshelves,bookcase,library,textbook,"
     "notebook,reading"},
    {"indoor", "clock/clocks", "watch,clocktower,clock tower,time"},
    {"indoor", "vase/vases", "vases,pot,pots,pottery,flower,flowers,jar,jars,urn"},
    {"indoor", "*/*scissors", "scissor,shears"},
    {"indoor", "teddy bear/teddy bears", "teddy,teddies,stuffed,toy,toys,plush,bear,bears,doll,dolls"},
    {"indoor", "hair dryer/hair dryers,hair drier/hair driers", "blow dryer,dryer,hairdryer,drier"},
    {"indoor", "toothbrush/toothbrushes", "tooth brush,brush,brushes,brushing"},
};

struct Word {
  std::size_t begin, end;
  std::string lower;
};

std::vector<Word> words_in(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_letter(text[i])) {
      ++i;
      continue;
    }
    Word word{i, i, {}};
    for (; word.end < text.size() && is_letter(text[word.end]); ++word.end)
      word.lower += lower_ascii(text[word.end]);
    i = word.end;
    words.push_back(std::move(word));
  }
  return words;
}

bool stand_together(std::string_view text, const Word& a, const Word& b) {
  const std::string_view between = text.substr(a.end, b.begin - a.end);
  return between.find_first_not_of(" -") == std::string_view::npos;
}

// Whether the word is part of a longer one: "cat-like", "bus-stop", "3D".
bool is_joined(std::string_view text, std::size_t begin, std::size_t end) {
  const auto joins = [](char c) { return c == '-' || c == '_' || (c >= '0' && c <= '9'); };
  return (begin > 0 && joins(text[begin - 1])) || (end < text.size() && joins(text[end]));
}

}  // namespace

FoilNouns::FoilNouns() : FoilNouns(kCocoCategories) {}

FoilNouns::FoilNouns(std::span<const NounCategory> categories) {
  std::string_view last;
  std::uint32_t super_category = 0;
  for (const NounCategory& category : categories) {
    category_terms_.emplace_back();
    if (!last.empty() && category.super_category != last) ++super_category;
    last = category.super_category;
    for (const std::string_view noun : split_list(category.nouns, ',')) {
      const std::size_t slash = noun.find('/');
      for (const bool plural : {false, true}) {
        std::string_view form = plural ? noun.substr(slash + 1) : noun.substr(0, slash);
        const bool exchangeable = !form.starts_with('*');
        if (!exchangeable) form.remove_prefix(1);
        if (!form.empty()) add_noun(form, super_category, plural, exchangeable);
      }
    }
    for (const std::string_view hint : split_list(category.hints, ',')) add_hint(hint);
    ++categories_;
  }
}

void FoilNouns::add_noun(std::string_view text, std::uint32_t super_category, bool plural,
                         bool exchangeable) {
  const auto noun = static_cast<std::uint32_t>(nouns_.size());
  nouns_.push_back({std::string(text), categories_, super_category, plural, exchangeable});
  Term& term = terms_[std::string(text)];
  if (!term.noun) term.noun = noun;  // "sheep" is found as the first of its two numbers
  if (!term.categories.empty() && term.categories.back() == categories_) return;
  term.categories.push_back(categories_);
  category_terms_.back().emplace_back(text);
}

void FoilNouns::add_hint(std::string_view text) {
  Term& term = terms_[std::string(text)];
  if (std::find(term.categories.begin(), term.categories.end(), categories_) != term.categories.end()) return;
  term.categories.push_back(categories_);
  category_terms_.back().emplace_back(text);
}

std::vector<FoilMention> FoilNouns::find(std::string_view caption) const {
  const std::vector<Word> words = words_in(caption);
  std::vector<FoilMention> mentions;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t length = 0;
    auto found = terms_.end();
    if (i + 1 < words.size() && stand_together(caption, words[i], words[i + 1])) {
      found = terms_.find(words[i].lower + ' ' + words[i + 1].lower);
      length = 2;
    }
    if (found == terms_.end()) {
      found = terms_.find(words[i].lower);
      length = 1;
    }
    if (found == terms_.end()) {
      ++i;
      continue;
    }
    const std::size_t begin = words[i].begin;
    const std::size_t end = words[i + length - 1].end;
    FoilMention mention{begin, end - begin, found->second.categories, found->second.noun};
    if (is_joined(caption, begin, end)) mention.noun.reset();
    mentions.push_back(std::move(mention));
    i += length;
  }
  return mentions;
}

std::string exchange_noun(std::string_view caption, const FoilMention& mention, std::string_view noun) {
  assert(!noun.empty());
  return spliced(caption, {{mention.begin, mention.length, std::string(noun)}});
}

}  // namespace capella::world
