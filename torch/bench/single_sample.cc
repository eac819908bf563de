#include "torch/bench/single_sample.h"

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#ifdef CAPELLA_CUDA_GRAPHS
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/thread_pool.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include "torch/bench/score_samples.h"
#include "torch/bench/timing.h"

namespace capella::bench {
namespace {

constexpr Amount kOne = {1, 1};

struct Sample {
  Captions captions = drawn_captions(kCaptions, true, 8);
  Tensor picture;

  explicit Sample(torch::Device device) : picture(drawn_pictures(1, device)) {}
};

void tell(const char* how, const std::string& name, double time) {
  std::printf("one sample, %-8s %7.3f ms, %s\n", name.c_str(), 1e3 * time, how);
}

double measured(const Models& models, const std::function<void()>& job) {
  for (int run = 0; run < 5; ++run) job();
  return median_seconds(models.device, models.device.is_cuda() ? 200 : 3, job);
}

#ifdef CAPELLA_CUDA_GRAPHS

// Whether a score is the one of the encoders one after the other.
bool is_near(const Models& models, double found, double expected) {
  const double apart = std::fabs(found - expected);
  std::printf("    its score differs by %.1e\n", apart);
  return apart < tolerance(models);
}

// A stream and a thread for each encoder, since the GPU waits for launches most of the time.
class AtTheSameTime {
 public:
  explicit AtTheSameTime(const Models& models) : models_(models) {}

  double score(const Sample& sample) {
    Encoded texts;
    Tensor image;
    threads_.run([&] {
      on_stream(0, [&] { texts.clip = in_order(text_part(models_, sample.captions.clip), text_features); });
    });
    threads_.run([&] {
      on_stream(1, [&] { image = image_features(models_, sample.picture, 1, models_.vision.layout(1)); });
    });
    on_stream(2, [&] {
      texts.sentences = in_order(sentence_part(models_, sample.captions.roberta), sentence_features);
    });
    threads_.waitWorkComplete();
    return head_scores(models_, texts, image).item<double>();
  }

 private:
  void on_stream(std::size_t number, const std::function<void()>& job) {
    const c10::InferenceMode inference;
    const c10::cuda::CUDAStreamGuard guard(streams_[number]);
    job();
    streams_[number].synchronize();
  }

  Tensor in_order(const Part& part, Tensor (*features)(const Models&, const Part&)) const {
    return features(models_, part).index_select(0, places_in(part, models_.device));
  }

  const Models& models_;
  c10::TaskThreadPool threads_{2};
  c10::cuda::CUDAStream streams_[3] = {c10::cuda::getStreamFromPool(), c10::cuda::getStreamFromPool(),
                                       c10::cuda::getStreamFromPool()};
};

bool measure_at_the_same_time(const Models& models, const Sample& sample, const std::string& name,
                              double expected) {
  AtTheSameTime encoders(models);
  double found = 0;
  const double time = measured(models, [&] { found = encoders.score(sample); });
  tell("encoders at the same time", name, time);
  return is_near(models, found, expected);
}

// New numbers are copied to where the graph reads them. It holds for captions of these lengths.
bool measure_graph(const Models& models, const Sample& sample, const std::string& name, double expected) {
  const Part clip = text_part(models, sample.captions.clip);
  const Part roberta = sentence_part(models, sample.captions.roberta);
  const Layout of_image = models.vision.layout(1);
  const Tensor clip_places = places_in(clip, models.device), places = places_in(roberta, models.device);
  Tensor bytes = sample.picture.to(models.device), score;
  const auto pass = [&] {
    const Encoded texts{text_features(models, clip).index_select(0, clip_places),
                        sentence_features(models, roberta).index_select(0, places)};
    score = head_scores(models, texts, image_features(models, bytes, 1, of_image));
  };
  const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool());
  for (int run = 0; run < 3; ++run) pass();
  torch::cuda::synchronize();
  at::cuda::CUDAGraph graph;
  graph.capture_begin();
  pass();
  graph.capture_end();
  const Tensor clip_ids = clip.ids.to(torch::kCPU).pin_memory();
  const Tensor roberta_ids = roberta.ids.to(torch::kCPU).pin_memory();
  double found = 0;
  const double time = measured(models, [&] {
    bytes.copy_(sample.picture, true);
    clip.ids.copy_(clip_ids, true);
    roberta.ids.copy_(roberta_ids, true);
    graph.replay();
    found = score.item<double>();
  });
  tell("as a graph", name, time);
  return is_near(models, found, expected);
}
#endif

}  // namespace

bool measure_single_sample(const Models& models, const std::string& name) {
  const Sample sample(models.device);
  double expected = 0;
  const double time = measured(
      models, [&] { expected = score_cold(kOne, models, sample.captions, sample.picture).item<double>(); });
  tell("encoders one after the other", name, time);
#ifdef CAPELLA_CUDA_GRAPHS
  if (models.device.is_cuda()) {
    const bool good = measure_at_the_same_time(models, sample, name, expected);
    return measure_graph(models, sample, name, expected) && good;
  }
#endif
  return true;
}

}  // namespace capella::bench
