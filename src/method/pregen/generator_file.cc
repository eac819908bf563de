#include "method/pregen/generator_file.h"

#include <fmt/format.h>

#include "capella/error.h"

#include "base/hash.h"
#include "method/pregen/generator_header.h"

namespace capella::method::pregen {
namespace {

constexpr const char* kWordsKey = "vocabulary";
constexpr NetworkFormat kFormat = {"capella.generator", "capella.checkpoint", "capella pregen train"};

std::uint64_t hash_of(const GeneratorModel& model) {
  return hash_of_arrays(model.arrays, hash_bytes(words_text(model.vocabulary)));
}

// What is wrong with a model, empty if nothing is. A recipe for more numbers than there are would make the
// network allocate them.
std::string problem_of(const GeneratorModel& model) {
  std::string problem = header_problem(model);
  if (!problem.empty()) return problem;
  if (const std::size_t found = learnt_numbers(model.arrays); found != parameter_count(model.recipe))
    return fmt::format("the network's arrays have {} numbers, but its recipe is one for {}", found,
                       parameter_count(model.recipe));
  return number_problem(model.arrays);
}

GeneratorModel read(const tensor::Safetensors& file, GeneratorFile kind) {
  const std::string key = kFormat.key(kind);
  GeneratorHeader header = read_header(file.text(key), key);
  header.model.vocabulary = read_words(file.text(kWordsKey));
  header.model.arrays = arrays_of(file);
  if (const std::string problem = problem_of(header.model); !problem.empty()) throw DataError(problem);
  if (hash_of(header.model) != header.arrays_hash)
    throw DataError("words or numbers were changed after it was written");
  return std::move(header.model);
}

// The texts of a file; throws DataError if it could not be read again.
tensor::Metadata texts_of(const GeneratorModel& model, GeneratorFile kind) {
  if (const std::string problem = problem_of(model); !problem.empty())
    throw DataError(fmt::format("the caption generator cannot be written: {}", problem));
  return {{kFormat.key(kind), header_text(model, hash_of(model))}, {kWordsKey, words_text(model.vocabulary)}};
}

}  // namespace

GeneratorModel read_generator(const std::string& path, GeneratorFile kind) {
  GeneratorModel model;
  read_network_file(path, kFormat, kind, [&](const tensor::Safetensors& file) { model = read(file, kind); });
  return model;
}

std::string generator_bytes(const GeneratorModel& model, GeneratorFile kind) {
  return network_file_bytes(model.arrays, texts_of(model, kind), kind);
}

void write_generator(const std::string& path, const GeneratorModel& model, GeneratorFile kind) {
  write_network_file(path, model.arrays, texts_of(model, kind), kind);
}

}  // namespace capella::method::pregen
