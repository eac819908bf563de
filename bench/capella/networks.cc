// Encoders and DENEB's head of the sizes that people use, on vectors and ids in memory; the weights are drawn
// by whoever asks. The first of the metrics names the network.
#include <map>

#include "base/thread_pool.h"
#include "encoder/bert.h"
#include "encoder/clip.h"
#include "encoder/sim_vec_head.h"
#include "measure.h"
#include "tensor/kernels.h"
#include "tensor/safetensors.h"

namespace capella::bench {
namespace {

using encoder::ModelFolder;
using encoder::TokenBatch;

constexpr std::size_t kPictures = 4;   // of a piece
constexpr std::size_t kCaptions = 32;  // likewise
constexpr std::size_t kSamples = 16;   // likewise

// What one thread does of the work in one go, [begin, end) of all.
using Piece = std::function<void(std::size_t begin, std::size_t end, float* out)>;

struct Task {
  std::size_t count;
  std::size_t in_a_piece;
  std::size_t width;  // of what comes out for one
  Piece piece;
};

TokenBatch some(std::span<const std::int64_t> ids, std::size_t length, std::size_t begin, std::size_t end) {
  TokenBatch batch;
  for (std::size_t k = begin; k < end; ++k) {
    const auto row = ids.subspan(k * length, length);
    batch.add(std::vector<std::int32_t>(row.begin(), row.end()));
  }
  return batch;
}

Task images(const std::string& folder, const tensor::Safetensors& inputs) {
  const auto clip = std::make_shared<const encoder::Clip>(ModelFolder(folder));
  const std::size_t side = clip->image_size(), size = 3 * side * side;
  const tensor::Shape shape = inputs.tensor("pixels").shape;
  const auto pixels = inputs.values<float>("pixels", shape);
  return {shape.at(0), kPictures, clip->width(),
          [clip, pixels, size](std::size_t begin, std::size_t end, float* out) {
            clip->images(tensor::kernels(), pixels.data() + begin * size, end - begin, out);
          }};
}

Task texts(const std::string& folder, const tensor::Safetensors& inputs) {
  const auto clip = std::make_shared<const encoder::Clip>(ModelFolder(folder));
  const tensor::Shape shape = inputs.tensor("ids.clip").shape;
  const auto ids = inputs.values<std::int64_t>("ids.clip", shape);
  return {shape.at(0), kCaptions, clip->width(),
          [clip, ids, length = shape.at(1)](std::size_t begin, std::size_t end, float* out) {
            clip->texts(tensor::kernels(), some(ids, length, begin, end), out);
          }};
}

Task sentences(const std::string& folder, const tensor::Safetensors& inputs) {
  const auto bert = std::make_shared<const encoder::Bert>(ModelFolder(folder));
  const tensor::Shape shape = inputs.tensor("ids.bert").shape;
  const auto ids = inputs.values<std::int64_t>("ids.bert", shape);
  return {shape.at(0), kCaptions, bert->width(),
          [bert, ids, length = shape.at(1)](std::size_t begin, std::size_t end, float* out) {
            bert->first_tokens(tensor::kernels(), some(ids, length, begin, end), out);
          }};
}

Task scores(const std::string& folder, const tensor::Safetensors& inputs) {
  const auto head = std::make_shared<const encoder::SimVecHead>(ModelFolder(folder));
  const tensor::Shape shape = inputs.tensor("references.clip").shape;
  const std::size_t references = shape.at(1);
  const auto rows = [&](const char* name) { return inputs.values<float>(name, inputs.tensor(name).shape); };
  const auto image = rows("image"), clip = rows("candidate.clip"), clip_references = rows("references.clip");
  const auto sentence = rows("candidate.sentence"), sentence_references = rows("references.sentence");
  return {shape.at(0), kSamples, 1, [=](std::size_t begin, std::size_t end, float* out) {
            const std::size_t width = head->shape().clip_width, other = head->shape().sentence_width;
            std::vector<std::size_t> ends;
            for (std::size_t k = begin; k < end; ++k) ends.push_back((k - begin + 1) * references);
            encoder::HeadSamples samples;
            samples.clip = {clip.data() + begin * width, clip_references.data() + begin * references * width,
                            image.data() + begin * width};
            samples.sentence = {sentence.data() + begin * other,
                                sentence_references.data() + begin * references * other, nullptr};
            samples.ends = ends;
            head->scores(tensor::kernels(), samples, out);
          }};
}

const std::map<std::string, Task (*)(const std::string&, const tensor::Safetensors&)> kTasks = {
    {"images", images}, {"texts", texts}, {"sentences", sentences}, {"scores", scores}};

}  // namespace

nlohmann::json run_networks(const Job& job) {
  const tensor::Safetensors inputs(job.captions);
  const Task task = kTasks.at(job.metrics.at(0))(job.references, inputs);
  ThreadPool pool(job.threads);
  std::vector<float> out(task.count * task.width);
  const std::size_t pieces = (task.count + task.in_a_piece - 1) / task.in_a_piece;
  nlohmann::json answer = measured(time_each(job.repetitions, [&](std::size_t) {
    pool.parallel_for(pieces, [&](std::size_t piece) {
      const std::size_t begin = piece * task.in_a_piece;
      const std::size_t end = std::min(begin + task.in_a_piece, task.count);
      task.piece(begin, end, out.data() + begin * task.width);
    });
  }));
  answer["values"] = {{"vectors", {{"items", out}}}};
  return answer;
}

}  // namespace capella::bench
