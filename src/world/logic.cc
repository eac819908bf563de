#include "world/logic.h"

#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "world/draw.h"
#include "world/vocabulary.h"

namespace capella::world {
namespace {

constexpr std::array<std::string_view, 3> kLabels = {"near", "look at", "hold"};
constexpr std::array<std::string_view, 3> kNames = {"Near", "LookAt", "Hold"};
constexpr std::array<Class, 6> kAgents = {Class::man,  Class::woman, Class::boy,
                                          Class::girl, Class::dog,   Class::cat};
constexpr std::array<Class, 6> kThings = {Class::ball, Class::book,  Class::box,
                                          Class::bike, Class::bench, Class::cup};

// Conjunctions of the predicates whose bits are set.
struct Formula {
  unsigned bits;
  double weight;
};
constexpr std::array<Formula, 6> kFormulas = {
    {{1, -.5}, {2, -1}, {4, -1.5}, {1 | 4, 1.2}, {2 | 4, .8}, {1 | 2, .6}}};

std::array<double, 8> state_weights() {
  std::array<double, 8> weights{};
  for (unsigned state = 0; state < weights.size(); ++state) {
    double sum = 0;
    for (const Formula& formula : kFormulas) {
      if ((state & formula.bits) == formula.bits) sum += formula.weight;
    }
    weights[state] = std::exp(sum);
  }
  return weights;
}

std::string capital(std::string_view word) {
  std::string out(word);
  out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::string constant_line(Class id) {
  return fmt::format("//@const {} \"{}\"\n", capital(name(id)), name(id));
}

}  // namespace

std::string logic_network() {
  std::string text =
      "// The network that triplets.jsonl was drawn from. Each image holds two agents and two things; With "
      "is true\n"
      "// of each of their pairs and only names them; given it, the other atoms follow the weights below.\n"
      "//@mlnver 1\n//@pred With \"with\"\n";
  for (std::size_t i = 0; i < kNames.size(); ++i)
    text += fmt::format("//@pred {} \"{}\"\n", kNames[i], kLabels[i]);
  for (const Class id : kAgents) text += constant_line(id);
  for (const Class id : kThings) text += constant_line(id);
  text += "agent = {";
  for (const Class id : kAgents) text += (id == kAgents[0] ? "" : ", ") + capital(name(id));
  text += "}\nthing = {";
  for (const Class id : kThings) text += (id == kThings[0] ? "" : ", ") + capital(name(id));
  text += "}\nWith(agent,thing)\n";
  for (const std::string_view predicate : kNames) text += fmt::format("{}(agent,thing)\n", predicate);
  for (const Formula& formula : kFormulas) {
    text += fmt::format("{}", formula.weight);
    bool first = true;
    for (unsigned i = 0; i < kNames.size(); ++i) {
      if (!(formula.bits >> i & 1)) continue;
      text += fmt::format("{}{}(x,y)", first ? " " : " ^ ", kNames[i]);
      first = false;
    }
    text += '\n';
  }
  return text;
}

std::string logic_row(std::uint64_t seed, std::uint64_t image, const std::string& id,
                      const std::string& split) {
  static const std::array<double, 8> weights = state_weights();
  Draw draw(seed, Stream::logic, image);
  std::vector<Class> agents(kAgents.begin(), kAgents.end());
  std::vector<Class> things(kThings.begin(), kThings.end());
  draw.shuffle(agents);
  draw.shuffle(things);
  nlohmann::ordered_json triplets = nlohmann::ordered_json::array();
  for (std::size_t pair = 0; pair < 4; ++pair) {
    const std::string_view agent = name(agents[pair / 2]);
    const std::string_view thing = name(things[pair % 2]);
    triplets.push_back({agent, "with", thing});
    const std::size_t state = draw.weighted(weights);
    for (std::size_t i = 0; i < kLabels.size(); ++i) {
      if (state >> i & 1) triplets.push_back({agent, kLabels[i], thing});
    }
  }
  return nlohmann::ordered_json{{"image_id", id}, {"split", split}, {"triplets", std::move(triplets)}}.dump();
}

}  // namespace capella::world
