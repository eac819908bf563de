// Images and captions as the tables of vectors that learned metrics are trained and run with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "capella/dataset.h"
#include "capella/deneb.h"

#include "base/hash.h"
#include "base/thread_pool.h"
#include "encoder/clip_encoder.h"
#include "encoder/state_encoder.h"
#include "io/benchmark.h"
#include "method/deneb/model_file.h"

namespace capella::pipeline {

/// Encoders that are open; null where there is none.
struct OpenEncoders {
  std::unique_ptr<const encoder::ClipEncoder> clip;
  std::unique_ptr<const encoder::StateEncoder> text;
};
/// "cuda" takes the plug-in's engine. Throws UsageError if none is named, FileError if one cannot be opened.
OpenEncoders open_encoders(const DenebEncoders& options, const std::string& device = "cpu");

/// Texts or paths, each once; a place for each.
class TextIndex {
 public:
  /// `owner`: the image or item that it belongs to, for messages; the first one's is kept.
  std::uint32_t place(std::string_view text, std::string_view owner = {});
  const std::vector<std::string_view>& texts() const { return texts_; }
  const std::vector<std::string_view>& owners() const { return owners_; }

 private:
  tsl::robin_map<std::string_view, std::uint32_t, StringHash> places_;
  std::vector<std::string_view> texts_;
  std::vector<std::string_view> owners_;
};

/// Captions and images of samples, gathered before they are encoded. Texts must live as long.
struct SampleTexts {
  TextIndex captions;
  TextIndex images;  ///< paths; none where they are not looked at

  /// One sample per row, with scores in [0, 1] unless rows are pairs; `paths` are the rows' pictures, or
  /// none.
  method::deneb::Samples samples(const io::Benchmark& benchmark, std::span<const std::string> paths);
  /// One sample per item, for the captions of one system.
  method::deneb::Samples samples(const Dataset& dataset, const Dataset::System& system, bool images_too);

 private:
  // ... without images; `owners` are the items' names.
  method::deneb::Samples text_samples(const Dataset& dataset, const Dataset::System& system,
                                      std::span<const std::string_view> owners);
};

enum class LayoutUse { training, validation, ratings };
/// Throws UsageError unless the benchmark of that name is one of ratings or, to validate a training that
/// takes them, of pairs.
void check_layout(std::string_view layout, LayoutUse use);

/// People's ratings as numbers from 0 to 1. Throws UsageError likewise.
std::vector<float> unit_ratings(const io::Benchmark& benchmark);

/// The pictures of a benchmark's rows. Throws DataError that lists images which have none.
std::vector<std::string> picture_paths(const io::Benchmark& benchmark, const std::string& images);

/// Throws DataError that lists the rows or items that have no references.
void expect_references(const Dataset& dataset, const std::string& source);

/// Tables with their numbers.
struct DenebTables {
  std::shared_ptr<const encoder::Features> images;
  std::shared_ptr<const encoder::Features> captions;
  std::vector<float> states;
  std::vector<std::uint16_t> half_states;
  std::vector<double> sums;
  std::vector<double> squares;
  std::vector<std::uint32_t> tokens;
  std::size_t state_width = 0;
  std::size_t state_layers = 1;
  std::vector<std::string> warnings;  ///< what was not seen whole, or could not be kept

  method::deneb::Features features() const;
};

struct EncodingOptions {
  std::string prompt;
  bool half = false;  ///< hidden states are kept with 16 bits
  ThreadPool* pool = nullptr;
  Progress progress = {};
};
DenebTables encode(const OpenEncoders& encoders, const SampleTexts& texts, const EncodingOptions& options);

}  // namespace capella::pipeline
