// Texts that must not be learnt from: those of benchmarks that something is going to be tested on. Benchmarks
// name their images in many ways, but all have their captions.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tsl/robin_set.h>

#include "capella/dataset.h"

namespace capella::pipeline {

class HeldOutTexts {
 public:
  /// The form in which texts are compared; those whose form is empty are never found.
  using Form = std::string (*)(std::string_view text);

  explicit HeldOutTexts(Form form) : form_(form) {}

  /// All that is written there: references and captions.
  void add(const Dataset& dataset) {
    for (const std::string_view reference : dataset.all_references()) add(reference);
    for (const Dataset::System& system : dataset.systems()) {
      for (const std::string_view caption : system.captions) add(caption);
    }
  }

  bool has(std::string_view text) const { return known_.contains(form_(text)); }

 private:
  void add(std::string_view text) {
    if (std::string form = form_(text); !form.empty()) known_.insert(std::move(form));
  }

  Form form_;
  tsl::robin_set<std::string> known_;
};

}  // namespace capella::pipeline
