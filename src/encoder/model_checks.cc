#include "encoder/model_checks.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tensor/aligned.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kMostRounding = 512;  // rows of a table
constexpr std::string_view kTables[] = {"word_embeddings.weight", "token_embedding.weight"};
constexpr std::string_view kAdvice =
    "configuration and weights are of different models; fetch both again from one place";

// "the configuration's 'hidden_size' is 48", or that it is not given.
std::string told_text(const ModelFolder& folder, const std::string& key, std::size_t value) {
  if (folder.find(key)) return fmt::format("the configuration's '{}' is {}", key, value);
  return fmt::format("the configuration has no '{}', which means {}", key, value);
}

std::optional<std::size_t> told(const ModelFolder& folder, const std::string& key,
                                std::optional<std::size_t> usual) {
  if (!folder.find(key)) return usual;
  return folder.number(key);
}

// Whether rows from `first` on are as they were drawn before training, or were moved all alike: their lengths
// then hardly differ. Those of words that were seen do, by a tenth and more of the mean.
bool are_unlearnt(const std::vector<float>& table, std::size_t width, std::size_t first) {
  constexpr std::size_t kFewest = 32;  // of fewer rows nothing can be told
  double sum = 0, squares = 0;
  const std::size_t rows = table.size() / width;
  if (rows - first < kFewest) return false;
  for (std::size_t row = first; row < rows; ++row) {
    double square = 0;
    for (std::size_t k = row * width; k < (row + 1) * width; ++k) square += double{table[k]} * table[k];
    sum += std::sqrt(square);
    squares += square;
  }
  const double count = static_cast<double>(rows - first), mean = sum / count;
  const double spread = std::sqrt(std::max(0.0, squares / count - mean * mean));
  return spread <= mean * std::max(.1, 1 / std::sqrt(static_cast<double>(width)));
}

bool has_unlearnt_rows(const ModelFolder& folder, std::size_t rows, std::size_t first) {
  for (const std::string_view table : kTables) {
    const auto prefix = folder.prefix_of(table);
    if (!prefix) continue;
    const std::string name = *prefix + std::string(table);
    const tensor::Shape shape = folder.matrix_shape(name);
    if (shape[0] == rows) return are_unlearnt(folder.floats(name, shape), shape[1], first);
  }
  return false;
}

}  // namespace

void expect_size(const ModelFolder& folder, const ToldSize& size) {
  const auto value = told(folder, size.key, size.usual);
  const tensor::Shape shape = folder.shape(size.tensor);
  if (!value || (size.axis < shape.size() && shape[size.axis] == *value)) return;
  folder.reject(fmt::format("{}, but tensor '{}' has the shape [{}]; {}", told_text(folder, size.key, *value),
                            size.tensor, fmt::join(shape, ", "), kAdvice));
}

std::size_t expect_layers(const ModelFolder& folder, const std::string& key, const std::string& layers,
                          std::optional<std::size_t> usual) {
  constexpr std::size_t kMost = 1000;
  std::size_t count = 0;
  for (const std::string& name : folder.names()) {
    if (!name.starts_with(layers)) continue;
    std::size_t number = kMost;
    std::from_chars(name.data() + layers.size(), name.data() + name.size(), number);
    if (number < kMost) count = std::max(count, number + 1);
  }
  if (count == 0) folder.reject(fmt::format("there is no layer '{}0', expected at least one", layers));
  const std::size_t value = folder.find(key) ? folder.number(key, {}, kMost) : usual.value_or(count);
  if (value != count)
    folder.reject(fmt::format("{}, but the weights have {} layers, the last of which is '{}{}'; {}",
                              told_text(folder, key, value), count, layers, count - 1, kAdvice));
  return count;
}

void expect_heads(const ModelFolder& folder, const std::string& key, std::size_t heads, std::size_t width) {
  if (heads != 0 && width % heads == 0) return;
  folder.reject(fmt::format("{}, but a width of {} cannot be shared among {} heads; {}",
                            told_text(folder, key, heads), width, heads, kAdvice));
}

void expect_vocabulary(const ModelFolder& folder, const Tokenizer& tokenizer, std::size_t rows) {
  const std::size_t pieces = tokenizer.size();
  const std::size_t explained = tensor::round_up(pieces, kMostRounding);
  if (pieces <= rows && (rows <= explained || has_unlearnt_rows(folder, rows, explained))) return;
  folder.reject(fmt::format(
      "the tokenizer has {} pieces, the model's table {}{}; they are of different models, fetch "
      "both again from one place",
      pieces, rows, pieces > rows ? "" : ", more than it would have if it were rounded up, and learnt ones"));
}

}  // namespace capella::encoder
