// Files of composite metrics: any bytes, and any damage to a good file, give a FileError or a model that
// scores, explains and is written again byte by byte.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/damaged_sample.h"
#include "fuzz/memory_file.h"
#include "method/composite/model.h"
#include "method/composite/shapley.h"

namespace {

using capella::fuzz::put;
using namespace capella::method::composite;

std::string small_model() {
  Model model;
  model.name = "small";
  model.tokenizer = "ptb";
  model.inputs.resize(2);
  model.inputs[0].score = model.inputs[0].metric = "a";
  model.inputs[1].score = model.inputs[1].metric = "b";
  model.inputs[1].settings = {{"c", "d"}};
  capella::Random random(1);
  model.network = make_network(std::vector<std::size_t>{2, 3, 2}, random);
  return model_bytes(model);
}

// A good file with some bytes changed.
std::string damaged_model(FuzzedDataProvider& input) {
  static const std::string whole = small_model();
  return capella::fuzz::with_changed_bytes(whole, input);
}

void read(const std::string& bytes) {
  try {
    const Model model = read_model(put(bytes));
    const std::vector<double> scores(model.inputs.size(), 0.5);
    [[maybe_unused]] const volatile double answer = score(model, scores);
    if (scores.size() <= 6 && explain_inputs(model, scores).shares.size() != scores.size()) __builtin_trap();
    const std::string again = model_bytes(model);
    if (model_bytes(read_model(put(again))) != again) __builtin_trap();
  } catch (const capella::FileError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  read(damaged_model(input));
  return 0;
}
