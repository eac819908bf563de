#include "metric/bertscore_models.h"

#include <algorithm>

#include <fmt/format.h>

namespace capella::metric {
namespace {

constexpr std::size_t kBertWords = 30522, kRobertaWords = 50265;

// Of several with the same sizes the first is the likeliest.
constexpr PublishedModel kModels[] = {
    {"bert-base-uncased", false, 12, 768, kBertWords, 9, BertScoreValues{0.35375935, 0.3537393, 0.35219112}},
    {"bert-large-uncased", false, 24, 1024, kBertWords, 18},
    {"roberta-base", true, 12, 768, kRobertaWords, 10, BertScoreValues{0.8146725, 0.8146619, 0.814463}},
    {"roberta-large", true, 24, 1024, kRobertaWords, 17, BertScoreValues{0.83150584, 0.8314941, 0.83122575}},
    {"roberta-large-mnli", true, 24, 1024, kRobertaWords, 19},
};

bool fits(const PublishedModel& model, const ModelTraits& traits) {
  return model.roberta == traits.roberta && model.layers == traits.layers && model.width == traits.width &&
         model.vocabulary == traits.vocabulary;
}

}  // namespace

ModelTraits traits_of(const encoder::SentenceEncoder& encoder) {
  return {encoder.is_roberta(), encoder.layers(), encoder.width(), encoder.tokenizer().size(),
          encoder.names()};
}

KnownModel known_model(const ModelTraits& traits) {
  KnownModel likeliest;
  for (const PublishedModel& model : kModels) {
    if (!fits(model, traits)) continue;
    if (std::ranges::find(traits.names, model.name) != traits.names.end()) return {&model, false};
    if (likeliest.model == nullptr) likeliest = {&model, true};
  }
  return likeliest;
}

std::string guess_warning(const KnownModel& known, const std::string& description, bool layer,
                          bool rescaled) {
  if (!known.guessed || !(layer || rescaled)) return "";
  std::string taken;
  if (layer) taken = fmt::format("its layer {} is read", known.model->layer);
  if (rescaled) taken += fmt::format("{}what unrelated texts reach with it makes 0", layer ? " and " : "");
  return fmt::format(
      "bertscore: neither configuration nor folder tells which model {} is; by its kind, its sizes and its "
      "vocabulary it is taken for {}, so {}; if it is another, give --set bertscore.layer=N{}",
      description, known.model->name, taken, rescaled ? ", without rescale=yes" : "");
}

}  // namespace capella::metric
