#include "method/pregen/generator_header.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/json_text.h"
#include "base/names.h"
#include "method/json_fields.h"
#include "method/network_file.h"

namespace capella::method::pregen {
namespace {

using nlohmann::json;  // sorts its keys

constexpr int kHeaderVersion = 1;

json recipe_json(const Recipe& recipe) {
  return {{"vocabulary", recipe.vocabulary},
          {"image", recipe.image},
          {"size", recipe.size},
          {"xavier", recipe.xavier},
          {"clip", recipe.clip},
          {"image_dropout", recipe.image_dropout},
          {"embedding_dropout", recipe.embedding_dropout},
          {"state_dropout", recipe.state_dropout},
          {"l2", recipe.l2},
          {"rate", recipe.rate},
          {"batch", recipe.batch},
          {"beam", recipe.beam}};
}

json facts_json(const TrainingFacts& facts) {
  json epochs = json::array();
  for (const TrainingEpoch& epoch : facts.epochs)
    epochs.push_back({number_json(epoch.loss), number_json(epoch.log2_perplexity)});
  return {{"data_set", facts.data_set},
          {"fingerprint", hex_text(facts.fingerprint)},
          {"seed", facts.seed},
          {"least_count", facts.least_count},
          {"share", facts.share},
          {"training_images", facts.training_images},
          {"training_captions", facts.training_captions},
          {"validation_images", facts.validation_images},
          {"epochs", std::move(epochs)},
          {"best_epoch", facts.best_epoch},
          {"version", facts.version}};
}

Architecture read_architecture(const std::string& name) {
  const auto found = std::ranges::find(kArchitectureNames, name);
  if (found == std::end(kArchitectureNames))
    throw DataError(
        fmt::format("found the architecture '{}', expected init, pre, par or merge", excerpt(name)));
  return static_cast<Architecture>(found - std::begin(kArchitectureNames));
}

Recipe read_recipe(const json& object, const std::string& key) {
  Fields fields(object, fmt::format("'{}': 'recipe'", key));
  Recipe recipe;
  recipe.vocabulary = fields.whole("vocabulary");
  recipe.image = fields.whole("image");
  recipe.size = fields.whole("size");
  recipe.xavier = fields.truth("xavier");
  recipe.clip = fields.number("clip");
  recipe.image_dropout = fields.number("image_dropout");
  recipe.embedding_dropout = fields.number("embedding_dropout");
  recipe.state_dropout = fields.number("state_dropout");
  recipe.l2 = fields.number("l2");
  recipe.rate = fields.number("rate");
  recipe.batch = fields.whole("batch");
  recipe.beam = fields.whole("beam");
  fields.end();
  return recipe;
}

TrainingFacts read_facts(const json& object, const std::string& key) {
  Fields fields(object, fmt::format("'{}': 'training'", key));
  TrainingFacts facts;
  facts.data_set = fields.text("data_set");
  facts.fingerprint = read_hex_text(fields.text("fingerprint"));
  facts.seed = fields.whole("seed");
  facts.least_count = fields.whole("least_count");
  facts.share = fields.number("share");
  facts.training_images = fields.whole("training_images");
  facts.training_captions = fields.whole("training_captions");
  facts.validation_images = fields.whole("validation_images");
  const json& epochs = fields.take("epochs");
  for (const json& epoch : epochs) {
    if (!epoch.is_array() || epoch.size() != 2)
      throw DataError("an epoch is not a pair of numbers, expected loss and perplexity");
    facts.epochs.push_back(
        {read_number_json(epoch[0], "an epoch's loss"), read_number_json(epoch[1], "an epoch's perplexity")});
  }
  facts.best_epoch = fields.whole("best_epoch");
  facts.version = fields.text("version");
  fields.end();
  return facts;
}

std::string recipe_problem(const Recipe& recipe) {
  for (const double dropout : {recipe.image_dropout, recipe.embedding_dropout, recipe.state_dropout}) {
    if (!(dropout >= 0 && dropout < 1)) return fmt::format("the recipe has the dropout {}", dropout);
  }
  if (recipe.image == 0 || recipe.size == 0 || recipe.size > kMostSize ||
      recipe.image > kMostSize * kMostSize)
    return fmt::format("the recipe has {} numbers per image and the size {}", recipe.image, recipe.size);
  if (!(recipe.clip > 0 && recipe.rate > 0 && recipe.l2 >= 0 && recipe.l2 <= 1 && recipe.rate <= 1 &&
        recipe.clip <= 1))
    return fmt::format("the recipe has the clip {}, the rate {} and the L2 weight {}", recipe.clip,
                       recipe.rate, recipe.l2);
  if (recipe.batch == 0 || recipe.batch > kMostBatch || recipe.beam == 0 || recipe.beam > kMostBeam)
    return fmt::format("the recipe has the batch {} and the beam {}", recipe.batch, recipe.beam);
  return "";
}

}  // namespace

std::string header_text(const GeneratorModel& model, std::uint64_t arrays_hash) {
  const json header = {
      {"format", kHeaderVersion},
      {"architecture", kArchitectureNames[static_cast<std::size_t>(model.recipe.architecture)]},
      {"recipe", recipe_json(model.recipe)},
      {"training", facts_json(model.facts)},
      {"arrays", hex_text(arrays_hash)}};
  return json_text(header);
}

GeneratorHeader read_header(const std::string& text, const std::string& key) {
  const json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) throw DataError(fmt::format("'{}' is not JSON", key));
  Fields fields(object, fmt::format("'{}'", key));
  if (const std::uint64_t format = fields.whole("format"); format != kHeaderVersion)
    throw DataError(fmt::format("'{}': found format {}, expected {}", key, format, kHeaderVersion));
  const Architecture architecture = read_architecture(fields.text("architecture"));
  GeneratorHeader header;
  header.model.recipe = read_recipe(fields.take("recipe"), key);
  header.model.recipe.architecture = architecture;
  header.model.facts = read_facts(fields.take("training"), key);
  header.arrays_hash = read_hex_text(fields.text("arrays"));
  fields.end();
  return header;
}

std::string words_text(const Vocabulary& vocabulary) {
  return json_text(json(vocabulary.words()));
}

Vocabulary read_words(const std::string& text) {
  const json list = json::parse(text, nullptr, false);
  if (!list.is_array()) throw DataError("'vocabulary' is not a JSON list");
  std::vector<std::string> words;
  for (const json& word : list) {
    if (!word.is_string())
      throw DataError(fmt::format("word {} of the vocabulary is no text", words.size() + 1));
    words.push_back(word.get<std::string>());
  }
  return Vocabulary(std::move(words));
}

std::string header_problem(const GeneratorModel& model) {
  if (std::string problem = recipe_problem(model.recipe); !problem.empty()) return problem;
  if (model.recipe.vocabulary != model.vocabulary.size()) {
    return fmt::format("the network has {} words and the vocabulary {}", model.recipe.vocabulary,
                       model.vocabulary.size());
  }
  const TrainingFacts& facts = model.facts;
  if (facts.best_epoch >= facts.epochs.size())
    return fmt::format("the best epoch is {} of {}", facts.best_epoch, facts.epochs.size());
  return facts.share > 0 && facts.share <= 1 ? "" : fmt::format("found the share {}", facts.share);
}

}  // namespace capella::method::pregen
