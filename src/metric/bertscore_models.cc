#include "metric/bertscore_models.h"

namespace capella::metric {
namespace {

struct Model {
  bool roberta;
  std::size_t layers;
  std::size_t width;
  std::size_t layer;
  std::optional<BertScoreValues> baseline = {};
};

constexpr Model kModels[] = {
    {false, 12, 768, 9, BertScoreValues{0.35375935, 0.3537393, 0.35219112}},   // bert-base-uncased
    {false, 24, 1024, 18},                                                     // bert-large-uncased
    {true, 12, 768, 10, BertScoreValues{0.8146725, 0.8146619, 0.814463}},      // roberta-base
    {true, 24, 1024, 17, BertScoreValues{0.83150584, 0.8314941, 0.83122575}},  // roberta-large
};

const Model* find(const encoder::SentenceEncoder& encoder) {
  for (const Model& model : kModels) {
    if (model.roberta == encoder.is_roberta() && model.layers == encoder.layers() &&
        model.width == encoder.width())
      return &model;
  }
  return nullptr;
}

}  // namespace

std::size_t published_layer(const encoder::SentenceEncoder& encoder) {
  const Model* model = find(encoder);
  return model == nullptr ? encoder.layers() : model->layer;
}

std::optional<BertScoreValues> published_baseline(const encoder::SentenceEncoder& encoder,
                                                  std::size_t layer) {
  const Model* model = find(encoder);
  return model == nullptr || model->layer != layer ? std::nullopt : model->baseline;
}

}  // namespace capella::metric
