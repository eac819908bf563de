// Standard library only: the torch plug-in is built with this file, too.
#include <cmath>
#include <initializer_list>
#include <sstream>

#include "method/deneb/trainer.h"

namespace capella::method::deneb {
namespace {

constexpr std::size_t kMostWidth = std::size_t{1} << 16;
constexpr std::size_t kMostLayers = 256;
constexpr std::size_t kMostBatch = std::size_t{1} << 20;

std::size_t linear(std::size_t inputs, std::size_t outputs) {
  return inputs * outputs + outputs;
}

// One number of a recipe: what it is, the option that sets it (if one does), and what it may be at most.
struct Number {
  const char* what;
  const char* option;
  std::size_t value;
  std::size_t most;
};

std::string named(const char* what, const char* option) {
  return std::string(what) + (*option == '\0' ? "" : std::string(" (") + option + ")");
}

// The first number that is 0 or too large, in words; empty if there is none.
std::string number_out_of_range(std::initializer_list<Number> numbers) {
  for (const Number& one : numbers) {
    if (one.value < 1 || one.value > one.most)
      return named(one.what, one.option) + " is " + std::to_string(one.value) + ", expected 1 to " +
             std::to_string(one.most);
  }
  return "";
}

// "the rate (--rate) is -1, expected ..."
std::string wrong_value(const char* what, const char* option, double value, const char* expected) {
  std::ostringstream text;
  text << named(what, option) << " is " << value << ", expected " << expected;
  return text.str();
}

// Of a token: product and difference side by side, or one of them.
std::size_t token_width(const Recipe& recipe) {
  return recipe.architecture == Architecture::released ? 2 * recipe.width : recipe.width;
}

std::size_t layer_count(const Recipe& recipe) {
  const std::size_t d = token_width(recipe);
  const std::size_t forward = linear(d, recipe.feed_forward) + linear(recipe.feed_forward, d) + 2 * d;
  if (recipe.joiner == Joiner::mlp) return forward;
  return forward + linear(d, 3 * d) + linear(d, d) + 2 * d;
}

// One joiner: its layers and, to be read, its own token.
std::size_t joiner_count(const Recipe& recipe) {
  const std::size_t own = recipe.joiner == Joiner::mlp ? 0 : token_width(recipe);
  return recipe.layers * layer_count(recipe) + own;
}

std::size_t head_inputs(const Recipe& recipe) {
  const std::size_t clip = recipe.clip_width, sentence = recipe.sentence_width;
  if (recipe.architecture == Architecture::polos) return 4 * sentence + (recipe.image ? 6 : 3) * clip;
  if (recipe.architecture == Architecture::paper) return token_width(recipe);
  return token_width(recipe) * ((clip > 0 ? 1 : 0) + (sentence > 0 ? 1 : 0) + (recipe.image ? 1 : 0));
}

std::string shape_problem(const Recipe& recipe) {
  if (recipe.clip_width == 0 && recipe.sentence_width == 0)
    return "there is no encoder; give a width for one of them at least";
  if (recipe.image && recipe.clip_width == 0) return "images need the encoder that made them, CLIP";
  if (recipe.clip_width > kMostWidth || recipe.sentence_width > kMostWidth)
    return "vectors are wider than " + std::to_string(kMostWidth);
  std::string problem = number_out_of_range(
      {{"the number of the sentence encoder's layers", "", recipe.sentence_layers, kMostLayers},
       {"the width", "--width", recipe.width, kMostWidth},
       {"the number of layers", "--layers", recipe.layers, kMostLayers},
       {"the width of feed-forward layers", "--feed-forward", recipe.feed_forward, kMostWidth},
       {"the number of heads", "--heads", recipe.heads, kMostWidth},
       {"the head's first hidden layer", "--hidden", recipe.hidden[0], kMostWidth},
       {"the head's second hidden layer", "--hidden", recipe.hidden[1], kMostWidth}});
  if (!problem.empty()) return problem;
  if (recipe.architecture == Architecture::polos && recipe.cosine)
    return "Polos has no cosine that goes straight to the score";
  if (recipe.architecture != Architecture::polos && token_width(recipe) % recipe.heads != 0)
    return "tokens of " + std::to_string(token_width(recipe)) + " numbers cannot be shared among " +
           std::to_string(recipe.heads) + " heads";
  return "";
}

bool is_share(double value) {
  return value >= 0 && value < 1;
}

bool is_positive(double value) {
  return value > 0 && std::isfinite(value);
}

// Of what need not be a whole number.
std::string value_problem(const Recipe& recipe) {
  for (const double dropout : {recipe.dropout, recipe.mix_dropout}) {
    if (!is_share(dropout))
      return wrong_value("the dropout", "--dropout", dropout, "a number from 0 up to (but below) 1");
  }
  if (!is_positive(recipe.rate))
    return wrong_value("the rate", "--rate", recipe.rate, "a finite number above 0");
  if (!is_positive(recipe.huber_delta))
    return wrong_value("the Huber loss's delta", "", recipe.huber_delta, "a finite number above 0");
  if (!(recipe.weight_decay >= 0) || !std::isfinite(recipe.weight_decay))
    return wrong_value("the weight decay", "--weight-decay", recipe.weight_decay,
                       "a finite number, 0 or above");
  if (!(recipe.most_gradient >= 0))
    return wrong_value("the gradient's greatest length", "", recipe.most_gradient, "0 or above");
  return "";
}

}  // namespace

Recipe recipe(Architecture architecture) {
  Recipe recipe;
  recipe.architecture = architecture;
  if (architecture == Architecture::polos) {
    recipe.references = References::best;
    recipe.hidden = {2304, 1152};
    recipe.loss = Loss::squared;
    recipe.rate = 3e-5;
    recipe.schedule = Schedule::constant;
    recipe.warm_up = 0;
    recipe.batch = 64;
    recipe.accumulation = 4;
  }
  return recipe;
}

std::string recipe_problem(const Recipe& recipe) {
  if (const std::string problem = shape_problem(recipe); !problem.empty()) return problem;
  if (recipe.architecture == Architecture::polos && recipe.references == References::together)
    return "Polos scores each reference alone: take the best or the mean";
  if (std::string problem = value_problem(recipe); !problem.empty()) return problem;
  return number_out_of_range(
      {{"the size of a batch", "--batch", recipe.batch, kMostBatch},
       {"the number of batches that make a step", "", recipe.accumulation, kMostBatch}});
}

std::size_t parameter_count(const Recipe& recipe) {
  const bool clip = recipe.clip_width > 0, sentence = recipe.sentence_width > 0;
  std::size_t count = sentence && recipe.sentence_layers > 1 ? recipe.sentence_layers + 1 : 0;
  if (recipe.cosine) ++count;
  if (recipe.architecture != Architecture::polos) {
    if (clip) count += linear(recipe.clip_width, recipe.width);
    if (sentence) count += linear(recipe.sentence_width, recipe.width);
    const bool one = recipe.architecture == Architecture::paper;
    count += joiner_count(recipe) * (one ? 1 : (clip ? 1 : 0) + (sentence ? 1 : 0));
    if (one) count += 6 * recipe.width;  // a vector for each kind of token
  }
  const auto [first, second] = recipe.hidden;
  return count + linear(head_inputs(recipe), first) + linear(first, second) + linear(second, 1);
}

}  // namespace capella::method::deneb
