// A folder as Hugging Face writes it: config.json and weights in one or several safetensors files, beside
// them the tokenizer's files. Or that of an adapter, which stands for its base with the weights changed.
// Nothing is read that is not asked for.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "encoder/weight_source.h"
#include "tensor/safetensors.h"

namespace capella::encoder {

/// The JSON of a model's file, "discarded" if it is none. Throws FileError if it is nested deeper than what
/// recurses over it can bear.
nlohmann::json parse_model_json(std::string_view text, const std::string& path);
/// The JSON object that the file is; throws FileError if it is none.
nlohmann::json read_model_object(const std::string& path);

class Adapter;

class ModelFolder : public WeightSource {
 public:
  /// A folder with config.json and model.safetensors (or model.safetensors.index.json and its shards; or
  /// open_clip_config.json and open_clip_model.safetensors), or one such file of weights in a folder. There
  /// may be no configuration: it is then empty. Or a folder with adapter_config.json and
  /// adapter_model.safetensors: all but the arrays that it changes is then that of its base. Throws FileError
  /// that says what is missing and, where weights lie there in another format only (pytorch_model.bin), how
  /// to convert them.
  explicit ModelFolder(const std::string& path);
  /// One safetensors file and its configuration: for models that come as single files, and tests.
  ModelFolder(const std::string& weights, nlohmann::json config);
  ~ModelFolder() override;

  /// Where the weights lie: of an adapter, those of its base.
  const std::string& path() const override { return path_; }
  /// What was opened, that or an adapter.
  const std::string& given() const { return given_; }
  const Adapter* adapter() const { return adapter_.get(); }  ///< null if there is none
  bool has_adapter() const { return adapter_ != nullptr; }
  const nlohmann::json& config() const { return *config_; }

  /// A whole number of the configuration in [1, most], `fallback` if it has none; throws FileError. Here and
  /// below, a member of a member is written "vision_config.hidden_size".
  std::size_t number(std::string_view key, std::optional<std::size_t> fallback = {},
                     std::size_t most = 1u << 20) const;
  /// A number in (0, most].
  double real(std::string_view key, double fallback, double most) const;
  /// A text, nothing if there is none; throws FileError if it is something else.
  std::optional<std::string> text(std::string_view key) const;
  /// What the configuration has there, null if nothing (or null).
  const nlohmann::json* find(std::string_view key) const;
  /// A text of the weight files' own metadata.
  std::optional<std::string> metadata(std::string_view key) const;

  bool has(std::string_view name) const override;
  /// The shortest text that, put before `name`, gives a tensor's name; nothing if none ends with `name`.
  std::optional<std::string> prefix_of(std::string_view name) const;
  /// All names, in alphabetical order.
  std::vector<std::string> names() const;
  tensor::Shape shape(std::string_view name) const;
  /// The same of a tensor that must have two axes, none of them empty. Throws FileError.
  tensor::Shape matrix_shape(std::string_view name) const;
  /// The tensor as floats (F32, F16 and BF16 are read), changed by the adapter if there is one. Throws
  /// FileError that names file, tensor, shape found and shape expected; numbers that are not finite are
  /// refused.
  std::vector<float> floats(std::string_view name, const tensor::Shape& shape) const override;

  /// A file beside the weights, e.g. "vocab.txt"; nothing if it is not there.
  std::optional<std::string> file(std::string_view name) const;

  /// Names all that vectors depend on, for signatures and caches (16 hex digits): configuration, every byte
  /// of the weights, and the files that say how texts and pictures are read. Equal content gives equal
  /// fingerprints, wherever it lies. All of it is read the first time.
  const std::string& fingerprint() const;
  /// "all-minilm-l6-v2(0f3a91c2)": the folder's name and the first digits of the fingerprint, for signatures.
  std::string description() const;

 private:
  const tensor::Tensor& tensor(std::string_view name) const;
  std::vector<float> stored_floats(const tensor::Tensor& tensor, std::string_view name) const;
  std::string make_fingerprint() const;
  std::uint64_t hash_of_files() const;
  std::string base_fingerprint() const;  // without the adapter

  std::string given_;
  std::unique_ptr<Adapter> adapter_;
  std::string path_;
  std::unique_ptr<nlohmann::json> config_;  // so that only those who read it know more than its name
  std::vector<std::unique_ptr<tensor::Safetensors>> files_;
  mutable std::once_flag fingerprint_made_;
  mutable std::string fingerprint_;
};

}  // namespace capella::encoder
