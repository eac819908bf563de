#include "method/composite/model.h"

#include <cmath>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"
#include "method/composite/model_header.h"
#include "tensor/safetensors.h"

namespace capella::method::composite {
namespace {

using tensor::NamedTensor;
using tensor::Safetensors;

std::string weight_name(std::size_t layer) {
  return fmt::format("layer{}.weight", layer + 1);
}

std::string bias_name(std::size_t layer) {
  return fmt::format("layer{}.bias", layer + 1);
}

Layer read_layer(const Safetensors& file, std::size_t number) {
  const tensor::Shape& shape = file.tensor(weight_name(number)).shape;
  if (shape.size() != 2) {
    throw DataError(fmt::format("tensor '{}' has {} dimensions, expected outputs x inputs",
                                weight_name(number), shape.size()));
  }
  const auto weights = file.values<float>(weight_name(number), shape);
  const auto biases = file.values<float>(bias_name(number), {shape[0]});
  return {.inputs = shape[1],
          .outputs = shape[0],
          .weights = {weights.begin(), weights.end()},
          .biases = {biases.begin(), biases.end()}};
}

Network read_network(const Safetensors& file) {
  const std::size_t tensors = file.tensors().size();
  if (tensors == 0 || tensors % 2 != 0) {
    throw DataError(fmt::format("found {} tensors, expected a weight and a bias for each layer", tensors));
  }
  Network network;
  for (std::size_t l = 0; l < tensors / 2; ++l) network.layers.push_back(read_layer(file, l));
  return network;
}

std::string layer_problem(const Layer& layer, std::size_t number, std::size_t inputs) {
  if (layer.inputs != inputs) {
    return fmt::format("layer {} takes {} numbers and is given {}", number + 1, layer.inputs, inputs);
  }
  if (layer.outputs == 0) return fmt::format("layer {} has no outputs", number + 1);
  if (layer.weights.size() != layer.inputs * layer.outputs || layer.biases.size() != layer.outputs) {
    return fmt::format("layer {} of {} x {} has {} weights and {} biases", number + 1, layer.outputs,
                       layer.inputs, layer.weights.size(), layer.biases.size());
  }
  return is_finite({{layer}}) ? "" : fmt::format("layer {} has a number that is not finite", number + 1);
}

// What is wrong with a model, empty if nothing is.
std::string problem_of(const Model& model) {
  std::string problem = header_problem(model);
  std::size_t width = model.inputs.size();
  for (std::size_t l = 0; problem.empty() && l < model.network.layers.size(); ++l) {
    problem = layer_problem(model.network.layers[l], l, width);
    width = model.network.layers[l].outputs;
  }
  if (!problem.empty()) return problem;
  if (model.network.layers.empty()) return "the network has no layers";
  return width == 2 ? "" : fmt::format("the last layer has {} outputs, expected 2", width);
}

Safetensors open(const std::string& path) {
  std::error_code unknown;  // whoever opens it then says what is wrong
  if (std::filesystem::is_directory(path, unknown))
    throw FileError(path + ": is a folder, expected a file that 'capella composite train' wrote");
  try {
    return Safetensors(path);
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; expected a file that 'capella composite train' wrote", error.what()));
  }
}

}  // namespace

Model read_model(const std::string& path) {
  const Safetensors file = open(path);
  std::string problem;
  try {
    Model model = read_header(file.text(kHeaderKey));
    model.network = read_network(file);
    problem = problem_of(model);
    if (problem.empty()) return model;
    problem = fmt::format("{}: {}", path, problem);
  } catch (const FileError& error) {
    problem = error.what();
  } catch (const DataError& error) {
    problem = fmt::format("{}: {}", path, error.what());
  }
  throw FileError(problem + "; train it again with 'capella composite train'");
}

std::string model_bytes(const Model& model) {
  if (const std::string problem = problem_of(model); !problem.empty()) {
    throw DataError(fmt::format("composite metric '{}' cannot be written: {}", model.name, problem));
  }
  std::vector<NamedTensor> tensors;
  for (std::size_t l = 0; l < model.network.layers.size(); ++l) {
    const Layer& layer = model.network.layers[l];
    tensors.push_back(
        tensor::named_tensor<float>(weight_name(l), {layer.outputs, layer.inputs}, layer.weights));
    tensors.push_back(tensor::named_tensor<float>(bias_name(l), {layer.outputs}, layer.biases));
  }
  return tensor::safetensors_bytes(tensors, {{kHeaderKey, header_text(model)}});
}

void write_model(const std::string& path, const Model& model) {
  write_file_atomically(path, model_bytes(model));
}

std::uint64_t fingerprint(const Model& model) {
  return hash_bytes(model_bytes(model));
}

std::vector<double> network_inputs(const Model& model, std::span<const double> scores) {
  if (scores.size() != model.inputs.size()) {
    throw UsageError(fmt::format("composite metric '{}' has {} inputs and was given {} scores", model.name,
                                 model.inputs.size(), scores.size()));
  }
  std::vector<double> values;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const Input& input = model.inputs[k];
    if (!std::isfinite(scores[k])) {
      throw DataError(fmt::format("composite metric '{}': found {} {}, expected a finite number", model.name,
                                  input.score, scores[k]));
    }
    values.push_back((scores[k] - input.shift) * input.scale);
    if (!std::isfinite(values.back())) {
      throw DataError(fmt::format("composite metric '{}': {} {} is too far from what it was trained on",
                                  model.name, input.score, scores[k]));
    }
  }
  return values;
}

double score(const Model& model, std::span<const double> scores) {
  const double answer = probability(model.network, network_inputs(model, scores));
  if (!std::isfinite(answer)) {
    throw DataError(
        fmt::format("composite metric '{}': its network has no answer to these scores; train it again with "
                    "'capella composite train'",
                    model.name));
  }
  return answer;
}

}  // namespace capella::method::composite
