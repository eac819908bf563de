// Low-rank updates of a network's matrices, as Hugging Face's PEFT writes them (LoRA): what was learnt on top
// of a frozen encoder, in a hundredth of its size. A matrix W becomes W + s B A, where A has few rows, B as
// many columns, and s is lora_alpha / r of the configuration (with use_rslora, lora_alpha / sqrt(r)).
//
// The arrays are called like the base's matrices, with something before the names, or less before them, than
// the base's files have. Arrays whose names begin with "capella." are no updates and not read here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/model_folder.h"

namespace capella::encoder {

class Adapter {
 public:
  /// Whether the folder has something of an adapter in it.
  static bool is_at(const std::string& folder);

  /// A folder with adapter_config.json and adapter_model.safetensors. Throws FileError if it is none, of a
  /// kind whose arithmetic is another, or its base is not there.
  explicit Adapter(const std::string& folder);

  /// The folder of the model that is changed.
  const std::string& base() const { return base_; }
  std::size_t rank() const { return rank_; }
  /// What `capella nn train-adapter` noted of it: the base's fingerprint, and how the vectors of tokens
  /// became one ("mean", "first"). Nothing of adapters that others made.
  std::optional<std::string> told_base() const { return arrays_.text("capella.base_fingerprint"); }
  std::optional<std::string> told_pooling() const { return arrays_.text("capella.recipe.pooling"); }
  /// Throws FileError if the updates were learnt on another base than that with this fingerprint.
  void expect_base(const std::string& fingerprint) const;

  /// Of all that the updates depend on; where the base lies is not among it.
  std::uint64_t hash() const;

  /// Finds the matrices that are changed; to be called once, before those below. Throws FileError that names
  /// a matrix which `base` does not have, has twice, or has in another shape.
  void find_matrices(const ModelFolder& base);
  /// Whether the base's array of that name is changed.
  bool changes(std::string_view name) const { return matrices_.contains(name); }
  /// Adds the update to what is in the base, in 64 bits.
  void add_to(std::string_view name, std::vector<float>& values) const;

 private:
  std::string matrix_of(const std::string& module, const std::vector<std::string>& names,
                        const ModelFolder& base) const;
  void expect_shapes(const std::string& root, const std::string& matrix, const ModelFolder& base) const;

  ModelFolder arrays_;
  std::string base_;
  std::size_t rank_ = 0;
  double scale_ = 1;
  std::map<std::string, std::string> modules_;  // "encoder...query" to what names of A and B begin with
  std::map<std::string, std::string, std::less<>> matrices_;  // "encoder...query.weight" to the same
};

}  // namespace capella::encoder
