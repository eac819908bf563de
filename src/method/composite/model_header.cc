#include "method/composite/model_header.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/json_text.h"
#include "base/names.h"
#include "method/json_fields.h"

namespace capella::method::composite {
namespace {

using nlohmann::json;  // sorts its keys

constexpr int kHeaderVersion = 1;
constexpr std::array<std::string_view, 4> kTokenizers = {"ptb", "13a", "none", "karpathy"};

json optional_number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json input_json(const Input& input) {
  return {{"score", input.score},     {"metric", input.metric}, {"settings", input.settings},
          {"choices", input.choices}, {"shift", input.shift},   {"scale", input.scale},
          {"mean", input.mean}};
}

json origin_json(const Origin& origin) {
  return {{"data", origin.data},
          {"humans", origin.humans},
          {"seed", origin.seed},
          {"epochs", origin.epochs},
          {"validation_tau_b", optional_number(origin.validation_tau_b)},
          {"validation_tau_c", optional_number(origin.validation_tau_c)},
          {"held_out_accuracy", optional_number(origin.held_out_accuracy)},
          {"version", origin.version}};
}

Input read_input(const json& object, std::size_t number) {
  Fields fields(object, fmt::format("'{}': input {}", kHeaderKey, number));
  Input input;
  input.score = fields.text("score");
  input.metric = fields.text("metric");
  input.settings = fields.texts("settings");
  input.choices = fields.text("choices");
  input.shift = fields.number("shift");
  input.scale = fields.number("scale");
  input.mean = fields.number("mean");
  fields.end();
  return input;
}

Origin read_origin(const json& object) {
  Fields fields(object, fmt::format("'{}': 'origin'", kHeaderKey));
  Origin origin;
  origin.data = fields.text("data");
  origin.humans = fields.text("humans");
  origin.seed = fields.whole("seed");
  origin.epochs = fields.whole("epochs");
  origin.validation_tau_b = fields.number_or_nan("validation_tau_b");
  origin.validation_tau_c = fields.number_or_nan("validation_tau_c");
  origin.held_out_accuracy = fields.number_or_nan("held_out_accuracy");
  origin.version = fields.text("version");
  fields.end();
  return origin;
}

std::string input_problem(const Input& input) {
  if (input.score.empty() || input.metric.empty()) return "an input has no name";
  for (const double value : {input.shift, input.scale, input.mean}) {
    if (!std::isfinite(value))
      return fmt::format("input '{}' has {} as shift, scale or mean", excerpt(input.score), value);
  }
  return input.scale == 0 ? fmt::format("input '{}' has the scale 0", excerpt(input.score)) : "";
}

}  // namespace

std::string header_text(const Model& model) {
  json inputs = json::array();
  for (const Input& input : model.inputs) inputs.push_back(input_json(input));
  const json header = {{"format", kHeaderVersion},
                       {"name", model.name},
                       {"tokenizer", model.tokenizer},
                       {"inputs", std::move(inputs)},
                       {"origin", origin_json(model.origin)}};
  return json_text(header);
}

Model read_header(const std::string& text) {
  const json header = json::parse(text, nullptr, false);
  if (header.is_discarded()) throw DataError(fmt::format("'{}' is not JSON", kHeaderKey));
  Fields fields(header, fmt::format("'{}'", kHeaderKey));
  if (const std::uint64_t format = fields.whole("format"); format != kHeaderVersion) {
    throw DataError(fmt::format("'{}': found format {}, expected {}", kHeaderKey, format, kHeaderVersion));
  }
  Model model;
  model.name = fields.text("name");
  model.tokenizer = fields.text("tokenizer");
  const json& inputs = fields.take("inputs");
  if (!inputs.is_array()) throw DataError(fmt::format("'{}': 'inputs' is not a list", kHeaderKey));
  for (const json& input : inputs) model.inputs.push_back(read_input(input, model.inputs.size() + 1));
  model.origin = read_origin(fields.take("origin"));
  fields.end();
  return model;
}

std::string header_problem(const Model& model) {
  if (model.name.empty()) return "the metric has no name";
  const auto odd = [](unsigned char c) { return c < 0x20 || c == 0x7F || c == '|'; };
  if (std::any_of(model.name.begin(), model.name.end(), odd))
    return "the metric's name has '|' or a control character";
  if (std::find(kTokenizers.begin(), kTokenizers.end(), model.tokenizer) == kTokenizers.end()) {
    return fmt::format("found the tokenizer '{}', expected {}", excerpt(model.tokenizer),
                       fmt::join(kTokenizers, ", "));
  }
  if (model.inputs.empty()) return "the metric has no inputs";
  for (const Input& input : model.inputs) {
    if (const std::string problem = input_problem(input); !problem.empty()) return problem;
  }
  return "";
}

}  // namespace capella::method::composite
