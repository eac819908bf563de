// A parser's model with random weights, written as the training program writes real ones.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/safetensors.h"

namespace capella::test {

struct ParserSizes {
  std::size_t width = 32;
  std::size_t layers = 2;
  std::size_t hidden = 48;
  std::size_t affixes = 50;
  std::size_t arc = 32;
  std::size_t label = 16;
  std::string tags = "NN NNS DT VBG VBZ IN JJ CD .";
  std::string relations = "det root nsubj dobj nmod case amod punct";
  std::string vocabulary = "a\nman\nmen\ndog\nis\nriding\nhorse\non\nthe\nbeach\n.\nred\n";
};

class SmallParserModel {
 public:
  SmallParserModel(const ParserSizes& sizes, std::uint64_t seed) : sizes_(sizes), random_(seed) {
    vocabulary();
    for (const auto& [name, rows] :
         {std::pair<const char*, std::size_t>{"affix", sizes.affixes}, {"shape", 64}, {"special", 2}}) {
      table(name, rows);
    }
    norm("embed_norm");
    for (std::size_t number = 0; number < sizes.layers; ++number) layer(number);
    const std::size_t states = 2 * sizes.hidden;
    linear("tag", count(sizes.tags), states);
    linear("arc_sides", 2 * sizes.arc, states);
    linear("arc", sizes.arc, sizes.arc);
    linear("label_sides", 2 * sizes.label, states);
    linear("relation", count(sizes.relations), sizes.label);
    metadata_ = {{"format", "capella-parser-1"},
                 {"width", std::to_string(sizes.width)},
                 {"layers", std::to_string(sizes.layers)},
                 {"hidden", std::to_string(sizes.hidden)},
                 {"affixes", std::to_string(sizes.affixes)},
                 {"arc", std::to_string(sizes.arc)},
                 {"label", std::to_string(sizes.label)},
                 {"tags", sizes.tags},
                 {"relations", sizes.relations}};
  }

  tensor::Metadata& metadata() { return metadata_; }
  std::vector<tensor::NamedTensor>& tensors() { return tensors_; }
  std::string bytes() const { return tensor::safetensors_bytes(tensors_, metadata_); }

 private:
  static std::size_t count(std::string_view names) {
    std::size_t spaces = 0;
    for (const char c : names) spaces += c == ' ';
    return spaces + 1;
  }

  float uniform(float most) {
    return (static_cast<float>(random_() % 2'000'001) / 1'000'000.0f - 1.0f) * most;
  }

  void floats(const std::string& name, tensor::Shape shape, float middle, float reach) {
    std::size_t size = 1;
    for (const std::size_t side : shape) size *= side;
    std::vector<float> values(size);
    for (float& value : values) value = middle + uniform(reach);
    tensors_.push_back(tensor::named_tensor<float>(name, std::move(shape), values));
  }

  void bytes(const std::string& name, std::size_t rows, std::size_t columns) {
    std::vector<std::int8_t> values(rows * columns);
    for (std::int8_t& value : values)
      value = static_cast<std::int8_t>(static_cast<int>(random_() % 255) - 127);
    tensors_.push_back(tensor::named_tensor<std::int8_t>(name, {rows, columns}, values));
  }

  void table(const std::string& name, std::size_t rows) {
    bytes(name + ".weight", rows, sizes_.width);
    floats(name + ".scale", {rows}, 0.01f, 0.002f);
  }

  void vocabulary() {
    const std::string& words = sizes_.vocabulary;
    const std::vector<std::uint8_t> text(words.begin(), words.end());
    tensors_.push_back(tensor::named_tensor<std::uint8_t>("vocabulary", {text.size()}, text));
    std::size_t lines = 0;
    for (const char c : words) lines += c == '\n';
    table("word", lines + 1);
  }

  void norm(const std::string& name) {
    floats(name + ".weight", {sizes_.width}, 1.0f, 0.3f);
    floats(name + ".bias", {sizes_.width}, 0.0f, 0.3f);
  }

  void linear(const std::string& name, std::size_t outputs, std::size_t inputs) {
    const float scale = 1.5f / 127.0f / std::sqrt(static_cast<float>(inputs));
    bytes(name + ".weight", outputs, inputs);
    floats(name + ".scale", {outputs}, scale, 0.2f * scale);
    floats(name + ".bias", {outputs}, 0.0f, 0.2f);
  }

  void layer(std::size_t number) {
    const std::string name = "layer." + std::to_string(number) + ".";
    const std::size_t gates = 4 * sizes_.hidden;
    linear(name + "input", 2 * gates, number == 0 ? sizes_.width : 2 * sizes_.hidden);
    linear(name + "forward", gates, sizes_.hidden);
    linear(name + "backward", gates, sizes_.hidden);
  }

  ParserSizes sizes_;
  std::mt19937_64 random_;
  tensor::Metadata metadata_;
  std::vector<tensor::NamedTensor> tensors_;
};

}  // namespace capella::test
