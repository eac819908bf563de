#include "method/deneb/model_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/hash.h"
#include "method/deneb/model_header.h"
#include "method/deneb/released_layout.h"

namespace capella::method::deneb {
namespace {

constexpr NetworkFormat kFormat = {"capella.deneb", "capella.deneb.checkpoint", "capella deneb train"};
constexpr std::string_view kBest = "best/";  // before the names of the best epoch's arrays

bool mixes(const Recipe& recipe) {
  return recipe.sentence_width > 0 && recipe.sentence_layers > 1;
}

// All numbers of a network: those that are learnt, and the statistics of layers.
std::size_t numbers_of(const Recipe& recipe, bool statistics) {
  return parameter_count(recipe) + (statistics ? 2 * recipe.sentence_layers : 0);
}

// What is wrong with the arrays, empty if nothing is. A recipe for more numbers than there are would make the
// network allocate them.
std::string array_problem(const Recipe& recipe, std::span<const NetworkArray> arrays, bool statistics) {
  if (const std::size_t found = learnt_numbers(arrays); found != numbers_of(recipe, statistics))
    return fmt::format("the network's arrays have {} numbers, but its recipe is one for {}", found,
                       numbers_of(recipe, statistics));
  return number_problem(arrays);
}

std::string problem_of(const Model& model) {
  std::string problem = header_problem(model);
  if (problem.empty()) problem = array_problem(model.recipe, model.arrays, mixes(model.recipe));
  if (problem.empty() && !model.best.empty())
    problem = array_problem(model.recipe, model.best, mixes(model.recipe));
  return problem;
}

std::uint64_t hash_of(const Model& model) {
  return hash_of_arrays(model.best, hash_of_arrays(model.arrays, 0));
}

// All arrays, the best epoch's under names of their own.
std::vector<NetworkArray> stored_arrays(const Model& model) {
  std::vector<NetworkArray> all = model.arrays;
  for (const NetworkArray& array : model.best)
    all.push_back({std::string(kBest) + array.name, array.shape, array.values});
  return all;
}

void take_arrays(std::vector<NetworkArray> all, Model& model) {
  for (NetworkArray& array : all) {
    const bool best = array.name.starts_with(kBest);
    if (best) array.name.erase(0, kBest.size());
    (best ? model.best : model.arrays).push_back(std::move(array));
  }
}

Model read(const tensor::Safetensors& file, NetworkFile kind) {
  const std::string key = kFormat.key(kind);
  ModelHeader header = read_header(file.text(key), key);
  take_arrays(arrays_of(file), header.model);
  if (const std::string problem = problem_of(header.model); !problem.empty()) throw DataError(problem);
  if (hash_of(header.model) != header.arrays_hash)
    throw DataError("its numbers were changed after it was written");
  return std::move(header.model);
}

Model read_only_header(const tensor::Safetensors& file) {
  const std::string key = kFormat.key(NetworkFile::model);
  Model model = read_header(file.text(key), key).model;
  if (const std::string problem = header_problem(model); !problem.empty()) throw DataError(problem);
  return model;
}

// Of the authors' program; the header's facts are not there.
Model read_others(const std::string& path, const ModelReading& reading) {
  Model model = read_released(path, reading);
  std::string problem = recipe_problem(model.recipe);
  const bool statistics = mixes(model.recipe) && model.recipe.mix == MixStatistics::frozen;
  if (problem.empty()) problem = array_problem(model.recipe, model.arrays, statistics);
  if (!problem.empty()) throw DataError(problem);
  return model;
}

Model read_kind(const std::string& path, NetworkFile kind, const ModelReading& reading) {
  Model model;
  read_network_file(path, kFormat, kind, [&](const tensor::Safetensors& file) {
    const bool ours = kind == NetworkFile::checkpoint || file.metadata().contains(kFormat.model);
    model = ours ? read(file, kind) : read_others(path, reading);
  });
  return model;
}

// The texts of a file; throws DataError if it could not be read again.
tensor::Metadata texts_of(const Model& model, NetworkFile kind) {
  if (const std::string problem = problem_of(model); !problem.empty())
    throw DataError(fmt::format("the network cannot be written: {}", problem));
  return {{kFormat.key(kind), header_text(model, hash_of(model))}};
}

}  // namespace

bool Model::is_stable() const {
  return !mixes(recipe) || recipe.mix == MixStatistics::frozen || has_facts();
}

Model read_model(const std::string& path, const ModelReading& reading) {
  return read_kind(path, NetworkFile::model, reading);
}

Model read_model_header(const std::string& path, const ModelReading& reading) {
  Model model;
  read_network_file(path, kFormat, NetworkFile::model, [&](const tensor::Safetensors& file) {
    const bool ours = file.metadata().contains(kFormat.model);
    model = ours ? read_only_header(file) : read_others(path, reading);
    model.arrays.clear();
  });
  return model;
}

Model read_checkpoint(const std::string& path) {
  return read_kind(path, NetworkFile::checkpoint, {});
}

void refuse_heads(const std::string& path, const Model& model, const std::string& option) {
  if (model.has_facts())
    throw UsageError(
        fmt::format("{}: the file itself tells the heads of its network; leave out {}", path, option));
}

void write_model(const std::string& path, const Model& model, NetworkFile kind) {
  const tensor::Metadata texts = texts_of(model, kind);
  if (model.best.empty()) return write_network_file(path, model.arrays, texts, kind);
  write_network_file(path, stored_arrays(model), texts, kind);
}

std::string model_bytes(const Model& model, NetworkFile kind) {
  const tensor::Metadata texts = texts_of(model, kind);
  return network_file_bytes(stored_arrays(model), texts, kind);
}

std::uint64_t fingerprint(const Model& model) {
  return hash_bytes(header_text(model, hash_of(model)));
}

}  // namespace capella::method::deneb
