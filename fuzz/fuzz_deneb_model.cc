// Files of learned metrics: any bytes, and any damage to a good file (ours, or one with the arrays of the
// authors' program), give a FileError or a model that is written again as it was, and whose network is
// refused or scores.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/damaged_sample.h"
#include "fuzz/memory_file.h"
#include "method/deneb/model_file.h"
#include "method/deneb/scorer.h"
#include "support/deneb_arrays.h"

namespace {

using capella::fuzz::put;
using capella::method::NetworkFile;
using namespace capella::method::deneb;

Recipe small_recipe(Architecture architecture) {
  Recipe made = recipe(architecture);
  made.clip_width = 3;
  made.sentence_width = 2;
  made.sentence_layers = 2;
  made.width = 16;
  made.layers = 1;
  made.heads = 2;
  made.feed_forward = 4;
  made.hidden = {3, 2};
  return made;
}

std::string small_model(Architecture architecture) {
  Model model;
  model.recipe = small_recipe(architecture);
  model.arrays = capella::test::DenebArrays(model.recipe, 1).arrays;
  model.encoders.clip = EncoderFacts{"c", "1"};
  model.encoders.sentence = EncoderFacts{"s", "2"};
  model.encoders.image = ImageFacts{8, {.5f, .5f, .5f}, {1, 1, 1}};
  model.facts.epochs = {{0, .5}, {.25, .75}};
  model.facts.best_epoch = 1;
  return model_bytes(model, NetworkFile::model);
}

std::string released_arrays() {
  return capella::method::network_file_bytes(
      capella::test::DenebArrays(small_recipe(Architecture::released), 1).arrays, {});
}

// A good file with some bytes changed.
std::string damaged(FuzzedDataProvider& input) {
  static const std::string whole[] = {small_model(Architecture::released), small_model(Architecture::paper),
                                      small_model(Architecture::polos), released_arrays()};
  return capella::fuzz::with_changed_bytes(whole[input.ConsumeIntegralInRange(0, 3)], input);
}

void score(const Model& model) {
  const Scorer scorer(model, "fuzz");
  const capella::test::DenebTables tables(model.recipe, 2, 3, 1);
  const Samples samples = capella::test::deneb_samples(2, 2, 3, 2, 1);
  static capella::ThreadPool pool(1);
  try {
    if (scorer.scores(tables.features, samples, {}, pool, {}).size() != 2) __builtin_trap();
  } catch (const capella::FileError&) {
    __builtin_trap();                    // the file is read by now
  } catch (const capella::DataError&) {  // of the authors' program: there are no statistics
  }
}

void read(const std::string& bytes) {
  try {
    const Model model = read_model(put(bytes), {2});
    if (4 * parameter_count(model.recipe) > bytes.size()) __builtin_trap();
    if (model.has_facts()) {
      const std::string again = model_bytes(model, NetworkFile::model);
      if (model_bytes(read_model(put(again)), NetworkFile::model) != again) __builtin_trap();
    }
    score(model);
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
