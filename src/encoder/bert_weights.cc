#include "encoder/bert_weights.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/names.h"
#include "encoder/activation.h"
#include "encoder/model_checks.h"

namespace capella::encoder {
namespace {

constexpr std::string_view kWords = "embeddings.word_embeddings.weight";
constexpr std::size_t kMaxBertLayers = 1000;

// The files name no architecture reliably: the configuration does, else the names of a RoBERTa's tensors.
bool is_roberta(const ModelFolder& folder, const std::string& prefix) {
  const std::string kind =
      folder.text("model_type").value_or(prefix.ends_with("roberta.") ? "roberta" : "bert");
  constexpr std::array<std::string_view, 3> kWithPadding = {"roberta", "xlm-roberta", "camembert"};
  if (std::ranges::find(kWithPadding, kind) != kWithPadding.end()) return true;
  if (kind != "bert")
    folder.reject(
        fmt::format("the configuration's 'model_type' is '{}', expected bert or roberta", excerpt(kind)));
  return false;
}

void check_positions(const ModelFolder& folder) {
  const std::string kind = folder.text("position_embedding_type").value_or("absolute");
  if (kind != "absolute")
    folder.reject(fmt::format("the configuration's 'position_embedding_type' is '{}', expected absolute",
                              excerpt(kind)));
}

std::string find_prefix(const ModelFolder& folder) {
  const std::optional<std::string> prefix = folder.prefix_of(kWords);
  if (!prefix)
    folder.reject(fmt::format("there is no tensor '{}', expected the weights of a BERT or RoBERTa", kWords));
  return *prefix;
}

LayerNames layer_names(const std::string& prefix, std::size_t number) {
  const std::string layer = fmt::format("{}encoder.layer.{}.", prefix, number);
  return {.query = layer + "attention.self.query",
          .key = layer + "attention.self.key",
          .value = layer + "attention.self.value",
          .in_projection = {},
          .out = layer + "attention.output.dense",
          .first_norm = layer + "attention.output.LayerNorm",
          .up = layer + "intermediate.dense",
          .down = layer + "output.dense",
          .second_norm = layer + "output.LayerNorm"};
}

// A table whose number of rows the file says.
std::vector<float> read_table(const ModelFolder& folder, const std::string& name, std::size_t width,
                              std::size_t& rows) {
  const tensor::Shape shape = folder.shape(name);
  rows = shape.empty() ? 0 : shape.front();
  std::vector<float> values = folder.floats(name, {rows, width});
  if (values.empty()) folder.reject(fmt::format("tensor '{}' is empty", name));
  return values;
}

// Sizes that the configuration tells, too.
void expect_sizes(const ModelFolder& folder, const std::string& prefix) {
  const std::string tables = prefix + "embeddings.";
  for (const ToldSize& size : {ToldSize{"hidden_size", prefix + std::string(kWords), 1},
                               ToldSize{"vocab_size", prefix + std::string(kWords), 0},
                               ToldSize{"max_position_embeddings", tables + "position_embeddings.weight", 0},
                               ToldSize{"type_vocab_size", tables + "token_type_embeddings.weight", 0},
                               ToldSize{"intermediate_size", layer_names(prefix, 0).up + ".weight", 0}})
    expect_size(folder, size);
}

}  // namespace

BertLayout bert_layout(const ModelFolder& folder) {
  check_positions(folder);
  BertLayout layout;
  layout.prefix = find_prefix(folder);
  layout.shape.width = folder.number("hidden_size");
  layout.shape.heads = folder.number("num_attention_heads");
  layout.shape.inner = folder.number("intermediate_size");
  layout.shape.activation = activation(folder, "hidden_act", tensor::After::kGelu);
  layout.shape.epsilon = static_cast<float>(folder.real("layer_norm_eps", 1e-12, 1.0));
  layout.layers = folder.number("num_hidden_layers", {}, kMaxBertLayers);
  expect_sizes(folder, layout.prefix);
  expect_heads(folder, "num_attention_heads", layout.shape.heads, layout.shape.width);
  expect_layers(folder, "num_hidden_layers", layout.prefix + "encoder.layer.");
  if (!is_roberta(folder, layout.prefix)) return layout;
  layout.padding = static_cast<std::int32_t>(folder.number("pad_token_id", 1));
  layout.first_position = static_cast<std::size_t>(*layout.padding) + 1;
  return layout;
}

Bert::Parts::Parts(const ModelFolder& folder, Precision precision) : path(folder.path()) {
  BertLayout layout = bert_layout(folder);
  layout.shape.precision = precision;
  check_shape(folder, layout.shape);
  first_position = layout.first_position;
  padding = layout.padding;
  read_embeddings(folder, layout);
  read_layers(folder, layout);
}

void Bert::Parts::read_embeddings(const ModelFolder& folder, const BertLayout& layout) {
  const std::string& prefix = layout.prefix;
  const std::size_t width = layout.shape.width;
  std::size_t kinds = 0;
  words = read_table(folder, prefix + std::string(kWords), width, vocabulary);
  places = read_table(folder, prefix + "embeddings.position_embeddings.weight", width, positions);
  text_kinds = read_table(folder, prefix + "embeddings.token_type_embeddings.weight", width, kinds);
  text_kinds.resize(std::min<std::size_t>(kinds, 2) * width);
  norm = read_norm(folder, prefix + "embeddings.LayerNorm", width, layout.shape.epsilon);
  if (positions <= first_position)
    folder.reject(fmt::format("there are {} positions, the first of which is {}", positions, first_position));
}

void Bert::Parts::read_layers(const ModelFolder& folder, const BertLayout& layout) {
  std::vector<LayerNames> names;
  for (std::size_t number = 0; number < layout.layers; ++number)
    names.push_back(layer_names(layout.prefix, number));
  layers = Transformer(folder, layout.shape, names);
  const std::string name = layout.prefix + "pooler.dense";
  if (folder.has(name + ".weight"))
    pooler = read_linear(folder, name, layout.shape.width, layout.shape.width);
}

}  // namespace capella::encoder
