#include "encoder/clip_encoder.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/step_counter.h"
#include "encoder/clip.h"
#include "encoder/device_model.h"
#include "encoder/embedding_keeper.h"
#include "encoder/image_input.h"
#include "encoder/list_memory.h"
#include "encoder/model_checks.h"
#include "encoder/tokenizer/tokenizer.h"
#include "tensor/kernels.h"

namespace capella::encoder {
namespace {

constexpr std::size_t kClipTextsAtOnce = 256;  // of a piece of tokenizing
constexpr std::size_t kRecentLists = 64;
constexpr std::uint64_t kTruncated = 1;  // the mark of a picture whose file ends early

// Vectors of distinct texts or pictures, and whether each was cut.
struct Table {
  Table(std::size_t rows, std::size_t columns) : width(columns), values(rows * columns), cut(rows) {}
  float* row(std::size_t i) { return values.data() + i * width; }

  std::size_t width;
  std::vector<float> values;
  std::vector<char> cut;
};

Features expand(Table& table, const std::vector<std::size_t>& of) {
  Features features{table.width, {}, {}};
  features.values.reserve(of.size() * table.width);
  for (std::size_t i = 0; i < of.size(); ++i) {
    features.values.insert(features.values.end(), table.row(of[i]), table.row(of[i]) + table.width);
    if (table.cut[of[i]]) features.cut.push_back(i);
  }
  return features;
}

std::string image_kind(const ImageInput& input) {
  return fmt::format("picture|{}|{}|{}|{}", input.size, fmt::join(input.mean, ","),
                     fmt::join(input.deviation, ","), static_cast<int>(input.crop));
}

EmbeddingKey key_of(const Tokens& tokens) {
  return embedding_key(
      "text", {reinterpret_cast<const char*>(tokens.ids.data()), tokens.ids.size() * sizeof(tokens.ids[0])});
}

// Encodes a text, too, which shows whether the model ends texts as the tokenizer does.
void check_tokenizer(const ModelFolder& folder, const Clip& clip, const Tokenizer& tokenizer) {
  expect_vocabulary(folder, tokenizer, clip.vocabulary());
  TokenBatch batch;
  batch.add(tokenizer.tokens("a", clip.most_tokens()).ids);
  std::vector<float> out(clip.width());
  try {
    clip.texts(tensor::kernels(), batch, out.data());
  } catch (const UsageError& problem) {
    throw FileError(
        fmt::format("{}: the tokenizer does not belong to the weights: {}", folder.path(), problem.what()));
  }
}

}  // namespace

struct ClipEncoder::Parts {
  Parts(const ModelFolder& folder, const std::string& cache, std::uint64_t cache_bytes,
        const EncoderEngine& engine)
      : fingerprint(folder.fingerprint()),
        clip(folder),
        tokenizer(open_tokenizer(folder)),
        input(ImageInput::from(folder, clip.image_size())),
        tokens_at_once(engine.tokens_at_once()),
        images_at_once(engine.images_at_once()),
        keeper({cache, cache_bytes}, fingerprint + engine.mark(), clip.width()) {
    check_tokenizer(folder, clip, *tokenizer);
    if (engine.device != nullptr) device = engine.device->clip(read_clip_model(folder), engine.settings);
  }

  std::vector<Tokens> tokenize(const std::vector<std::string_view>& texts, std::string_view prompt,
                               const EncodeWork& work) const;
  void encode(const std::vector<Tokens>& tokens, std::span<const std::size_t> chosen,
              std::vector<Embedding>& found) const;
  void encode(std::span<const std::string_view> paths, std::size_t first, Table& table) const;

  void run_texts(const TokenBatch& batch, float* out) const {
    if (device == nullptr) return clip.texts(tensor::kernels(), batch, out);
    const std::lock_guard lock(device_mutex);
    device->texts(batch, out);
  }
  void run_images(const float* pixels, std::size_t count, float* out) const {
    if (device == nullptr) return clip.images(tensor::kernels(), pixels, count, out);
    const std::lock_guard lock(device_mutex);
    device->images(pixels, count, out);
  }

  std::string fingerprint;
  Clip clip;
  std::unique_ptr<const DeviceClip> device;  // null: the program's own engine
  mutable std::mutex device_mutex;
  std::unique_ptr<const Tokenizer> tokenizer;
  ImageInput input;
  std::size_t tokens_at_once;  // of a batch; at most so many, but at least one text
  std::size_t images_at_once;
  mutable EmbeddingKeeper keeper;
  mutable ListMemory<Features> memory{kRecentLists};
};

ClipEncoder::ClipEncoder(const std::string& folder, const std::string& cache, std::uint64_t cache_bytes,
                         const EncoderEngine& engine)
    : parts_(std::make_unique<const Parts>(ModelFolder(folder), cache, cache_bytes, engine)) {}
ClipEncoder::~ClipEncoder() = default;
ClipEncoder::ClipEncoder(ClipEncoder&&) noexcept = default;

std::size_t ClipEncoder::width() const {
  return parts_->clip.width();
}
std::size_t ClipEncoder::most_tokens() const {
  return parts_->clip.most_tokens();
}
const std::string& ClipEncoder::fingerprint() const {
  return parts_->fingerprint;
}
const ImageInput& ClipEncoder::image_input() const {
  return parts_->input;
}
std::string ClipEncoder::cache_problem() const {
  return parts_->keeper.problem();
}
void ClipEncoder::keep_no_more() const {
  parts_->keeper.write_no_more();
}

std::vector<Tokens> ClipEncoder::Parts::tokenize(const std::vector<std::string_view>& texts,
                                                 std::string_view prompt, const EncodeWork& work) const {
  std::vector<Tokens> tokens(texts.size());
  for_each_piece({work.pool, {}}, "", pieces_of(texts.size(), kClipTextsAtOnce), [&](std::size_t piece) {
    const std::size_t end = std::min((piece + 1) * kClipTextsAtOnce, texts.size());
    for (std::size_t i = piece * kClipTextsAtOnce; i < end; ++i)
      tokens[i] = tokenizer->tokens(std::string(prompt).append(texts[i]), clip.most_tokens());
  });
  return tokens;
}

void ClipEncoder::Parts::encode(const std::vector<Tokens>& tokens, std::span<const std::size_t> chosen,
                                std::vector<Embedding>& found) const {
  TokenBatch batch;
  for (const std::size_t i : chosen) batch.add(tokens[i].ids);
  const std::size_t width = clip.width();
  const auto made = std::make_shared<std::vector<float>>(chosen.size() * width);
  run_texts(batch, made->data());
  std::vector<Embedding> fresh;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    found[chosen[k]].numbers = {made, made->data() + k * width};
    fresh.push_back(found[chosen[k]]);
  }
  keeper.add(fresh);
}

std::shared_ptr<const Features> ClipEncoder::texts(std::span<const std::string_view> texts,
                                                   std::string_view prompt, const EncodeWork& work) const {
  const ListKey key = list_key("texts", prompt, texts);
  if (auto known = parts_->memory.find(key)) return known;
  const Distinct unique = distinct(texts);
  const std::vector<Tokens> tokens = parts_->tokenize(unique.texts, prompt, work);
  std::vector<Embedding> found =
      find_all(parts_->keeper, tokens.size(), work, [&](std::size_t i) -> SoughtEmbedding {
        return {key_of(tokens[i]), width()};
      });
  std::vector<std::size_t> others = not_found(found);
  std::ranges::stable_sort(others, std::greater(), [&](std::size_t i) { return tokens[i].ids.size(); });
  std::vector<std::size_t> ends;
  for (std::size_t begin = 0; begin < others.size(); begin = ends.back()) {
    const std::size_t longest = std::max<std::size_t>(tokens[others[begin]].ids.size(), 1);
    ends.push_back(
        std::min(begin + std::max<std::size_t>(parts_->tokens_at_once / longest, 1), others.size()));
  }
  for_each_piece(work, "encoding texts", ends.size(), [&](std::size_t piece) {
    const std::size_t begin = piece == 0 ? 0 : ends[piece - 1];
    parts_->encode(tokens, std::span(others).subspan(begin, ends[piece] - begin), found);
  });
  Table table(tokens.size(), width());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::copy_n(found[i].numbers.get(), width(), table.row(i));
    table.cut[i] = tokens[i].left_out > 0;
  }
  return parts_->memory.add(key, expand(table, unique.of));
}

// Encodes some pictures, those from number `first` of the table on.
void ClipEncoder::Parts::encode(std::span<const std::string_view> paths, std::size_t first,
                                Table& table) const {
  const std::string kind = image_kind(input);
  const std::size_t size = 3 * input.size * input.size;
  std::vector<float> pixels;
  std::vector<std::size_t> chosen;
  std::vector<Embedding> fresh;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string path(paths[i]);
    const std::string bytes = read_file_as_is(path);
    const EmbeddingKey key = embedding_key(kind, bytes);
    const auto found = keeper.find(key);
    if (found && found->size == table.width) {
      std::copy_n(found->numbers.get(), table.width, table.row(first + i));
      table.cut[first + i] = found->mark == kTruncated;
      continue;
    }
    const io::Image image = io::decode_image(bytes, path);
    table.cut[first + i] = image.truncated;
    pixels.resize(pixels.size() + size);
    image_pixels(image, input, pixels.data() + pixels.size() - size);
    chosen.push_back(first + i);
    fresh.push_back({key, image.truncated ? kTruncated : 0, table.width, nullptr});
  }
  if (chosen.empty()) return;
  const auto made = std::make_shared<std::vector<float>>(chosen.size() * table.width);
  run_images(pixels.data(), chosen.size(), made->data());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    fresh[k].numbers = {made, made->data() + k * table.width};
    std::copy_n(fresh[k].numbers.get(), table.width, table.row(chosen[k]));
  }
  keeper.add(fresh);
}

std::shared_ptr<const Features> ClipEncoder::images(std::span<const std::string> paths,
                                                    const EncodeWork& work) const {
  const ListKey key = list_key("pictures", "", paths);
  if (auto known = parts_->memory.find(key)) return known;
  const Distinct unique = distinct(paths);
  Table table(unique.texts.size(), width());
  const std::size_t at_once = parts_->images_at_once;
  for_each_piece(work, "encoding pictures", pieces_of(unique.texts.size(), at_once), [&](std::size_t piece) {
    const std::size_t first = piece * at_once;
    const std::size_t count = std::min(at_once, unique.texts.size() - first);
    parts_->encode(std::span(unique.texts).subspan(first, count), first, table);
  });
  return parts_->memory.add(key, expand(table, unique.of));
}

}  // namespace capella::encoder
