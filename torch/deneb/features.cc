#include "torch/deneb/features.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "capella/error.h"

#include "torch/boundary.h"

namespace capella::plugin::deneb {
namespace {

using method::deneb::VectorTable;
using std::to_string;

constexpr double kMixEpsilon = 1e-12;
constexpr double kLeastLength = 1e-12;  // of a vector that is scaled
constexpr double kLeftOut = -1e20;      // instead of a dropped layer's number, before the softmax

[[noreturn]] void refuse(const std::string& what) {
  throw DataError("features: " + what);
}

void check_table(const VectorTable& table, std::size_t width, std::size_t layers, const std::string& name) {
  if (table.width != width || table.layers != layers)
    refuse("vectors of " + name + " have " + to_string(table.layers) + " x " + to_string(table.width) +
           " numbers, the network reads " + to_string(layers) + " x " + to_string(width));
  const std::size_t numbers = table.floats.size() + table.halves.size();
  if ((!table.floats.empty() && !table.halves.empty()) || numbers % (width * layers) != 0)
    refuse("the table of " + name + " is no whole number of vectors");
  if (table.rows() == 0) refuse("there are no vectors of " + name);
}

// Shares the numbers if they are on the CPU.
Tensor table_on(const VectorTable& table, torch::Device device) {
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(table.rows()),
                                           static_cast<std::int64_t>(table.layers),
                                           static_cast<std::int64_t>(table.width)};
  const bool halves = !table.halves.empty();
  const void* numbers =
      halves ? static_cast<const void*>(table.halves.data()) : static_cast<const void*>(table.floats.data());
  return torch::from_blob(const_cast<void*>(numbers), shape, halves ? torch::kBFloat16 : torch::kFloat32)
      .to(device);
}

Tensor doubles_on(std::span<const double> numbers, std::int64_t columns, torch::Device device) {
  const auto rows = static_cast<std::int64_t>(numbers.size()) / columns;
  return torch::from_blob(const_cast<double*>(numbers.data()), {rows, columns}, torch::kFloat64).to(device);
}

void load_sums(const Features& features, Tables& tables, torch::Device device) {
  const std::size_t rows = features.sentences.rows(), layers = features.sentences.layers;
  if (features.sums.size() != rows * layers || features.squares.size() != rows * layers ||
      features.tokens.size() != rows)
    refuse(
        "sentences of several layers need sums, squares and numbers of tokens, one for each row and layer");
  tables.sums = doubles_on(features.sums, static_cast<std::int64_t>(layers), device);
  tables.squares = doubles_on(features.squares, static_cast<std::int64_t>(layers), device);
  const std::vector<double> tokens(features.tokens.begin(), features.tokens.end());
  tables.tokens = torch::tensor(tokens, torch::kFloat64).to(device);
}

// The softmax of the learnt numbers, for each of `slots` batches of captions, [slots][layers].
Tensor layer_shares(const Recipe& recipe, const Weights& weights, Dropout& dropout, std::int64_t slots) {
  std::vector<Tensor> numbers;
  for (std::size_t i = 0; i < recipe.sentence_layers; ++i)
    numbers.push_back(weights["scalar_mix.scalar_parameters." + to_string(i)]);
  Tensor all = torch::cat(numbers).expand({slots, -1});
  if (torch::GradMode::is_enabled() && recipe.mix_dropout > 0) {
    const Tensor left_out = dropout.dropped(all.numel(), recipe.mix_dropout, all.device()).view(all.sizes());
    all = all.masked_fill(left_out, kLeftOut);
  }
  return torch::softmax(all, 1);
}

// `rows` [samples][slots][layers][width]; shares, mean and variance [slots or 1][layers].
Tensor mixed_rows(const Weights& weights, const Tensor& rows, const Tensor& shares, const Tensor& mean,
                  const Tensor& variance) {
  const Tensor factors = shares / (variance + kMixEpsilon).sqrt();
  const Tensor offset = (factors * mean).sum(1, true);
  const Tensor sums = (factors.unsqueeze(2) * rows).sum(2);
  return (sums - offset) * weights["scalar_mix.gamma"];
}

// Of each slot over the samples that have it: `rows` [samples][slots], `valid` [samples][slots] or undefined.
std::pair<Tensor, Tensor> batch_statistics(const Recipe& recipe, const Tables& tables, const Tensor& rows,
                                           const Tensor& valid) {
  const Tensor flat = rows.flatten();
  const auto summed = [&](const Tensor& table) {  // [slots][columns]
    Tensor all = table.index_select(0, flat).view({rows.size(0), rows.size(1), -1});
    if (valid.defined()) all = all * valid.unsqueeze(2);
    return all.sum(0);
  };
  const Tensor count = summed(tables.tokens.unsqueeze(1)) * static_cast<double>(recipe.sentence_width);
  const Tensor mean = summed(tables.sums) / count;
  const Tensor variance = (summed(tables.squares) / count - mean.square()).clamp_min(0);
  return {mean.to(torch::kFloat32), variance.to(torch::kFloat32)};
}

Tensor index_tensor(const std::vector<std::int64_t>& rows, std::int64_t columns, torch::Device device) {
  return on_device(torch::tensor(rows, torch::kInt64).view({-1, columns}), device);
}

// Which rows a batch has: the candidate's, then the references'; in their place, where there are fewer, the
// candidate's again.
struct BatchRows {
  Tensor captions;  // [samples][1 + references]
  Tensor images;    // [samples]; undefined without
  Tensor valid;     // [samples][references]; undefined: all
};

std::size_t reference_count(const Recipe& recipe, const Samples& samples,
                            std::span<const std::uint32_t> chosen) {
  std::size_t least = samples.references_of(chosen.front()).size(), most = least;
  for (const std::uint32_t k : chosen) {
    least = std::min(least, samples.references_of(k).size());
    most = std::max(most, samples.references_of(k).size());
  }
  return recipe.cut_references ? least : most;
}

BatchRows batch_rows(const Recipe& recipe, const Samples& samples, std::span<const std::uint32_t> chosen,
                     torch::Device device) {
  const std::size_t count = reference_count(recipe, samples, chosen);
  std::vector<std::int64_t> captions, images, valid;
  bool all = true;
  for (const std::uint32_t k : chosen) {
    const std::span<const std::uint32_t> references = samples.references_of(k);
    captions.push_back(samples.candidates[k]);
    for (std::size_t i = 0; i < count; ++i) {
      captions.push_back(i < references.size() ? references[i] : samples.candidates[k]);
      valid.push_back(i < references.size());
    }
    all = all && references.size() >= count;
    if (recipe.image) images.push_back(samples.images[k]);
  }
  const auto columns = static_cast<std::int64_t>(count);
  BatchRows rows{index_tensor(captions, columns + 1, device), {}, {}};
  if (recipe.image) rows.images = index_tensor(images, 1, device).squeeze(1);
  if (!all) rows.valid = index_tensor(valid, columns, device).to(torch::kBool);
  return rows;
}

// [samples][1 + references][...]: rows of a table.
Tensor gathered(const Tensor& table, const Tensor& rows) {
  std::vector<std::int64_t> shape = rows.sizes().vec();
  for (std::int64_t d = 1; d < table.dim(); ++d) shape.push_back(table.size(d));
  return table.index_select(0, rows.flatten()).view(shape);
}

Tensor mixed_batch(const Recipe& recipe, const Weights& weights, Mix& mix, const Tables& tables,
                   const BatchRows& rows) {
  const std::int64_t slots = rows.captions.size(1);
  const Tensor layers = gathered(tables.sentences, rows.captions).to(torch::kFloat32);
  const Tensor shares = layer_shares(recipe, weights, mix.dropout, slots);
  if (recipe.mix == method::deneb::MixStatistics::frozen)
    return mixed_rows(weights, layers, shares, mix.mean.unsqueeze(0), mix.variance.unsqueeze(0));
  Tensor valid;
  if (rows.valid.defined())
    valid = torch::cat({torch::ones({rows.valid.size(0), 1}, rows.valid.options()), rows.valid}, 1);
  const auto [mean, variance] = batch_statistics(recipe, tables, rows.captions, valid);
  return mixed_rows(weights, layers, shares, mean, variance);
}

// Rows of the length that the recipe wants, as numbers of that type.
Tensor scaled(const Recipe& recipe, const Tensor& rows, torch::ScalarType type) {
  if (!recipe.scale_vectors) return rows.to(type);
  const Tensor exact = rows.to(torch::kFloat32);
  const double length = std::sqrt(static_cast<double>(rows.size(-1)));
  return (exact * (length / exact.norm(2, -1, true).clamp_min(kLeastLength))).to(type);
}

Vectors vectors_of(const Recipe& recipe, const Tensor& captions, torch::ScalarType type) {
  const Tensor converted = scaled(recipe, captions, type);
  return {converted.select(1, 0), converted.narrow(1, 1, converted.size(1) - 1), {}};
}

}  // namespace

bool mixes_layers(const Recipe& recipe) {
  return recipe.sentence_width > 0 && recipe.sentence_layers > 1;
}

std::unique_ptr<const Tables> load_tables(const Recipe& recipe, const Features& features,
                                          torch::Device device) {
  auto tables = std::make_unique<Tables>();
  if (recipe.image) {
    check_table(features.images, recipe.clip_width, 1, "images");
    tables->images = table_on(features.images, device).squeeze(1);
  }
  if (recipe.clip_width > 0) {
    check_table(features.captions, recipe.clip_width, 1, "captions");
    tables->captions = table_on(features.captions, device).squeeze(1);
  }
  if (recipe.sentence_width > 0) {
    check_table(features.sentences, recipe.sentence_width, recipe.sentence_layers, "sentences");
    tables->sentences = table_on(features.sentences, device);
  }
  if (recipe.clip_width > 0 && recipe.sentence_width > 0 &&
      features.captions.rows() != features.sentences.rows())
    refuse("there are " + to_string(features.captions.rows()) + " captions but " +
           to_string(features.sentences.rows()) + " sentences; each caption has one row in both");
  if (mixes_layers(recipe)) load_sums(features, *tables, device);
  return tables;
}

void check_samples(const Recipe& recipe, const Tables& tables, const Samples& samples, bool scored) {
  const Tensor& captions = tables.captions.defined() ? tables.captions : tables.sentences;
  const auto rows = static_cast<std::size_t>(captions.size(0));
  const auto images = recipe.image ? static_cast<std::size_t>(tables.images.size(0)) : 0;
  const auto wrong = [](std::size_t k, const std::string& what) {
    throw DataError("sample " + to_string(k) + " " + what);
  };
  if (samples.ends.size() != samples.size() || (recipe.image && samples.images.size() != samples.size()) ||
      (scored && samples.scores.size() != samples.size()) ||
      (samples.size() > 0 && samples.ends.back() != samples.references.size()))
    throw DataError("samples: candidates, images, references and scores are not equally many");
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples.ends[k] <= samples.begin(k) || samples.ends[k] > samples.references.size())
      wrong(k, "has no references; the network needs at least one");
    if (recipe.image && samples.images[k] >= images) wrong(k, "has an image that has no vector");
    if (samples.candidates[k] >= rows) wrong(k, "has a candidate that has no vector");
    for (const std::uint32_t row : samples.references_of(k)) {
      if (row >= rows) wrong(k, "has a reference that has no vector");
    }
    if (scored && !(samples.scores[k] >= 0 && samples.scores[k] <= 1))
      wrong(k, "has the score " + to_string(samples.scores[k]) + ", expected one from 0 to 1");
  }
}

LayerStatistics statistics_of(const Recipe& recipe, const Features& features, const Samples& samples) {
  std::vector<double> uses(features.sentences.rows());
  for (const std::uint32_t row : samples.candidates) ++uses.at(row);
  for (const std::uint32_t row : samples.references) ++uses.at(row);
  const std::size_t layers = recipe.sentence_layers;
  LayerStatistics found{std::vector<double>(layers), std::vector<double>(layers)};
  double count = 0;
  for (std::size_t row = 0; row < uses.size(); ++row) {
    count += uses[row] * features.tokens[row] * static_cast<double>(recipe.sentence_width);
    for (std::size_t l = 0; l < layers; ++l) {
      found.mean[l] += uses[row] * features.sums[row * layers + l];
      found.variance[l] += uses[row] * features.squares[row * layers + l];
    }
  }
  if (count == 0) refuse("the samples have no tokens to take statistics of");
  for (std::size_t l = 0; l < layers; ++l) {
    found.mean[l] /= count;
    found.variance[l] = std::max(0.0, found.variance[l] / count - found.mean[l] * found.mean[l]);
  }
  return found;
}

Tensor mixed_sentences(const Recipe& recipe, const Weights& weights, const Mix& mix, const Tables& tables) {
  if (!tables.sentences.defined()) return {};
  if (!mixes_layers(recipe)) return tables.sentences.squeeze(1);
  constexpr std::int64_t kAtOnce = 4096;
  Dropout none;
  const Tensor shares = layer_shares(recipe, weights, none, 1);
  const std::int64_t rows = tables.sentences.size(0);
  std::vector<Tensor> parts;
  for (std::int64_t begin = 0; begin < rows; begin += kAtOnce) {
    const Tensor some = tables.sentences.narrow(0, begin, std::min(kAtOnce, rows - begin));
    parts.push_back(mixed_rows(weights, some.to(torch::kFloat32).unsqueeze(1), shares, mix.mean.unsqueeze(0),
                               mix.variance.unsqueeze(0))
                        .squeeze(1));
  }
  return torch::cat(parts);
}

Inputs inputs_of(const Recipe& recipe, const Weights& weights, Mix& mix, const Tables& tables,
                 const Tensor& mixed, const Samples& samples, std::span<const std::uint32_t> chosen,
                 torch::ScalarType type) {
  const BatchRows rows = batch_rows(recipe, samples, chosen, weights.device());
  Inputs inputs;
  inputs.valid = rows.valid;
  if (recipe.clip_width > 0) {
    inputs.clip = vectors_of(recipe, gathered(tables.captions, rows.captions), type);
    if (recipe.image) inputs.clip.image = scaled(recipe, tables.images.index_select(0, rows.images), type);
  }
  if (recipe.sentence_width > 0) {
    const Tensor sentences =
        mixed.defined() ? gathered(mixed, rows.captions) : mixed_batch(recipe, weights, mix, tables, rows);
    inputs.sentence = vectors_of(recipe, sentences, type);
  }
  return inputs;
}

}  // namespace capella::plugin::deneb
