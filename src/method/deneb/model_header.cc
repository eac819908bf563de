#include "method/deneb/model_header.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/json_text.h"
#include "base/names.h"
#include "method/json_fields.h"

namespace capella::method::deneb {
namespace {

using nlohmann::json;  // sorts its keys

constexpr int kHeaderVersion = 1;

template <class Choice, std::size_t count>
std::string name_of(Choice choice, const std::string_view (&names)[count]) {
  return std::string(names[static_cast<std::size_t>(choice)]);
}

template <class Choice, std::size_t count>
Choice read_choice(Fields& fields, const char* key, const std::string_view (&names)[count]) {
  const std::string name = fields.text(key);
  const auto found = std::ranges::find(names, name);
  if (found == std::end(names)) {
    throw DataError(fmt::format("'{}' is '{}', expected one of {}", key, excerpt(name),
                                fmt::join(std::begin(names), std::end(names), ", ")));
  }
  return static_cast<Choice>(found - std::begin(names));
}

// Fields that came after the first version are written only where they say something: files that do without
// stay as they were, and versions that do not know them can read these.
json recipe_json(const Recipe& recipe) {
  json fields = {{"architecture", name_of(recipe.architecture, kArchitectureNames)},
                 {"tokens", name_of(recipe.tokens, kTokenKindNames)},
                 {"joiner", name_of(recipe.joiner, kJoinerNames)},
                 {"references", name_of(recipe.references, kReferencesNames)},
                 {"mix", name_of(recipe.mix, kMixStatisticsNames)},
                 {"cut_references", recipe.cut_references},
                 {"image", recipe.image},
                 {"clip_width", recipe.clip_width},
                 {"sentence_width", recipe.sentence_width},
                 {"sentence_layers", recipe.sentence_layers},
                 {"width", recipe.width},
                 {"layers", recipe.layers},
                 {"heads", recipe.heads},
                 {"feed_forward", recipe.feed_forward},
                 {"hidden", recipe.hidden},
                 {"cosine", recipe.cosine},
                 {"dropout", recipe.dropout},
                 {"mix_dropout", recipe.mix_dropout},
                 {"loss", name_of(recipe.loss, kLossNames)},
                 {"huber_delta", recipe.huber_delta},
                 {"rate", recipe.rate},
                 {"schedule", name_of(recipe.schedule, kScheduleNames)},
                 {"warm_up", recipe.warm_up},
                 {"total_steps", recipe.total_steps},
                 {"most_gradient", recipe.most_gradient},
                 {"weight_decay", recipe.weight_decay},
                 {"batch", recipe.batch},
                 {"accumulation", recipe.accumulation}};
  if (recipe.scale_vectors) fields["scale_vectors"] = true;
  return fields;
}

std::array<std::size_t, 2> read_hidden(const json& value) {
  if (!value.is_array() || value.size() != 2 || !value[0].is_number_unsigned() ||
      !value[1].is_number_unsigned())
    throw DataError("'hidden' is not a pair of whole numbers");
  return {value[0].get<std::size_t>(), value[1].get<std::size_t>()};
}

void read_shape(Fields& fields, Recipe& recipe) {
  recipe.architecture = read_choice<Architecture>(fields, "architecture", kArchitectureNames);
  recipe.tokens = read_choice<TokenKind>(fields, "tokens", kTokenKindNames);
  recipe.joiner = read_choice<Joiner>(fields, "joiner", kJoinerNames);
  recipe.references = read_choice<References>(fields, "references", kReferencesNames);
  recipe.mix = read_choice<MixStatistics>(fields, "mix", kMixStatisticsNames);
  recipe.cut_references = fields.truth("cut_references");
  recipe.image = fields.truth("image");
  recipe.clip_width = fields.whole("clip_width");
  recipe.sentence_width = fields.whole("sentence_width");
  recipe.sentence_layers = fields.whole("sentence_layers");
  recipe.width = fields.whole("width");
  recipe.layers = fields.whole("layers");
  recipe.heads = fields.whole("heads");
  recipe.feed_forward = fields.whole("feed_forward");
  recipe.hidden = read_hidden(fields.take("hidden"));
  recipe.cosine = fields.truth("cosine");
}

Recipe read_recipe(const json& object, const std::string& key) {
  Fields fields(object, fmt::format("'{}': 'recipe'", key));
  Recipe recipe;
  read_shape(fields, recipe);
  recipe.dropout = fields.number("dropout");
  recipe.mix_dropout = fields.number("mix_dropout");
  recipe.loss = read_choice<Loss>(fields, "loss", kLossNames);
  recipe.huber_delta = fields.number("huber_delta");
  recipe.rate = fields.number("rate");
  recipe.schedule = read_choice<Schedule>(fields, "schedule", kScheduleNames);
  recipe.warm_up = fields.whole("warm_up");
  recipe.total_steps = fields.whole("total_steps");
  recipe.most_gradient = fields.number("most_gradient");
  recipe.weight_decay = fields.number("weight_decay");
  recipe.batch = fields.whole("batch");
  recipe.accumulation = fields.whole("accumulation");
  if (fields.has("scale_vectors")) recipe.scale_vectors = fields.truth("scale_vectors");
  fields.end();
  return recipe;
}

json encoder_json(const std::optional<EncoderFacts>& facts) {
  if (!facts) return nullptr;
  return {{"name", facts->name}, {"fingerprint", facts->fingerprint}};
}

json encoders_json(const EncoderUse& use) {
  json image = nullptr;
  if (use.image) {
    image = {{"size", use.image->size}, {"mean", use.image->mean}, {"deviation", use.image->deviation}};
  }
  return {{"clip", encoder_json(use.clip)},
          {"sentence", encoder_json(use.sentence)},
          {"prompt", use.prompt},
          {"image", std::move(image)}};
}

std::optional<EncoderFacts> read_encoder(const json& object, const char* which) {
  if (object.is_null()) return std::nullopt;
  Fields fields(object, fmt::format("the encoder '{}'", which));
  EncoderFacts facts{fields.text("name"), fields.text("fingerprint")};
  fields.end();
  return facts;
}

std::array<float, 3> read_colours(const json& list, const char* what) {
  if (!list.is_array() || list.size() != 3) throw DataError(fmt::format("'{}' is not three numbers", what));
  std::array<float, 3> colours = {};
  for (std::size_t c = 0; c < 3; ++c) {
    if (!list[c].is_number()) throw DataError(fmt::format("'{}' is not three numbers", what));
    colours[c] = list[c].get<float>();
  }
  return colours;
}

std::optional<ImageFacts> read_image(const json& object) {
  if (object.is_null()) return std::nullopt;
  Fields fields(object, "'image'");
  ImageFacts facts;
  facts.size = fields.whole("size");
  facts.mean = read_colours(fields.take("mean"), "mean");
  facts.deviation = read_colours(fields.take("deviation"), "deviation");
  fields.end();
  return facts;
}

EncoderUse read_encoders(const json& object, const std::string& key) {
  Fields fields(object, fmt::format("'{}': 'encoders'", key));
  EncoderUse use;
  use.clip = read_encoder(fields.take("clip"), "clip");
  use.sentence = read_encoder(fields.take("sentence"), "sentence");
  use.prompt = fields.text("prompt");
  use.image = read_image(fields.take("image"));
  fields.end();
  return use;
}

json facts_json(const TrainingFacts& facts) {
  json epochs = json::array();
  for (const TrainingEpoch& epoch : facts.epochs)
    epochs.push_back({number_json(epoch.loss), number_json(epoch.agreement)});
  json fields = {{"training_data", facts.training_data},
                 {"validation_data", facts.validation_data},
                 {"training_rows", facts.training_rows},
                 {"validation_rows", facts.validation_rows},
                 {"most_references", facts.most_references},
                 {"fingerprint", hex_text(facts.fingerprint)},
                 {"seed", facts.seed},
                 {"patience", facts.patience},
                 {"epochs", std::move(epochs)},
                 {"best_epoch", facts.best_epoch},
                 {"version", facts.version}};
  if (!facts.without.empty()) fields["without"] = facts.without;
  if (!facts.held_out.empty()) fields["held_out"] = facts.held_out;
  if (facts.dropped_rows > 0) fields["dropped_rows"] = facts.dropped_rows;
  if (facts.rows_per_epoch > 0) fields["rows_per_epoch"] = facts.rows_per_epoch;
  if (facts.measure != Measure::tau_c) fields["measure"] = name_of(facts.measure, kMeasureNames);
  return fields;
}

std::vector<TrainingEpoch> read_epochs(const json& list) {
  if (!list.is_array()) throw DataError("'epochs' is not a list");
  std::vector<TrainingEpoch> epochs;
  for (const json& epoch : list) {
    if (!epoch.is_array() || epoch.size() != 2)
      throw DataError("an epoch is not a pair of numbers, expected loss and agreement");
    epochs.push_back(
        {read_number_json(epoch[0], "an epoch's loss"), read_number_json(epoch[1], "an epoch's agreement")});
  }
  return epochs;
}

std::vector<std::string> read_names(const json& list, const char* key) {
  if (!list.is_array() || !std::ranges::all_of(list, [](const json& name) { return name.is_string(); }))
    throw DataError(fmt::format("'{}' is not a list of texts", key));
  return list.get<std::vector<std::string>>();
}

void read_later_facts(Fields& fields, TrainingFacts& facts) {
  if (fields.has("without")) facts.without = read_names(fields.take("without"), "without");
  if (fields.has("held_out")) facts.held_out = read_names(fields.take("held_out"), "held_out");
  if (fields.has("dropped_rows")) facts.dropped_rows = fields.whole("dropped_rows");
  if (fields.has("rows_per_epoch")) facts.rows_per_epoch = fields.whole("rows_per_epoch");
  if (fields.has("measure")) facts.measure = read_choice<Measure>(fields, "measure", kMeasureNames);
}

TrainingFacts read_facts(const json& object, const std::string& key) {
  Fields fields(object, fmt::format("'{}': 'training'", key));
  TrainingFacts facts;
  facts.training_data = fields.text("training_data");
  facts.validation_data = fields.text("validation_data");
  facts.training_rows = fields.whole("training_rows");
  facts.validation_rows = fields.whole("validation_rows");
  facts.most_references = fields.whole("most_references");
  facts.fingerprint = read_hex_text(fields.text("fingerprint"));
  facts.seed = fields.whole("seed");
  facts.patience = fields.whole("patience");
  facts.epochs = read_epochs(fields.take("epochs"));
  facts.best_epoch = fields.whole("best_epoch");
  facts.version = fields.text("version");
  read_later_facts(fields, facts);
  fields.end();
  return facts;
}

// A field as options call it.
std::string option_word(std::string field) {
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"mix", "statistics"},
      {"image", "use of images"},
      {"clip_width", "width of CLIP's vectors"},
      {"sentence_width", "width of the sentence encoder's vectors"},
      {"sentence_layers", "sentence vectors' layers"}};
  for (const auto& [name, word] : kOthers) {
    if (field == name) return std::string(word);
  }
  std::ranges::replace(field, '_', '-');
  return field;
}

std::string value_word(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::string recipe_difference(const Recipe& found, const Recipe& expected) {
  json one = recipe_json(found), other = recipe_json(expected);
  for (json* fields : {&one, &other}) {
    fields->erase("total_steps");
    fields->emplace("scale_vectors", false);
  }
  std::vector<std::string> words, derived;
  for (const auto& [field, value] : one.items()) {
    if (value == other.at(field)) continue;
    const bool follows = field == "mix_dropout" || field == "cut_references";  // from another field
    (follows ? derived : words)
        .push_back(fmt::format("{} {} instead of {}", option_word(field), value_word(value),
                               value_word(other.at(field))));
  }
  return fmt::format("{}", fmt::join(words.empty() ? derived : words, ", "));
}

std::string header_text(const Model& model, std::uint64_t arrays_hash) {
  const json header = {{"format", kHeaderVersion},
                       {"recipe", recipe_json(model.recipe)},
                       {"encoders", encoders_json(model.encoders)},
                       {"training", facts_json(model.facts)},
                       {"arrays", hex_text(arrays_hash)}};
  return json_text(header);
}

ModelHeader read_header(const std::string& text, const std::string& key) {
  const json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) throw DataError(fmt::format("'{}' is not JSON", key));
  Fields fields(object, fmt::format("'{}'", key));
  if (const std::uint64_t format = fields.whole("format"); format != kHeaderVersion)
    throw DataError(fmt::format("'{}': found format {}, expected {}", key, format, kHeaderVersion));
  ModelHeader header;
  header.model.recipe = read_recipe(fields.take("recipe"), key);
  header.model.encoders = read_encoders(fields.take("encoders"), key);
  header.model.facts = read_facts(fields.take("training"), key);
  header.arrays_hash = read_hex_text(fields.text("arrays"));
  fields.end();
  return header;
}

std::string header_problem(const Model& model) {
  if (std::string problem = recipe_problem(model.recipe); !problem.empty()) return problem;
  const Recipe& recipe = model.recipe;
  if (model.encoders.clip.has_value() != (recipe.clip_width > 0) ||
      model.encoders.sentence.has_value() != (recipe.sentence_width > 0))
    return "the recipe has other encoders than are named";
  if (model.encoders.image.has_value() != recipe.image)
    return "the recipe and the encoders do not agree whether there are images";
  const TrainingFacts& facts = model.facts;
  if (facts.best_epoch >= facts.epochs.size())
    return fmt::format("the best epoch is {} of {}", facts.best_epoch, facts.epochs.size());
  return "";
}

}  // namespace capella::method::deneb
