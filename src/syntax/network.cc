#include "syntax/network.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/names.h"

namespace capella::syntax {
namespace {

using tensor::After;
using tensor::kBlock;
using tensor::kLanes;
using tensor::reserve;
using tensor::round_up;

constexpr std::string_view kFormat = "capella-parser-1";
constexpr std::size_t kMostWidth = 1 << 14;
constexpr std::size_t kCellsAtOnce = 80;
constexpr std::size_t kMostSeen = 1 << 13;  // words whose embeddings a workspace keeps

std::vector<std::string> names(const tensor::Safetensors& file, std::string_view key) {
  std::vector<std::string> result;
  for (const std::string_view name : split_list(file.text(key), ' ')) result.emplace_back(name);
  if (result.empty()) file.reject(fmt::format("'{}' is empty", key));
  return result;
}

// The place of the highest number, the first of equals, `but` left out.
std::size_t best_of(const float* scores, std::size_t count, std::size_t but) {
  std::size_t best = but == 0 && count > 1 ? 1 : 0;
  for (std::size_t i = best + 1; i < count; ++i) {
    if (scores[i] > scores[best] && i != but) best = i;
  }
  return best;
}

}  // namespace

Network::Network(const std::string& path, const tensor::Kernels& kernels) : file_(path), kernels_(kernels) {
  if (file_.text("format") != kFormat) {
    file_.reject(
        fmt::format("not a parser: format '{}', expected '{}'", excerpt(file_.text("format")), kFormat));
  }
  read_sizes();
  read_names();
  read_embedding();
  for (std::size_t number = 0; number < sizes_.layers; ++number) layers_.push_back(read_layer(number));
  const std::size_t states = 2 * sizes_.hidden;
  tag_ = {file_, "tag", tags_.size(), states};
  arc_sides_ = {file_, "arc_sides", 2 * sizes_.arc, states};
  arc_ = {file_, "arc", sizes_.arc, sizes_.arc};
  label_sides_ = {file_, "label_sides", 2 * sizes_.label, states};
  relation_ = {file_, "relation", relations_.size(), sizes_.label};
}

void Network::read_sizes() {
  const auto lanes = [this](std::string_view key) {
    const std::size_t size = file_.number(key, kLanes, kMostWidth);
    if (size % kLanes != 0)
      file_.reject(fmt::format("'{}' is {}, expected a multiple of {}", key, size, kLanes));
    return size;
  };
  sizes_ = {.width = lanes("width"),
            .layers = file_.number("layers", 1, 1000),
            .hidden = lanes("hidden"),
            .arc = lanes("arc"),
            .label = lanes("label")};
}

void Network::read_names() {
  tags_ = names(file_, "tags");
  relations_ = names(file_, "relations");
  const auto root = std::find(relations_.begin(), relations_.end(), "root");
  if (root == relations_.end()) file_.reject("'relations' has no 'root'");
  root_relation_ = static_cast<std::size_t>(root - relations_.begin());
}

void Network::read_embedding() {
  const tensor::Tensor& words = file_.tensor("vocabulary");
  const auto bytes = file_.values<std::uint8_t>("vocabulary", {words.bytes.size()});
  const std::size_t affixes = file_.number("affixes", 1, std::size_t{1} << 31);
  features_ = {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, affixes};
  if (features_.words() != features_.lines()) file_.reject("'vocabulary' has a word twice");
  word_ = {file_, "word", features_.words() + 1, sizes_.width};
  affix_ = {file_, "affix", affixes, sizes_.width};
  shape_ = {file_, "shape", kShapes, sizes_.width};
  embed_norm_ = {file_, "embed_norm", sizes_.width};
  read_special();
}

void Network::read_special() {
  const tensor::Table table(file_, "special", 2, sizes_.width);
  special_.assign(2 * embedding_stride(), 0.0f);
  for (const std::size_t row : {0, 1}) table.add_row(row, special_.data() + row * embedding_stride());
  embed_norm_.apply(kernels_, special_.data(), embedding_stride(), 2, special_.data(), embedding_stride());
}

Network::Layer Network::read_layer(std::size_t number) const {
  const std::string name = fmt::format("layer.{}.", number);
  const std::size_t inputs = number == 0 ? sizes_.width : 2 * sizes_.hidden;
  return {.input = read_gates(name + "input", 2, inputs),
          .forward = read_gates(name + "forward", 1, sizes_.hidden),
          .backward = read_gates(name + "backward", 1, sizes_.hidden)};
}

// The file has a direction's gates one kind after the other, lstm_step wants them together for every kLanes
// cells.
tensor::Linear Network::read_gates(const std::string& name, std::size_t directions,
                                   std::size_t inputs) const {
  const std::size_t outputs = directions * 4 * sizes_.hidden;
  const auto weight = file_.values<std::int8_t>(name + ".weight", {outputs, inputs});
  const auto scale = tensor::finite_values(file_, name + ".scale", {outputs});
  const auto bias = tensor::finite_values(file_, name + ".bias", {outputs});
  std::vector<std::int8_t> new_weight(weight.size());
  std::vector<float> new_scale(outputs), new_bias(outputs);
  for (std::size_t output = 0; output < outputs; ++output) {
    const std::size_t row = output / sizes_.hidden;  // direction and kind
    const std::size_t cell = output % sizes_.hidden;
    const std::size_t place =
        (row / 4 * sizes_.hidden + cell / kLanes * kLanes) * 4 + row % 4 * kLanes + cell % kLanes;
    std::copy_n(weight.data() + output * inputs, inputs, new_weight.data() + place * inputs);
    new_scale[place] = scale[output];
    new_bias[place] = bias[output];
  }
  return {new_weight, new_scale, new_bias};
}

void Network::apply(const tensor::Linear& map, const float* rows, std::size_t row_stride, std::size_t count,
                    tensor::AlignedVector<float>& out, After after, Workspace& workspace) const {
  float* to = reserve(out, count * map.stride());
  map.apply(kernels_, rows, row_stride, count, to, map.stride(), after, workspace.quantized);
}

void Network::run(std::span<const std::size_t> batch, std::span<const Sentence> sentences,
                  Workspace& workspace) const {
  embed(batch, sentences, workspace);
  std::size_t stride = embedding_stride();
  for (const Layer& layer : layers_) {
    recur(layer, stride, workspace);
    stride = state_stride();
  }
  const float* state = workspace.state.data();
  const std::size_t rows = workspace.rows;
  apply(tag_, state, stride, rows, workspace.tags, After::kStore, workspace);
  apply(arc_sides_, state, stride, rows, workspace.arc_sides, After::kRelu, workspace);
  apply(arc_, workspace.arc_sides.data(), arc_sides_.stride(), rows, workspace.dependents, After::kStore,
        workspace);
  apply(label_sides_, state, stride, rows, workspace.label_sides, After::kStore, workspace);
}

void Network::embed(std::span<const std::size_t> batch, std::span<const Sentence> sentences,
                    Workspace& workspace) const {
  workspace.places.clear();
  workspace.rows = 0;
  for (const std::size_t number : batch) {
    workspace.places.push_back({workspace.rows, sentences[number].words.size()});
    workspace.rows += workspace.places.back().positions();
  }
  float* row = reserve(workspace.state, workspace.rows * embedding_stride());
  for (const std::size_t number : batch) {
    row = std::copy_n(special_.data(), embedding_stride(), row);
    for (const std::string& word : sentences[number].words) {
      embed_word(word, workspace, row);
      row += embedding_stride();
    }
    row = std::copy_n(special_.data() + embedding_stride(), embedding_stride(), row);
  }
}

// The norm is of one row, so a word's embedding after it is the same everywhere.
void Network::embed_word(const std::string& word, Workspace& workspace, float* row) const {
  if (const auto found = workspace.seen.find(word); found != workspace.seen.end()) {
    std::copy_n(workspace.seen_rows.data() + found->second * embedding_stride(), embedding_stride(), row);
    return;
  }
  std::fill_n(row, embedding_stride(), 0.0f);
  const WordFeatures features = features_.read(word);
  word_.add_row(features.word, row);
  for (std::size_t i = 0; i < features.affix_count; ++i) affix_.add_row(features.affixes[i], row);
  shape_.add_row(features.shape, row);
  embed_norm_.apply(kernels_, row, embedding_stride(), 1, row, embedding_stride());

  if (workspace.seen.size() == kMostSeen) workspace.seen.clear();
  const std::size_t place = workspace.seen.size();
  workspace.seen.emplace(word, place);
  std::copy_n(row, embedding_stride(),
              reserve(workspace.seen_rows, (place + 1) * embedding_stride()) + place * embedding_stride());
}

// One layer: what the inputs add to the gates of all positions at once, then both directions.
void Network::recur(const Layer& layer, std::size_t inputs, Workspace& workspace) const {
  apply(layer.input, workspace.state.data(), inputs, workspace.rows, workspace.gates, After::kStore,
        workspace);
  reserve(workspace.state, workspace.rows * state_stride());
  recur(layer, Direction::forward, workspace);
  recur(layer, Direction::backward, workspace);
}

// All sentences take a step together. They come in order of length, the longest first, so those that have a
// position left are the first ones.
void Network::recur(const Layer& layer, Direction direction, Workspace& workspace) const {
  const std::size_t hidden = sizes_.hidden;
  const bool forward = direction == Direction::forward;
  std::size_t running = workspace.places.size();
  workspace.step_states.assign(running * hidden, 0.0f);
  workspace.step_memory.assign(running * hidden, 0.0f);
  for (std::size_t step_number = 0;; ++step_number) {
    while (running > 0 && workspace.places[running - 1].positions() <= step_number) --running;
    if (running == 0) return;
    const auto row_of = [&](std::size_t s) {
      const Place& place = workspace.places[s];
      return place.first + (forward ? step_number : place.positions() - 1 - step_number);
    };
    workspace.step_inputs.resize(running);
    for (std::size_t s = 0; s < running; ++s) {
      workspace.step_inputs[s] =
          workspace.gates.data() + row_of(s) * layer.input.stride() + (forward ? 0 : 4 * hidden);
    }
    step(forward ? layer.forward : layer.backward, workspace.step_inputs, workspace);
    for (std::size_t s = 0; s < running; ++s) {
      std::copy_n(workspace.step_states.data() + s * hidden, hidden,
                  workspace.state.data() + row_of(s) * state_stride() + (forward ? 0 : hidden));
    }
  }
}

// One step, some cells at a time, so that their gates and the map's weights stay in the core's cache.
void Network::step(const tensor::Linear& map, std::span<const float* const> gates,
                   Workspace& workspace) const {
  const std::size_t hidden = sizes_.hidden;
  map.quantize(kernels_, workspace.step_states.data(), hidden, gates.size(), workspace.quantized);
  float* own = reserve(workspace.step_gates, gates.size() * 4 * kCellsAtOnce);
  for (std::size_t begin = 0; begin < hidden; begin += kCellsAtOnce) {
    const std::size_t cells = std::min(kCellsAtOnce, hidden - begin);
    map.multiply(kernels_, workspace.quantized, gates.size(), 4 * begin, 4 * cells, own, 4 * cells,
                 After::kStore);
    for (std::size_t s = 0; s < gates.size(); ++s) {
      kernels_.lstm_step(own + s * 4 * cells, gates[s] + 4 * begin, cells,
                         workspace.step_memory.data() + s * hidden + begin,
                         workspace.step_states.data() + s * hidden + begin);
    }
  }
}

void Network::best_tags(const Place& place, const Workspace& workspace, std::span<std::size_t> tags) const {
  const float* row = workspace.tags.data() + place.first * tag_.stride();
  for (std::size_t word = 0; word < place.words; ++word) {
    row += tag_.stride();
    tags[word] = best_of(row, tags_.size(), tags_.size());
  }
}

ArcScores Network::arc_scores(const Place& place, Workspace& workspace) const {
  const std::size_t count = place.words + 1;
  const std::size_t columns = round_up(count, kLanes);
  const float* head = workspace.arc_sides.data() + place.first * arc_sides_.stride() + sizes_.arc;
  float* heads = reserve(workspace.scratch, sizes_.arc * columns);
  float* scores = reserve(workspace.scores, count * columns);
  kernels_.transpose(head, arc_sides_.stride(), count, sizes_.arc, heads);
  kernels_.multiply({.a = workspace.dependents.data() + place.first * arc_.stride(),
                     .a_row = arc_.stride(),
                     .a_step = 1,
                     .b = heads,
                     .b_stride = columns,
                     .out = scores,
                     .out_stride = columns,
                     .rows = count,
                     .depth = sizes_.arc,
                     .columns = columns});
  return {scores, columns, place.words};
}

void Network::best_relations(std::span<const int> heads, Workspace& workspace,
                             std::span<std::size_t> relations) const {
  const std::size_t label = sizes_.label;
  const std::size_t stride = label_sides_.stride();
  float* joined = reserve(workspace.joined, workspace.rows * label);
  for (const Place& place : workspace.places) {
    const float* sides = workspace.label_sides.data() + place.first * stride;
    for (std::size_t i = 0; i < place.positions(); ++i) {
      const bool word = i >= 1 && i <= place.words;
      const std::size_t head = word ? static_cast<std::size_t>(heads[place.first + i]) : 0;
      kernels_.add_relu(sides + i * stride, sides + head * stride + label, joined + (place.first + i) * label,
                        label);
    }
  }
  apply(relation_, joined, label, workspace.rows, workspace.scores, After::kStore, workspace);
  for (std::size_t row = 0; row < workspace.rows; ++row) {
    const float* scores = workspace.scores.data() + row * relation_.stride();
    relations[row] = heads[row] == 0 ? root_relation_ : best_of(scores, relations_.size(), root_relation_);
  }
}

}  // namespace capella::syntax
