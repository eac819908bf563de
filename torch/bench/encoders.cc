// How fast captions are scored by DENEB as released, with CLIP ViT-B/32 and RoBERTa-base: an image, a
// candidate and five references each, all networks with drawn weights. Answers are compared before a time is
// told.
//
//   bench_encoders [cuda|cpu] [samples N] [spread] [compare] [cold] [cached] [latency] [train] [float] [half]
//
// "cold": everything is encoded. "cached": a new candidate for an image and references that are known.
// Captions have 14 words, with "spread" 10 to 18. "latency": one sample alone, also as a CUDA graph where
// this was built with CAPELLA_CUDA_GRAPHS. "train": steps of DENEB's training. No names: all of these.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <torch/torch.h>
#ifdef CAPELLA_CUDA_GRAPHS
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "torch/bench/drawn_models.h"
#include "torch/bench/training_steps.h"
#include "torch/boundary.h"
#include "torch/deneb/features.h"
#include "torch/encoder/batches.h"

namespace capella::bench {
namespace {

using plugin::encoder::Layout;
using plugin::encoder::LayoutOptions;
using plugin::encoder::Part;
using plugin::encoder::PartOptions;
using plugin::encoder::ReadAt;
using plugin::encoder::TokenBatch;
using torch::Tensor;

constexpr std::int64_t kReferences = 5;
constexpr std::int64_t kCaptions = 1 + kReferences;
constexpr std::int64_t kSide = 224;
constexpr std::int64_t kPictures = 512;  // different ones; shown again and again

struct Options {
  torch::Device device = torch::kCUDA;
  std::int64_t samples = 8192;
  std::int64_t together = 1024;  // samples that are scored in one go
  bool spread = false;
  std::set<std::string> parts;  // none: all
  std::set<std::string> types;  // none: both

  bool wants(const std::string& part) const { return parts.empty() || parts.contains(part); }
  bool wants_type(const std::string& type) const { return types.empty() || types.contains(type); }
};

double seconds(const Options& options, const std::function<void()>& job) {
  if (options.device.is_cuda()) torch::cuda::synchronize();
  const auto begin = std::chrono::steady_clock::now();
  job();
  if (options.device.is_cuda()) torch::cuda::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median_seconds(const Options& options, int runs, const std::function<void()>& job) {
  std::vector<double> all;
  for (int run = 0; run < runs; ++run) all.push_back(seconds(options, job));
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

// Captions as ids, with the tokens at both ends; those of RoBERTa begin with 0 and end with 2.
struct Captions {
  TokenBatch clip;
  TokenBatch roberta;

  Captions(std::int64_t count, bool spread, std::uint32_t seed) {
    std::mt19937 random(seed);
    for (std::int64_t k = 0; k < count; ++k) {
      const std::size_t words = spread ? 10 + random() % 9 : 14;
      std::vector<std::int32_t> a = {49406}, b = {0};
      for (std::size_t w = 0; w < words; ++w) {
        a.push_back(static_cast<std::int32_t>(1000 + random() % 40000));
        b.push_back(static_cast<std::int32_t>(1000 + random() % 40000));
      }
      a.push_back(49407);
      b.push_back(2);
      clip.add(a);
      roberta.add(b);
    }
  }
};

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

Tensor text_features(const Models& models, const Part& part) {
  const Tensor rows = models.text.embed(part.ids, part.positions, models.type);
  return models.text.project(plugin::encoder::run_and_read(models.text.tower, part.layout, rows, {}));
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

// Vectors of captions by both encoders.
struct Encoded {
  Tensor clip;       // [captions][512]
  Tensor sentences;  // [captions][768], mixed
};

Encoded encode(const Models& models, const TokenBatch& clip, const TokenBatch& roberta) {
  Encoded found;
  Tensor layers;
  plugin::encoder::for_parts(clip, {}, part_options(models, true), [&](const Part& part) {
    put(part, text_features(models, part), clip.size(), found.clip);
  });
  plugin::encoder::for_parts(roberta, {}, part_options(models, false), [&](const Part& part) {
    put(part, sentence_layers(models, part), roberta.size(), layers);
  });
  found.sentences = mixed(models, layers);
  return found;
}

// Scores of samples whose captions stand one behind the other, the candidate first.
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

// Pictures as bytes, in memory that a GPU reads by itself.
Tensor drawn_pictures(const Options& options) {
  const Tensor bytes =
      torch::randint(0, 256, {std::min(kPictures, options.together), kSide, kSide, 3}, torch::kUInt8);
  return options.device.is_cuda() ? bytes.pin_memory() : bytes;
}

Tensor image_features(const Models& models, const Tensor& bytes, std::int64_t count, const Layout& layout) {
  const Tensor mean = plugin::encoder::by_colour({.48f, .46f, .41f}, models.device);
  const Tensor deviation = plugin::encoder::by_colour({.27f, .26f, .28f}, models.device);
  std::vector<Tensor> parts;
  for (std::int64_t begin = 0; begin < count; begin += bytes.size(0)) {
    const Tensor here = bytes.narrow(0, 0, std::min(bytes.size(0), count - begin)).to(models.device, true);
    parts.push_back(plugin::encoder::pixels_of(here, mean, deviation).to(models.type));
  }
  return models.vision.features(parts.size() == 1 ? parts.front() : torch::cat(parts), layout);
}

// Everything for all samples; the scores on the CPU.
Tensor score_cold(const Options& options, const Models& models, const Captions& captions,
                  const Tensor& pictures) {
  std::vector<Tensor> all;
  for (std::int64_t begin = 0; begin < options.samples; begin += options.together) {
    const std::int64_t count = std::min(options.together, options.samples - begin);
    const Encoded texts = encode(models, some(captions.clip, begin * kCaptions, count * kCaptions),
                                 some(captions.roberta, begin * kCaptions, count * kCaptions));
    const Tensor images = image_features(models, pictures, count, models.vision.layout(count));
    all.push_back(head_scores(models, texts, images));
  }
  return torch::cat(all).to(torch::kCPU);
}

// What is known of all samples but the candidates.
struct Known {
  Tensor clip;       // [samples][references][512]
  Tensor sentences;  // [samples][references][768]
  Tensor images;     // [samples][512]
};

Known drawn_knowledge(const Options& options, const Models& models) {
  const auto as = torch::TensorOptions(models.device).dtype(models.type);
  return {torch::randn({options.samples, kReferences, 512}, as),
          torch::randn({options.samples, kReferences, 768}, as), torch::randn({options.samples, 512}, as)};
}

Tensor score_cached(const Options& options, const Models& models, const Captions& captions,
                    const Known& known) {
  const std::int64_t together = 4 * options.together;
  std::vector<Tensor> all;
  for (std::int64_t begin = 0; begin < options.samples; begin += together) {
    const std::int64_t count = std::min(together, options.samples - begin);
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

void tell_difference(const char* what, const Tensor& a, const Tensor& b) {
  const Tensor apart = (a - b).abs();
  std::printf("  %-34s greatest %.2e, mean %.2e (scores from %.3f to %.3f)\n", what,
              apart.max().item<double>(), apart.mean().item<double>(), b.min().item<double>(),
              b.max().item<double>());
}

struct Networks {
  DrawnArrays clip = drawn_clip();
  DrawnArrays roberta = drawn_roberta();

  Models on(torch::Device device, torch::ScalarType type) const { return {clip, roberta, device, type}; }
};

// Float on the CPU is what all others are compared with.
bool compare(Options options, const Networks& networks) {
  options.samples = std::min<std::int64_t>(options.samples, 24);
  options.together = options.samples;
  options.spread = true;
  const Captions captions(options.samples * kCaptions, true, 5);
  const Tensor pictures = drawn_pictures(options);
  const Tensor expected = score_cold(options, networks.on(torch::kCPU, torch::kFloat32), captions, pictures);
  std::printf("scores of %ld samples against those of the CPU in float\n",
              static_cast<long>(options.samples));
  bool good = true;
  for (const bool half : {false, true}) {
    if (!options.wants_type(half ? "half" : "float")) continue;
    const Models models = networks.on(options.device, half ? torch::kBFloat16 : torch::kFloat32);
    const Tensor found = score_cold(options, models, captions, pictures);
    tell_difference(half ? "device, bfloat16" : "device, float", found, expected);
    const double worst = (found - expected).abs().max().item<double>();
    good = good && worst < (half ? .05 : 1e-4);  // not if it is no number
  }
  std::printf("  %s\n", good ? "good" : "NOT GOOD: the times below are of no use");
  return good;
}

void measure_cold(const Options& options, const Models& models, const char* name) {
  const Captions captions(options.samples * kCaptions, options.spread, 6);
  const Tensor pictures = drawn_pictures(options);
  Options few = options;
  few.samples = std::min(options.samples, 2 * options.together);
  score_cold(few, models, captions, pictures);
  const double time = median_seconds(options, 3, [&] { score_cold(options, models, captions, pictures); });
  std::printf("cold,   %-8s %10.0f samples/s (%.3f s)\n", name, static_cast<double>(options.samples) / time,
              time);
}

void measure_cached(const Options& options, const Models& models, const char* name) {
  const Captions captions(options.samples, options.spread, 7);
  const Known known = drawn_knowledge(options, models);
  score_cached(options, models, captions, known);
  const double time = median_seconds(options, 5, [&] { score_cached(options, models, captions, known); });
  std::printf("cached, %-8s %10.0f samples/s (%.4f s)\n", name, static_cast<double>(options.samples) / time,
              time);
}

// One sample from bytes and ids to the score on the CPU.
void measure_latency(Options options, const Models& models, const char* name) {
  options.samples = options.together = 1;
  const Captions captions(kCaptions, true, 8);
  const Tensor picture = drawn_pictures(options);
  const auto job = [&] { score_cold(options, models, captions, picture); };
  for (int run = 0; run < 5; ++run) job();
  std::printf("one sample, %-8s %7.3f ms\n", name,
              1e3 * median_seconds(options, options.device.is_cuda() ? 100 : 3, job));
}

#ifdef CAPELLA_CUDA_GRAPHS
// The same as one graph: new numbers are copied to where it reads them. It holds for captions of these
// lengths.
void measure_graph(Options options, const Models& models, const char* name) {
  options.samples = options.together = 1;
  const Captions captions(kCaptions, true, 8);
  const Tensor picture = drawn_pictures(options);
  Part clip, roberta;
  plugin::encoder::for_parts(captions.clip, {}, part_options(models, true),
                             [&](const Part& part) { clip = part; });
  plugin::encoder::for_parts(captions.roberta, {}, part_options(models, false),
                             [&](const Part& part) { roberta = part; });
  const Layout of_image = models.vision.layout(1);
  const auto index = [&](const Part& part) {
    std::vector<std::int64_t> places(part.sequences.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      places[static_cast<std::size_t>(part.sequences[i])] = static_cast<std::int64_t>(i);
    return torch::tensor(places, torch::kInt64).to(models.device);
  };
  const Tensor clip_places = index(clip), roberta_places = index(roberta);
  const Tensor mean = plugin::encoder::by_colour({.48f, .46f, .41f}, models.device);
  const Tensor deviation = plugin::encoder::by_colour({.27f, .26f, .28f}, models.device);
  Tensor bytes = picture.to(models.device), score;
  const auto pass = [&] {
    const Encoded texts{text_features(models, clip).index_select(0, clip_places),
                        mixed(models, sentence_layers(models, roberta).index_select(0, roberta_places))};
    const Tensor pixels = plugin::encoder::pixels_of(bytes, mean, deviation).to(models.type);
    score = head_scores(models, texts, models.vision.features(pixels, of_image));
  };
  const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool());
  for (int run = 0; run < 3; ++run) pass();
  torch::cuda::synchronize();
  const double expected = score.item<double>();
  at::cuda::CUDAGraph graph;
  graph.capture_begin();
  pass();
  graph.capture_end();
  const Tensor clip_ids = clip.ids.to(torch::kCPU).pin_memory(),
               roberta_ids = roberta.ids.to(torch::kCPU).pin_memory();
  double found = 0;
  const auto job = [&] {
    bytes.copy_(picture, true);
    clip.ids.copy_(clip_ids, true);
    roberta.ids.copy_(roberta_ids, true);
    graph.replay();
    found = score.item<double>();
  };
  for (int run = 0; run < 5; ++run) job();
  const double time = median_seconds(options, 200, job);
  std::printf("one sample, %-8s %7.3f ms as a graph (its score differs by %.1e)\n", name, 1e3 * time,
              std::fabs(found - expected));
}
#endif

Options read_options(int count, char** given) {
  Options options;
  if (!torch::cuda::is_available()) options.device = torch::kCPU;
  for (int i = 1; i < count; ++i) {
    const std::string word = given[i];
    if (word == "cpu" || word == "cuda") {
      options.device = plugin::device_named(word);
    } else if (word == "samples" && i + 1 < count) {
      options.samples = std::max(1, std::atoi(given[++i]));
    } else if (word == "spread") {
      options.spread = true;
    } else if (word == "float" || word == "half") {
      options.types.insert(word);
    } else {
      options.parts.insert(word);
    }
  }
  if (options.device.is_cuda()) options.device = plugin::device_named("cuda");
  options.together = std::min(options.together, options.samples);
  return options;
}

int run(const Options& options) {
  const torch::NoGradGuard no_gradients;
  torch::manual_seed(1);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("%s; %ld samples on %s\n", plugin::torch_description().c_str(),
              static_cast<long>(options.samples), options.device.str().c_str());
  const Networks networks;
  bool good = true;
  if (options.wants("compare")) good = compare(options, networks);
  const bool any = options.wants("cold") || options.wants("cached") || options.wants("latency");
  for (const bool half : {true, false}) {
    const char* name = half ? "bfloat16" : "float";
    if (!any || !options.wants_type(half ? "half" : "float")) continue;
    const Models models = networks.on(options.device, half ? torch::kBFloat16 : torch::kFloat32);
    if (options.wants("cold")) measure_cold(options, models, name);
    if (options.wants("cached")) measure_cached(options, models, name);
    if (options.wants("latency")) measure_latency(options, models, name);
#ifdef CAPELLA_CUDA_GRAPHS
    if (options.wants("latency") && options.device.is_cuda()) measure_graph(options, models, name);
#endif
  }
  if (options.wants("train")) {
    const torch::AutoGradMode with_gradients(true);
    good = measure_training(options.device.is_cuda() ? "cuda" : "cpu") && good;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace capella::bench

int main(int count, char** given) {
  try {
    return capella::bench::run(capella::bench::read_options(count, given));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
