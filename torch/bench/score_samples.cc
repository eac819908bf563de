#include "torch/bench/score_samples.h"

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "torch/boundary.h"
#include "torch/deneb/features.h"

namespace capella::bench {
namespace {

using plugin::encoder::PartOptions;
using plugin::encoder::ReadAt;

constexpr std::int64_t kSide = 224;

// Some captions of all.
TokenBatch some(const TokenBatch& all, std::int64_t begin, std::int64_t count) {
  TokenBatch part;
  for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(begin + count); ++k)
    part.add(std::span(all.ids).subspan(all.begin(k), all.length(k)));
  return part;
}

PartOptions part_options(const Models& models, bool clip) {
  PartOptions options;
  options.layout = {clip ? ReadAt::kLast : ReadAt::kFirst, clip, 1024, models.device, models.type};
  options.tokens_together = 131072;
  options.first_position = clip ? 0 : 2;
  if (!clip) options.padding = 1;
  return options;
}

Part only_part(const TokenBatch& batch, const PartOptions& options) {
  Part only;
  plugin::encoder::for_parts(batch, {}, options, [&](const Part& part) { only = part; });
  return only;
}

// Rows of a part back to the order of the batch.
void put(const Part& part, const Tensor& rows, std::size_t count, Tensor& to) {
  if (part.sequences.size() == count && std::is_sorted(part.sequences.begin(), part.sequences.end())) {
    to = rows;
    return;
  }
  if (!to.defined()) {
    std::vector<std::int64_t> shape = rows.sizes().vec();
    shape[0] = static_cast<std::int64_t>(count);
    to = torch::empty(shape, rows.options());
  }
  to.index_copy_(0, plugin::on_device(torch::tensor(part.sequences, torch::kInt64), rows.device()), rows);
}

// The first token of all layers, [sequences][13][768].
Tensor sentence_layers(const Models& models, const Part& part) {
  std::vector<Tensor> firsts;
  const Tensor rows = models.roberta.embed(part.ids, part.positions, {}, models.type);
  const Tensor last = plugin::encoder::run_and_read(
      models.roberta.tower, part.layout, rows,
      [&](std::size_t, const Tensor& all) { firsts.push_back(all.index_select(0, part.layout.read)); });
  firsts.push_back(last);
  return torch::stack(firsts, 1);
}

Tensor mixed(const Models& models, const Tensor& layers) {
  plugin::deneb::Tables tables;
  tables.sentences = layers;
  const plugin::deneb::Mix mix{models.mix_mean, models.mix_variance, {}};
  return plugin::deneb::mixed_sentences(models.recipe, models.mixer, mix, tables).to(models.type);
}

Encoded encode(const Models& models, const TokenBatch& clip, const TokenBatch& roberta) {
  Encoded found;
  plugin::encoder::for_parts(clip, {}, part_options(models, true), [&](const Part& part) {
    put(part, text_features(models, part), clip.size(), found.clip);
  });
  plugin::encoder::for_parts(roberta, {}, part_options(models, false), [&](const Part& part) {
    put(part, sentence_features(models, part), roberta.size(), found.sentences);
  });
  return found;
}

}  // namespace

Captions drawn_captions(std::int64_t count, bool spread, std::uint32_t seed) {
  std::mt19937 random(seed);
  Captions drawn;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::size_t words = spread ? 10 + random() % 9 : 14;
    std::vector<std::int32_t> clip = {49406}, roberta = {0};
    for (std::size_t w = 0; w < words; ++w) {
      clip.push_back(static_cast<std::int32_t>(1000 + random() % 40000));
      roberta.push_back(static_cast<std::int32_t>(1000 + random() % 40000));
    }
    clip.push_back(49407);
    roberta.push_back(2);
    drawn.clip.add(clip);
    drawn.roberta.add(roberta);
  }
  return drawn;
}

Tensor drawn_pictures(std::int64_t count, torch::Device device) {
  const Tensor bytes = torch::randint(0, 256, {count, kSide, kSide, 3}, torch::kUInt8);
  return device.is_cuda() ? bytes.pin_memory() : bytes;
}

Part text_part(const Models& models, const TokenBatch& clip) {
  return only_part(clip, part_options(models, true));
}

Part sentence_part(const Models& models, const TokenBatch& roberta) {
  return only_part(roberta, part_options(models, false));
}

Tensor text_features(const Models& models, const Part& part) {
  const Tensor rows = models.text.embed(part.ids, part.positions, models.type);
  return models.text.project(plugin::encoder::run_and_read(models.text.tower, part.layout, rows, {}));
}

Tensor sentence_features(const Models& models, const Part& part) {
  return mixed(models, sentence_layers(models, part));
}

Tensor places_in(const Part& part, torch::Device device) {
  std::vector<std::int64_t> places(part.sequences.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    places[static_cast<std::size_t>(part.sequences[i])] = static_cast<std::int64_t>(i);
  return plugin::on_device(torch::tensor(places, torch::kInt64), device);
}

Tensor image_features(const Models& models, const Tensor& pictures, std::int64_t count,
                      const Layout& layout) {
  std::vector<Tensor> parts;
  for (std::int64_t begin = 0; begin < count; begin += pictures.size(0)) {
    const Tensor here = pictures.narrow(0, 0, std::min(pictures.size(0), count - begin));
    parts.push_back(
        plugin::encoder::pixels_of(here.to(models.device, true), models.colour_mean, models.colour_deviation)
            .to(models.type));
  }
  return models.vision.features(parts.size() == 1 ? parts.front() : torch::cat(parts), layout);
}

Tensor head_scores(const Models& models, const Encoded& captions, const Tensor& images) {
  const std::int64_t samples = images.size(0);
  const auto vectors = [&](const Tensor& rows) {
    const Tensor all = rows.view({samples, kCaptions, rows.size(1)});
    return plugin::deneb::Vectors{all.select(1, 0), all.narrow(1, 1, kReferences), {}};
  };
  plugin::deneb::Inputs inputs{vectors(captions.clip), vectors(captions.sentences), {}};
  inputs.clip.image = images;
  plugin::Dropout none;
  return plugin::deneb::scores(models.recipe, models.head, inputs, none).to(torch::kFloat32);
}

double tolerance(const Models& models) {
  return models.type == torch::kFloat32 ? 1e-4 : .05;
}

Tensor score_cold(const Amount& amount, const Models& models, const Captions& captions,
                  const Tensor& pictures) {
  std::vector<Tensor> all;
  for (std::int64_t begin = 0; begin < amount.samples; begin += amount.together) {
    const std::int64_t count = std::min(amount.together, amount.samples - begin);
    const Encoded texts = encode(models, some(captions.clip, begin * kCaptions, count * kCaptions),
                                 some(captions.roberta, begin * kCaptions, count * kCaptions));
    const Tensor images = image_features(models, pictures, count, models.vision.layout(count));
    all.push_back(head_scores(models, texts, images));
  }
  return torch::cat(all).to(torch::kCPU);
}

Known drawn_knowledge(std::int64_t samples, const Models& models) {
  const auto as = torch::TensorOptions(models.device).dtype(models.type);
  return {torch::randn({samples, kReferences, 512}, as), torch::randn({samples, kReferences, 768}, as),
          torch::randn({samples, 512}, as)};
}

Tensor score_cached(const Amount& amount, const Models& models, const Captions& captions,
                    const Known& known) {
  std::vector<Tensor> all;
  for (std::int64_t begin = 0; begin < amount.samples; begin += amount.together) {
    const std::int64_t count = std::min(amount.together, amount.samples - begin);
    const Encoded fresh =
        encode(models, some(captions.clip, begin, count), some(captions.roberta, begin, count));
    plugin::deneb::Inputs inputs{
        {fresh.clip, known.clip.narrow(0, begin, count), known.images.narrow(0, begin, count)},
        {fresh.sentences, known.sentences.narrow(0, begin, count), {}},
        {}};
    plugin::Dropout none;
    all.push_back(plugin::deneb::scores(models.recipe, models.head, inputs, none).to(torch::kFloat32));
  }
  return torch::cat(all).to(torch::kCPU);
}

}  // namespace capella::bench
