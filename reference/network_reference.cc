#include "reference/network_reference.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

namespace capella::reference {
namespace {

std::uint32_t fnv1a(const std::string& bytes) {
  std::uint32_t hash = 2166136261u;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619u;
  }
  return hash;
}

std::string lower(std::string word) {
  for (char& c : word) {
    if (static_cast<unsigned char>(c) < 128) c = static_cast<char>(std::tolower(c));
  }
  return word;
}

std::size_t shape(const std::string& word) {
  bool bits[6] = {};
  for (std::size_t i = 0; i < word.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(word[i]);
    const bool ascii = c < 128;
    if (ascii && std::isupper(c)) bits[i == 0 ? 0 : 1] = true;
    if (ascii && std::islower(c)) bits[2] = true;
    if (ascii && std::isdigit(c)) bits[3] = true;
    if (c == '-') bits[4] = true;
    if (!ascii || (!std::isalnum(c) && c != '-')) bits[5] = true;
  }
  std::size_t sum = 0;
  for (std::size_t bit = 0; bit < 6; ++bit) sum += bits[bit] ? std::size_t{1} << bit : 0;
  return sum;
}

void add(Row& sum, const Row& row) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row[i];
}

Row slice(const Row& row, std::size_t begin, std::size_t size) {
  return {row.begin() + static_cast<std::ptrdiff_t>(begin),
          row.begin() + static_cast<std::ptrdiff_t>(begin + size)};
}

void relu(Row& row) {
  for (float& x : row) x = std::max(x, 0.0f);
}

std::size_t number(const tensor::Safetensors& file, const char* key) {
  return std::stoul(file.text(key));
}

}  // namespace

Row NetworkReference::floats(const std::string& name) const {
  const auto values = file_.values<float>(name, file_.tensor(name).shape);
  return {values.begin(), values.end()};
}

void NetworkReference::add_row(const std::string& table, std::size_t row, Row& sum) const {
  const auto weights = file_.values<std::int8_t>(table + ".weight", file_.tensor(table + ".weight").shape);
  const float scale = floats(table + ".scale")[row];
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] += static_cast<float>(weights[row * sum.size() + i]) * scale;
}

Row NetworkReference::linear(const std::string& name, const Row& row) const {
  const auto weights = file_.values<std::int8_t>(name + ".weight", file_.tensor(name + ".weight").shape);
  std::vector<std::vector<int>> square;
  for (std::size_t at = 0; at < weights.size(); at += row.size()) {
    const auto part = weights.subspan(at, row.size());
    square.emplace_back(part.begin(), part.end());
  }
  return reference::linear(row, square, floats(name + ".scale"), floats(name + ".bias"));
}

Row NetworkReference::norm(const std::string& name, const Row& row) const {
  return layer_norm(row, floats(name + ".weight"), floats(name + ".bias"));
}

Row NetworkReference::embed(const std::string& word) const {
  const auto bytes = file_.values<std::uint8_t>("vocabulary", file_.tensor("vocabulary").shape);
  std::istringstream vocabulary(std::string(bytes.begin(), bytes.end()));
  const std::string low = lower(word);
  std::size_t id = 0;
  std::size_t place = 1;
  for (std::string line; std::getline(vocabulary, line); ++place) {
    if (line == low) id = place;
  }
  Row sum(number(file_, "width"), 0.0f);
  add_row("word", id, sum);
  const auto affix = [&](std::size_t kind, const std::string& text) {
    add_row("affix", fnv1a(static_cast<char>(kind) + text) % number(file_, "affixes"), sum);
  };
  for (std::size_t n = 1; n <= 4 && n <= low.size(); ++n) affix(n, low.substr(low.size() - n));
  for (std::size_t n = 1; n <= 3 && n <= low.size(); ++n) affix(16 + n, low.substr(0, n));
  add_row("shape", shape(word), sum);
  return sum;
}

// One direction of one layer: a step takes the gates that its input gives, and those of the state before it.
Rows NetworkReference::recur(const std::string& map, const Rows& inputs, bool backward) const {
  const std::size_t size = inputs.front().size() / 4;
  Row state(size, 0.0f), memory(size, 0.0f);
  Rows states(inputs.size());
  for (std::size_t step = 0; step < inputs.size(); ++step) {
    const std::size_t at = backward ? inputs.size() - 1 - step : step;
    Row gates = linear(map, state);
    add(gates, inputs[at]);
    state = lstm_step(gates, memory);
    states[at] = state;
  }
  return states;
}

NetworkScores NetworkReference::run(const std::vector<std::string>& words) const {
  Rows state(1, Row(number(file_, "width"), 0.0f));
  add_row("special", 0, state.front());
  for (const std::string& word : words) state.push_back(embed(word));
  state.emplace_back(state.front().size(), 0.0f);
  add_row("special", 1, state.back());
  for (Row& row : state) row = norm("embed_norm", row);
  for (std::size_t number_of = 0; number_of < number(file_, "layers"); ++number_of) {
    const std::string layer = "layer." + std::to_string(number_of) + ".";
    Rows forward, backward;
    for (const Row& row : state) {
      const Row gates = linear(layer + "input", row);
      forward.push_back(slice(gates, 0, gates.size() / 2));
      backward.push_back(slice(gates, gates.size() / 2, gates.size() / 2));
    }
    state = recur(layer + "forward", forward, false);
    const Rows other = recur(layer + "backward", backward, true);
    for (std::size_t i = 0; i < state.size(); ++i)
      state[i].insert(state[i].end(), other[i].begin(), other[i].end());
  }
  return scores_of(state, words.size());
}

NetworkScores NetworkReference::scores_of(const Rows& state, std::size_t words) const {
  const std::size_t arc = number(file_, "arc"), label = number(file_, "label");
  NetworkScores scores;
  Rows dependents, heads;
  for (std::size_t i = 0; i <= words; ++i) {
    Row sides = linear("arc_sides", state[i]);
    relu(sides);
    dependents.push_back(linear("arc", slice(sides, 0, arc)));
    heads.push_back(slice(sides, arc, arc));
    const Row labels = linear("label_sides", state[i]);
    scores.label_dependents.push_back(slice(labels, 0, label));
    scores.label_heads.push_back(slice(labels, label, label));
  }
  for (std::size_t i = 1; i <= words; ++i) {
    scores.tags.push_back(linear("tag", state[i]));
    scores.arcs.emplace_back();
    for (const Row& head : heads) scores.arcs.back().push_back(static_cast<float>(dot(dependents[i], head)));
  }
  return scores;
}

Row NetworkReference::relations(const NetworkScores& scores, std::size_t word, std::size_t head) const {
  Row joined = scores.label_dependents[word];
  add(joined, scores.label_heads[head]);
  relu(joined);
  return linear("relation", joined);
}

}  // namespace capella::reference
