// How fast captions are scored by DENEB as released, with CLIP ViT-B/32 and RoBERTa-base: an image, a
// candidate and five references each, all networks with drawn weights. Answers are compared before a time is
// told: with the same networks on the CPU, and with those of another program (bench/deneb) if its file is
// given.
//
//   bench_encoders [cuda|cpu] [samples N] [peer FILE] [spread] [compare] [cold] [cached] [latency] [train]
//                  [float] [half]
//
// "cold": everything is encoded. "cached": a new candidate for an image and references that are known.
// Captions have 14 words, with "spread" 10 to 18. "latency": one sample alone. "train": steps of DENEB's
// training. No names: all of these.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>

#include <torch/torch.h>

#include "torch/bench/drawn_models.h"
#include "torch/bench/peer_file.h"
#include "torch/bench/score_samples.h"
#include "torch/bench/single_sample.h"
#include "torch/bench/timing.h"
#include "torch/bench/training_steps.h"
#include "torch/boundary.h"

namespace capella::bench {
namespace {

constexpr std::int64_t kTogether = 1024;
constexpr std::int64_t kCachedTogether = 4096;
constexpr std::int64_t kPictures = 512;  // different ones; shown again and again

struct Options {
  torch::Device device = torch::kCUDA;
  std::int64_t samples = 8192;
  std::string peer;
  bool spread = false;
  std::set<std::string> parts;  // none: all
  std::set<std::string> types;  // none: both

  bool wants(const std::string& part) const { return parts.empty() || parts.contains(part); }
  bool wants_type(const std::string& type) const { return types.empty() || types.contains(type); }
};

// What all types are compared with.
struct Expected {
  std::string of;
  Captions captions;
  Tensor pictures;
  Tensor scores;
};

Expected expected_here(const Drawing& drawing) {
  constexpr std::int64_t kSamples = 24;
  Expected expected{"the CPU in float",
                    drawn_captions(kSamples * kCaptions, true, 5),
                    drawn_pictures(kSamples, torch::kCPU),
                    {}};
  const Models models(drawing, torch::kCPU, torch::kFloat32);
  expected.scores = score_cold({kSamples, kSamples}, models, expected.captions, expected.pictures);
  return expected;
}

bool is_near(const Expected& expected, const Models& models, const char* name) {
  const std::int64_t samples = expected.scores.size(0);
  const Tensor found = score_cold({samples, samples}, models, expected.captions, expected.pictures);
  const Tensor apart = (found - expected.scores).abs();
  const double worst = apart.max().item<double>();
  std::printf("%-8s scores of %ld samples against %s: greatest difference %.2e, mean %.2e (%.3f to %.3f)\n",
              name, static_cast<long>(samples), expected.of.c_str(), worst, apart.mean().item<double>(),
              found.min().item<double>(), found.max().item<double>());
  return worst < tolerance(models);  // not if it is no number
}

void tell_rate(const char* what, const char* name, std::int64_t samples, double time) {
  std::printf("%s, %-8s %10.0f samples/s (%.4f s)\n", what, name, static_cast<double>(samples) / time, time);
}

void measure_cold(const Options& options, const Models& models, const char* name) {
  const Captions captions = drawn_captions(options.samples * kCaptions, options.spread, 6);
  const Amount all{options.samples, std::min(options.samples, kTogether)};
  const Tensor pictures = drawn_pictures(std::min(kPictures, all.together), options.device);
  score_cold({std::min(options.samples, 2 * all.together), all.together}, models, captions, pictures);
  const double time = median_seconds(options.device, 3, [&] { score_cold(all, models, captions, pictures); });
  tell_rate("cold", name, options.samples, time);
}

void measure_cached(const Options& options, const Models& models, const char* name) {
  const Captions captions = drawn_captions(options.samples, options.spread, 7);
  const Amount all{options.samples, std::min(options.samples, kCachedTogether)};
  const Known known = drawn_knowledge(options.samples, models);
  score_cached(all, models, captions, known);
  const double time = median_seconds(options.device, 5, [&] { score_cached(all, models, captions, known); });
  tell_rate("cached", name, options.samples, time);
}

Options read_options(int count, char** given) {
  Options options;
  if (!torch::cuda::is_available()) options.device = torch::kCPU;
  for (int i = 1; i < count; ++i) {
    const std::string word = given[i];
    if (word == "cpu" || word == "cuda") {
      options.device = plugin::device_named(word);
    } else if (word == "samples" && i + 1 < count) {
      options.samples = std::max(1, std::atoi(given[++i]));
    } else if (word == "peer" && i + 1 < count) {
      options.peer = given[++i];
    } else if (word == "spread") {
      options.spread = true;
    } else if (word == "float" || word == "half") {
      options.types.insert(word);
    } else {
      options.parts.insert(word);
    }
  }
  if (options.device.is_cuda()) options.device = plugin::device_named("cuda");
  return options;
}

// Scoring; whether all answers are good.
bool score_with(const Options& options, const Models& models, const char* name,
                const std::vector<Expected>& expected) {
  const c10::InferenceMode inference;
  bool good = true;
  for (const Expected& known : expected) good = is_near(known, models, name) && good;
  if (options.wants("cold")) measure_cold(options, models, name);
  if (options.wants("cached")) measure_cached(options, models, name);
  if (options.wants("latency")) good = measure_single_sample(models, name) && good;
  return good;
}

bool run_scoring(const Options& options) {
  const torch::NoGradGuard no_gradients;
  Drawing drawing;
  std::vector<Expected> expected;
  if (options.peer.empty()) {
    drawing = drawn_here();
  } else {
    Peer peer(options.peer);
    drawing = std::move(peer.drawing);
    expected.push_back({"the peer", std::move(peer.captions), peer.pictures, peer.scores});
  }
  if (options.wants("compare")) expected.push_back(expected_here(drawing));
  bool good = true;
  for (const bool half : {true, false}) {
    if (!options.wants_type(half ? "half" : "float")) continue;
    const Models models(drawing, options.device, half ? torch::kBFloat16 : torch::kFloat32);
    good = score_with(options, models, half ? "bfloat16" : "float", expected) && good;
  }
  return good;
}

int run(const Options& options) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("%s; %ld samples on %s\n", plugin::torch_description().c_str(),
              static_cast<long>(options.samples), options.device.str().c_str());
  bool good = true;
  const bool scoring = options.wants("compare") || options.wants("cold") || options.wants("cached") ||
                       options.wants("latency");
  if (scoring) good = run_scoring(options);
  if (options.wants("train")) good = measure_training(options.device.is_cuda() ? "cuda" : "cpu") && good;
  std::printf("%s\n", good ? "answers are good" : "answers are NOT GOOD: the times are of no use");
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
