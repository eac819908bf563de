// Files of caption generators: any bytes, and any damage to a good file, give a FileError or a model that is
// written again as it was.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/damaged_sample.h"
#include "fuzz/memory_file.h"
#include "method/pregen/generator_file.h"

namespace {

using capella::fuzz::put;
using namespace capella::method::pregen;

std::string small_model() {
  GeneratorModel model;
  model.vocabulary = Vocabulary({"<EDG>", "<UNK>", "a", "dog"});
  model.recipe = recipe(Architecture::par, 4, 3);
  model.recipe.size = 2;
  model.facts.epochs = {{0, 2}, {.5, 1.5}};
  model.facts.best_epoch = 1;
  const std::size_t others = parameter_count(model.recipe) - 4;
  model.arrays = {{"nn/out/b", {4}, {1, 2, 3, 4}}, {"nn/rest", {others}, std::vector<float>(others, .5f)}};
  return generator_bytes(model, GeneratorFile::model);
}

// A good file with some bytes changed.
std::string damaged(FuzzedDataProvider& input) {
  static const std::string whole = small_model();
  return capella::fuzz::with_changed_bytes(whole, input);
}

void read(const std::string& bytes) {
  try {
    const GeneratorModel model = read_generator(put(bytes), GeneratorFile::model);
    if (4 * parameter_count(model.recipe) > bytes.size()) __builtin_trap();
    const std::string again = generator_bytes(model, GeneratorFile::model);
    if (generator_bytes(read_generator(put(again), GeneratorFile::model), GeneratorFile::model) != again)
      __builtin_trap();
  } catch (const capella::FileError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  read(damaged(input));
  return 0;
}
