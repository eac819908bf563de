#include "method/pregen/generator_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash_values.h"
#include "base/names.h"
#include "method/pregen/generator_header.h"
#include "tensor/safetensors.h"

namespace capella::method::pregen {
namespace {

using tensor::NamedTensor;
using tensor::Safetensors;

constexpr const char* kWordsKey = "vocabulary";
constexpr const char* kKeys[] = {"capella.generator", "capella.checkpoint"};

std::string key_of(GeneratorFile kind) {
  return kKeys[static_cast<std::size_t>(kind)];
}

// Arrays by name.
using Sorted = std::vector<const NetworkArray*>;

Sorted sorted(const std::vector<NetworkArray>& arrays) {
  Sorted order;
  for (const NetworkArray& array : arrays) order.push_back(&array);
  std::ranges::sort(order, {}, [](const NetworkArray* array) -> const std::string& { return array->name; });
  return order;
}

std::uint64_t hash_of_arrays(const GeneratorModel& model) {
  std::uint64_t hash = hash_bytes(words_text(model.vocabulary));
  for (const NetworkArray* array : sorted(model.arrays)) {
    for (const std::uint64_t next :
         {hash_bytes(array->name), hash_values(array->shape), hash_values(array->values)})
      hash = hash_combine(hash, next);
  }
  return hash;
}

std::size_t learnt_numbers(const GeneratorModel& model) {
  std::size_t numbers = 0;
  for (const NetworkArray& array : model.arrays) {
    if (!array.name.starts_with(kOptimiser)) numbers += array.values.size();
  }
  return numbers;
}

// What is wrong with a model, empty if nothing is. A recipe for more numbers than there are would make the
// network allocate them.
std::string problem_of(const GeneratorModel& model) {
  std::string problem = header_problem(model);
  if (!problem.empty()) return problem;
  if (const std::size_t found = learnt_numbers(model); found != parameter_count(model.recipe))
    return fmt::format("the network's arrays have {} numbers, but its recipe is one for {}", found,
                       parameter_count(model.recipe));
  for (const NetworkArray& array : model.arrays) {
    if (!std::ranges::all_of(array.values, [](float value) { return std::isfinite(value); }))
      return fmt::format("array '{}' has a number that is not finite", excerpt(array.name));
  }
  return "";
}

Safetensors open(const std::string& path, const char* remedy) {
  try {
    return Safetensors(path);
  } catch (const FileError& error) {
    throw FileError(
        fmt::format("{}; expected a file that 'capella pregen train' wrote; {}", error.what(), remedy));
  }
}

GeneratorModel read(const Safetensors& file, GeneratorFile kind) {
  const std::string key = key_of(kind);
  if (kind == GeneratorFile::model && file.metadata().contains(key_of(GeneratorFile::checkpoint)))
    throw DataError("a checkpoint of a training that has not ended, expected a trained model");
  GeneratorHeader header = read_header(file.text(key), key);
  header.model.vocabulary = read_words(file.text(kWordsKey));
  for (const auto& [name, found] : file.tensors()) {
    const auto values = file.values<float>(name, found.shape);
    header.model.arrays.push_back({name, found.shape, {values.begin(), values.end()}});
  }
  if (const std::string problem = problem_of(header.model); !problem.empty()) throw DataError(problem);
  if (hash_of_arrays(header.model) != header.arrays_hash)
    throw DataError("words or numbers were changed after it was written");
  return std::move(header.model);
}

}  // namespace

GeneratorModel read_generator(const std::string& path, GeneratorFile kind) {
  const char* remedy =
      kind == GeneratorFile::model ? "train it again, or give another file" : "begin anew with --restart";
  const Safetensors file = open(path, remedy);
  try {
    return read(file, kind);
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; {}", error.what(), remedy));
  } catch (const DataError& error) {
    throw FileError(fmt::format("{}: {}; {}", path, error.what(), remedy));
  }
}

std::string generator_bytes(const GeneratorModel& model, GeneratorFile kind) {
  if (const std::string problem = problem_of(model); !problem.empty())
    throw DataError(fmt::format("the caption generator cannot be written: {}", problem));
  std::vector<NamedTensor> tensors;
  for (const NetworkArray* array : sorted(model.arrays))
    tensors.push_back(tensor::named_tensor<float>(array->name, array->shape, array->values));
  return tensor::safetensors_bytes(tensors, {{key_of(kind), header_text(model, hash_of_arrays(model))},
                                             {kWordsKey, words_text(model.vocabulary)}});
}

void write_generator(const std::string& path, const GeneratorModel& model, GeneratorFile kind) {
  write_file_atomically(path, generator_bytes(model, kind));
}

}  // namespace capella::method::pregen
