// The plug-in's side of encoder/device_encoder.h.
#include <algorithm>
#include <memory>

#include "capella/error.h"

#include "encoder/device_encoder.h"
#include "torch/boundary.h"
#include "torch/encoder/batches.h"
#include "torch/encoder/models.h"
#include "torch/encoder/on_device.h"
#include "torch/threads.h"

namespace capella::plugin::encoder {
namespace {

using capella::encoder::BertModel;
using capella::encoder::ClipModel;
using capella::encoder::DeviceBert;
using capella::encoder::DeviceClip;
using capella::encoder::DevicePrecision;
using capella::encoder::DeviceSettings;

constexpr const char* kAdvice = "encode fewer texts or pictures together";

// Where and how a model runs.
struct Place {
  torch::Device device;
  torch::ScalarType type;
  std::size_t threads;
  std::int64_t tokens_together;
  std::int64_t masked_tokens;

  explicit Place(const DeviceSettings& settings)
      : device(device_named(settings.device)),
        type(settings.precision == DevicePrecision::kBFloat16 ? torch::kBFloat16 : torch::kFloat32),
        threads(used_threads(settings.threads)),
        tokens_together(static_cast<std::int64_t>(settings.tokens_together)),
        masked_tokens(device.is_cuda() ? 1024 : 64) {
    if (tokens_together == 0) tokens_together = device.is_cuda() ? 65536 : 1024;
  }

  // Does the job without gradients, with as many threads as wanted; torch's errors leave as ours.
  template <class Job>
  auto run(const Job& job) const {
    return with_plain_errors(kAdvice, [&] {
      const torch::NoGradGuard no_gradients;
      const Threads settings(threads, threads);
      return job();
    });
  }
};

// Rows of `found` [sequences of the part][...] to their places in `out`.
template <class Number>
void put_rows(const Tensor& found, const Part& part, Number* out) {
  const auto type = std::is_same_v<Number, double> ? torch::kFloat64 : torch::kFloat32;
  const Tensor here = found.to(torch::kCPU, type).contiguous();
  const std::int64_t row = here.numel() / here.size(0);
  const auto* values = here.data_ptr<Number>();
  for (std::size_t i = 0; i < part.sequences.size(); ++i)
    std::copy_n(values + static_cast<std::int64_t>(i) * row, row, out + part.sequences[i] * row);
}

// The sum over each sequence's rows of [tokens] numbers: [sequences].
Tensor sequence_sums(const Layout& layout, const Tensor& rows) {
  std::vector<Tensor> parts;
  for (const Group& group : layout.groups)
    parts.push_back(
        rows.narrow(0, group.begin, group.count * group.length).view({group.count, group.length}).sum(1));
  return torch::cat(parts);
}

class TorchBert : public DeviceBert {
 public:
  TorchBert(const BertModel& model, const DeviceSettings& settings)
      : place_(settings),
        bert_(bert_from(OnDevice(model.arrays, place_.device).finder(), model.tower, place_.type)) {
    options_.layout.device = place_.device;
    options_.layout.type = place_.type;
    options_.layout.masked_tokens = place_.masked_tokens;
    options_.tokens_together = place_.tokens_together;
    options_.first_position = static_cast<std::int64_t>(model.first_position);
    options_.padding = model.padding;
    if (bert_.places.size(0) <= options_.first_position)
      throw DataError("there are " + std::to_string(bert_.places.size(0)) +
                      " positions, the first of which is " + std::to_string(options_.first_position));
  }

  std::size_t width() const override { return static_cast<std::size_t>(bert_.words.size(1)); }
  std::size_t layers() const override { return bert_.tower.layers.size(); }

  void hidden(const TokenBatch& batch, std::span<const std::size_t> chosen, float* out) const override {
    for (const std::size_t layer : chosen) {
      if (layer > layers())
        throw UsageError(std::to_string(layer) + " layers were asked for, the model has " +
                         std::to_string(layers()));
    }
    if (chosen.empty()) return;
    const std::size_t most = *std::max_element(chosen.begin(), chosen.end());
    for_parts(batch, [&](const Part& part) {
      run(bert_.tower, part.layout, embed(part), most, [&](std::size_t layer, const Tensor& rows) {
        for (std::size_t i = 0; i < chosen.size(); ++i) {
          if (chosen[i] == layer) put_tokens(batch, part, rows, out + i * batch.ids.size() * width());
        }
      });
    });
  }

  void first_tokens(const TokenBatch& batch, float* out) const override {
    for_parts(batch, [&](const Part& part) {
      put_rows(run_and_read(bert_.tower, part.layout, embed(part), {}), part, out);
    });
  }

  void first_tokens_of_all_layers(const TokenBatch& batch, float* out, double* sums,
                                  double* squares) const override {
    for_parts(batch, [&](const Part& part) {
      std::vector<Tensor> firsts, layer_sums, layer_squares;
      const auto note = [&](std::size_t, const Tensor& rows) {
        firsts.push_back(rows.index_select(0, part.layout.read));
        if (sums == nullptr) return;
        layer_sums.push_back(sequence_sums(part.layout, rows.sum({1}, false, torch::kFloat64)));
        const Tensor squared = rows.to(torch::kFloat32).square();
        layer_squares.push_back(sequence_sums(part.layout, squared.sum({1}, false, torch::kFloat64)));
      };
      if (sums == nullptr) {
        firsts.push_back(run_and_read(bert_.tower, part.layout, embed(part), note));
      } else {
        run(bert_.tower, part.layout, embed(part), layers(), note);
        put_rows(torch::stack(layer_sums, 1), part, sums);
        put_rows(torch::stack(layer_squares, 1), part, squares);
      }
      put_rows(torch::stack(firsts, 1), part, out);
    });
  }

  void pool(const TokenBatch& batch, float* out) const override {
    if (!bert_.pooler_weight.defined()) throw UsageError("the model has no pooler");
    for_parts(batch, [&](const Part& part) {
      const Tensor read = run_and_read(bert_.tower, part.layout, embed(part), {});
      put_rows(torch::tanh(torch::linear(read, bert_.pooler_weight, bert_.pooler_bias)), part, out);
    });
  }

 private:
  Tensor embed(const Part& part) const {
    const Tensor second = bert_.kinds.size(0) > 1 ? part.second : Tensor();
    return bert_.embed(part.ids, part.positions, second, place_.type);
  }

  void for_parts(const TokenBatch& batch, const std::function<void(const Part&)>& job) const {
    expect_tokens(batch, bert_.words.size(0), bert_.places.size(0) - options_.first_position);
    place_.run([&] { encoder::for_parts(batch, {}, options_, job); });
  }

  // Rows of a part's tokens to where the batch has them.
  void put_tokens(const TokenBatch& batch, const Part& part, const Tensor& rows, float* out) const {
    const Tensor here = rows.to(torch::kCPU, torch::kFloat32).contiguous();
    const auto* from = here.data_ptr<float>();
    for (const std::int64_t k : part.sequences) {
      const auto sequence = static_cast<std::size_t>(k);
      const std::size_t numbers = batch.length(sequence) * width();
      std::copy_n(from, numbers, out + batch.begin(sequence) * width());
      from += numbers;
    }
  }

  Place place_;
  Bert bert_;
  PartOptions options_;
};

class TorchClip : public DeviceClip {
 public:
  TorchClip(const ClipModel& model, const DeviceSettings& settings)
      : place_(settings), end_(model.end), end_is_greatest_(model.end_is_greatest) {
    const OnDevice arrays(model.arrays, place_.device);
    text_ = clip_text_from(arrays.finder(), model.text, place_.type);
    vision_ = clip_vision_from(arrays.finder(), model.vision, place_.type);
    if (text_.projection.size(0) != vision_.projection.size(0))
      throw DataError("texts become vectors of " + std::to_string(text_.projection.size(0)) +
                      " numbers, but images of " + std::to_string(vision_.projection.size(0)));
    options_.layout = {ReadAt::kLast, true, place_.masked_tokens, place_.device, place_.type};
    options_.tokens_together = place_.tokens_together;
  }

  std::size_t width() const override { return static_cast<std::size_t>(text_.projection.size(0)); }
  std::size_t image_size() const override { return static_cast<std::size_t>(vision_.patch * vision_.side); }

  void texts(const TokenBatch& batch, float* out) const override {
    expect_tokens(batch, text_.words.size(0), text_.places.size(0));
    Lengths lengths;
    for (std::size_t k = 0; k < batch.size(); ++k) lengths.push_back(length_to_end(batch, k));
    place_.run([&] {
      for_parts(batch, lengths, options_, [&](const Part& part) {
        const Tensor rows = text_.embed(part.ids, part.positions, place_.type);
        put_rows(text_.project(run_and_read(text_.tower, part.layout, rows, {})), part, out);
      });
    });
  }

  void images(const float* pixels, std::size_t count, float* out) const override {
    const auto size = static_cast<std::int64_t>(image_size());
    for_images(count, out, [&](std::int64_t begin, std::int64_t end) {
      auto* from = const_cast<float*>(pixels) + begin * 3 * size * size;
      return torch::from_blob(from, {end - begin, 3, size, size}, torch::kFloat32).to(place_.device);
    });
  }

  void images(const std::uint8_t* rgb, std::size_t count, const std::array<float, 3>& mean,
              const std::array<float, 3>& deviation, float* out) const override {
    const auto size = static_cast<std::int64_t>(image_size());
    const Tensor means = by_colour(mean, place_.device), deviations = by_colour(deviation, place_.device);
    for_images(count, out, [&](std::int64_t begin, std::int64_t end) {
      auto* from = const_cast<std::uint8_t*>(rgb) + begin * 3 * size * size;
      const Tensor bytes = torch::from_blob(from, {end - begin, size, size, 3}, torch::kUInt8);
      return pixels_of(on_device(bytes, place_.device), means, deviations);
    });
  }

 private:
  std::int64_t length_to_end(const TokenBatch& batch, std::size_t k) const {
    const auto first = batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.begin(k));
    const auto last = batch.ids.begin() + static_cast<std::ptrdiff_t>(batch.end(k));
    const auto end = end_is_greatest_ ? std::max_element(first, last) : std::find(first, last, end_);
    if (end == last)
      throw UsageError("a text has no end token (" + std::to_string(end_) +
                       "); does the tokenizer belong to the model?");
    return end - first + 1;
  }

  void for_images(std::size_t count, float* out,
                  const std::function<Tensor(std::int64_t begin, std::int64_t end)>& pixels) const {
    const auto total = static_cast<std::int64_t>(count);
    const std::int64_t together = std::max<std::int64_t>(1, place_.tokens_together / vision_.places.size(0));
    place_.run([&] {
      for (std::int64_t begin = 0; begin < total; begin += together) {
        const std::int64_t end = std::min(begin + together, total);
        const Tensor found =
            vision_.features(pixels(begin, end).to(place_.type).contiguous(), vision_.layout(end - begin));
        const Tensor here = found.to(torch::kCPU, torch::kFloat32).contiguous();
        std::copy_n(here.data_ptr<float>(), here.numel(), out + begin * static_cast<std::int64_t>(width()));
      }
    });
  }

  Place place_;
  std::int32_t end_;
  bool end_is_greatest_;
  ClipText text_;
  ClipVision vision_;
  PartOptions options_;
};

class TorchEncoders : public capella::encoder::DeviceEncoders {
 public:
  void expect(const std::string& device) const override { device_named(device); }

  std::unique_ptr<const DeviceBert> bert(const BertModel& model,
                                         const DeviceSettings& settings) const override {
    return with_plain_errors(kAdvice, [&]() -> std::unique_ptr<const DeviceBert> {
      const torch::NoGradGuard no_gradients;
      return std::make_unique<TorchBert>(model, settings);
    });
  }

  std::unique_ptr<const DeviceClip> clip(const ClipModel& model,
                                         const DeviceSettings& settings) const override {
    return with_plain_errors(kAdvice, [&]() -> std::unique_ptr<const DeviceClip> {
      const torch::NoGradGuard no_gradients;
      return std::make_unique<TorchClip>(model, settings);
    });
  }
};

}  // namespace
}  // namespace capella::plugin::encoder

extern "C" __attribute__((visibility("default"))) const capella::encoder::DeviceEncoders*
capella_torch_encoders(int version) {
  static const capella::plugin::encoder::TorchEncoders encoders;
  return version == capella::encoder::kDeviceVersion ? &encoders : nullptr;
}
