#include "torch/deneb/network.h"

#include <cmath>
#include <limits>
#include <string>

#include "torch/attention.h"

namespace capella::plugin::deneb {
namespace {

using std::to_string;

constexpr double kOwnTokenDeviation = 1e-6;
constexpr double kKindDeviation = .02;
constexpr double kNormEpsilon = 1e-5;
constexpr double kFirstGain = 5;  // of the cosine

std::int64_t signed_size(std::size_t size) {
  return static_cast<std::int64_t>(size);
}

std::int64_t token_width(const Recipe& recipe) {
  return signed_size(recipe.width) * (recipe.architecture == Architecture::released ? 2 : 1);
}

// The layers of a joiner start as copies of one.
void first_joiner(FirstWeights& first, const Recipe& recipe, const std::string& name) {
  const std::int64_t d = token_width(recipe), forward = signed_size(recipe.feed_forward);
  const std::string layer = name + ".layers.0.";
  if (recipe.joiner == Joiner::transformer) {
    first.uniform(layer + "self_attn.in_proj_weight", {3 * d, d}, std::sqrt(6 / static_cast<double>(4 * d)));
    first.constant(layer + "self_attn.in_proj_bias", {3 * d}, 0);
    first.uniform(layer + "self_attn.out_proj.weight", {d, d}, 1 / std::sqrt(static_cast<double>(d)));
    first.constant(layer + "self_attn.out_proj.bias", {d}, 0);
    first.norm(layer + "norm1", d);
  }
  first.linear(layer + "linear1", forward, d);
  first.linear(layer + "linear2", d, forward);
  first.norm(layer + "norm2", d);
  for (std::size_t i = 1; i < recipe.layers; ++i) first.copies(layer, name + ".layers." + to_string(i) + ".");
}

void first_own_token(FirstWeights& first, const Recipe& recipe, const std::string& name) {
  if (recipe.joiner == Joiner::transformer)
    first.normal(name, {1, 1, token_width(recipe)}, kOwnTokenDeviation);
}

std::int64_t head_inputs(const Recipe& recipe) {
  const std::int64_t clip = signed_size(recipe.clip_width), sentence = signed_size(recipe.sentence_width);
  if (recipe.architecture == Architecture::polos) return 4 * sentence + (recipe.image ? 6 : 3) * clip;
  if (recipe.architecture == Architecture::paper) return token_width(recipe);
  return token_width(recipe) * ((clip > 0 ? 1 : 0) + (sentence > 0 ? 1 : 0) + (recipe.image ? 1 : 0));
}

Tensor linear(const Weights& weights, const std::string& name, const Tensor& x) {
  return torch::linear(x, weights[name + ".weight"], weights[name + ".bias"]);
}

Tensor norm(const Weights& weights, const std::string& name, const Tensor& x) {
  return torch::layer_norm(x, {x.size(-1)}, weights[name + ".weight"], weights[name + ".bias"], kNormEpsilon);
}

// [samples][tokens][width] to [samples][heads][tokens][width of a head].
Tensor heads_of(const Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

// Attention of the first `queries` tokens to all.
Tensor attention(const Recipe& recipe, const Weights& weights, const std::string& name, const Tensor& x,
                 std::int64_t queries, const Tensor& mask, Dropout& dropout) {
  const std::int64_t d = x.size(2), heads = signed_size(recipe.heads);
  const Tensor& weight = weights[name + "in_proj_weight"];
  const Tensor& bias = weights[name + "in_proj_bias"];
  Tensor q, k, v;
  if (queries == x.size(1)) {
    const std::vector<Tensor> parts = torch::linear(x, weight, bias).chunk(3, -1);
    q = parts[0], k = parts[1], v = parts[2];
  } else {
    const Tensor first = x.narrow(1, 0, queries).contiguous();  // else one product for each sample
    q = torch::linear(first, weight.narrow(0, 0, d), bias.narrow(0, 0, d));
    const std::vector<Tensor> parts =
        torch::linear(x, weight.narrow(0, d, 2 * d), bias.narrow(0, d, 2 * d)).chunk(2, -1);
    k = parts[0], v = parts[1];
  }
  if (!torch::GradMode::is_enabled() && !mask.defined()) {
    const Fold fold = fold_of(x.size(0), queries, x.size(1), false, x.options());
    const Tensor read =
        attend_rows(q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1), x.size(0), heads, fold, false);
    return linear(weights, name + "out_proj", read.view({x.size(0), queries, d}));
  }
  q = heads_of(q, heads), k = heads_of(k, heads), v = heads_of(v, heads);
  const Tensor read = torch::GradMode::is_enabled()
                          ? torch::matmul(dropout(attention_weights(q, k, mask, false)), v)
                          : attend(q, k, v, mask, false);
  return linear(weights, name + "out_proj", read.transpose(1, 2).reshape({x.size(0), queries, d}));
}

// What is added to the scores of tokens that are not there: [samples][1][1][tokens], or undefined.
Tensor attention_mask(const Tensor& valid, torch::ScalarType type) {
  if (!valid.defined()) return {};
  const Tensor zeros = torch::zeros(valid.sizes(), torch::TensorOptions(valid.device()).dtype(type));
  return zeros.masked_fill(~valid, -std::numeric_limits<double>::infinity()).unsqueeze(1).unsqueeze(1);
}

// The transformer's first token; of the last layer nothing else is computed. `valid` is [samples][tokens].
Tensor transformed(const Recipe& recipe, const Weights& weights, const std::string& name, Tensor x,
                   const Tensor& valid, Dropout& dropout) {
  const Tensor mask = attention_mask(valid, x.scalar_type());
  for (std::size_t i = 0; i < recipe.layers; ++i) {
    const std::string layer = name + ".layers." + to_string(i) + ".";
    const std::int64_t queries = i + 1 == recipe.layers ? 1 : x.size(1);
    const Tensor read = attention(recipe, weights, layer + "self_attn.", x, queries, mask, dropout);
    x = norm(weights, layer + "norm1", x.narrow(1, 0, queries) + dropout(read));
    const Tensor inner = dropout(torch::relu(linear(weights, layer + "linear1", x)));
    x = norm(weights, layer + "norm2", x + dropout(linear(weights, layer + "linear2", inner)));
  }
  return x.select(1, 0);
}

// Each token by itself, then the mean of those that are there.
Tensor averaged(const Recipe& recipe, const Weights& weights, const std::string& name, Tensor x,
                const Tensor& valid, Dropout& dropout) {
  for (std::size_t i = 0; i < recipe.layers; ++i) {
    const std::string layer = name + ".layers." + to_string(i) + ".";
    const Tensor inner = dropout(torch::relu(linear(weights, layer + "linear1", x)));
    x = norm(weights, layer + "norm2", x + dropout(linear(weights, layer + "linear2", inner)));
  }
  if (!valid.defined()) return x.mean(1);
  const Tensor share = valid.to(x.scalar_type()) / valid.sum(1, true).to(x.scalar_type());
  return (x * share.unsqueeze(2)).sum(1);
}

// sin and cos of the token's place at falling frequencies.
Tensor places(std::int64_t tokens, std::int64_t width, const Tensor& like) {
  const auto exact = torch::TensorOptions(like.device()).dtype(torch::kFloat64);
  const Tensor speeds =
      torch::exp(torch::arange(0, width, 2, exact) * (-std::log(1e4) / static_cast<double>(width)));
  const Tensor angles = torch::arange(tokens, exact).unsqueeze(1) * speeds;
  return torch::stack({angles.sin(), angles.cos()}, 2).view({tokens, width}).to(like.scalar_type());
}

// Marks of `count` tokens that are always there, before those of the references.
Tensor with_always(const Tensor& valid, std::int64_t count) {
  if (!valid.defined() || count == 0) return valid;
  return torch::cat({torch::ones({valid.size(0), count}, valid.options()), valid}, 1);
}

// Image and references in front of the candidate: [samples][1 + references][width].
Tensor others_of(const Vectors& vectors) {
  if (!vectors.image.defined()) return vectors.references;
  return torch::cat({vectors.image.unsqueeze(1), vectors.references}, 1);
}

// The two vectors that tell an other vector and the candidate apart, [samples][others][2][width]: difference
// and product, or themselves.
Tensor compared(const Recipe& recipe, const Vectors& vectors) {
  const Tensor others = others_of(vectors);
  const Tensor candidate = vectors.candidate.unsqueeze(1).expand_as(others);
  if (recipe.tokens == TokenKind::raw) return torch::stack({others, candidate}, 2);
  return torch::stack({(others - candidate).abs(), others * candidate}, 2);
}

// One sequence of the released network: tokens of one encoder to one vector.
Tensor joined(const Recipe& recipe, const Weights& weights, const std::string& suffix, const Tensor& tokens,
              const Tensor& valid, Dropout& dropout) {
  const std::string joiner = "transformer" + suffix;
  if (recipe.joiner == Joiner::mlp) return averaged(recipe, weights, joiner, tokens, valid, dropout);
  const Tensor own = weights["cls_token" + (suffix.empty() ? "1" : suffix)].expand({tokens.size(0), -1, -1});
  Tensor sequence = torch::cat({own, tokens}, 1);
  sequence = dropout(sequence + places(sequence.size(1), sequence.size(2), sequence));
  return transformed(recipe, weights, joiner, sequence, with_always(valid, 1), dropout);
}

Tensor released_features(const Recipe& recipe, const Weights& weights, const Inputs& in, Dropout& dropout) {
  std::vector<Tensor> parts;
  Tensor image;
  if (in.clip.candidate.defined()) {
    const Tensor tokens = linear(weights, "upsampler", compared(recipe, in.clip)).flatten(2);
    const std::int64_t images = in.clip.image.defined() ? 1 : 0;
    parts.push_back(joined(recipe, weights, "", tokens, with_always(in.valid, images), dropout));
    if (images > 0) image = tokens.select(1, 0);
  }
  if (in.sentence.candidate.defined()) {
    const Tensor tokens = linear(weights, "upsampler2", compared(recipe, in.sentence)).flatten(2);
    parts.push_back(joined(recipe, weights, "2", tokens, in.valid, dropout));
  }
  if (image.defined()) parts.push_back(image);
  return torch::cat(parts, 1);
}

// Tokens of the paper's network, with the kind of each.
class PaperTokens {
 public:
  PaperTokens(const Weights& weights, const Tensor& valid)
      : kinds_(weights["type_embedding.weight"]), valid_(valid) {}

  // `tokens` [samples][count][width] are of one kind; there are references among them, or they are always
  // there.
  void add(const Tensor& tokens, std::int64_t kind, bool references) {
    tokens_.push_back(tokens + kinds_[kind]);
    if (!valid_.defined()) return;
    marks_.push_back(references ? valid_ : torch::ones({valid_.size(0), tokens.size(1)}, valid_.options()));
  }

  Tensor tokens() const { return torch::cat(tokens_, 1); }
  Tensor valid() const { return valid_.defined() ? torch::cat(marks_, 1) : Tensor(); }

 private:
  Tensor kinds_;
  Tensor valid_;
  std::vector<Tensor> tokens_;
  std::vector<Tensor> marks_;
};

// Products before differences, the image before the references.
void add_similarities(const Recipe& recipe, const Weights& weights, const Inputs& in, PaperTokens& out) {
  if (in.clip.candidate.defined()) {
    const Tensor both = linear(weights, "upsampler", compared(recipe, in.clip));
    const std::int64_t images = in.clip.image.defined() ? 1 : 0;
    for (const std::int64_t product : {1, 0}) {
      const Tensor all = both.select(2, product);
      const std::int64_t kind = product == 1 ? 0 : 2;
      if (images > 0) out.add(all.narrow(1, 0, 1), kind, false);
      out.add(all.narrow(1, images, all.size(1) - images), kind + 1, true);
    }
  }
  if (in.sentence.candidate.defined()) {
    const Tensor both = linear(weights, "upsampler2", compared(recipe, in.sentence));
    out.add(both.select(2, 1), 4, true);
    out.add(both.select(2, 0), 5, true);
  }
}

void add_vectors(const Weights& weights, const Inputs& in, PaperTokens& out) {
  if (in.clip.candidate.defined()) {
    out.add(linear(weights, "upsampler", in.clip.candidate).unsqueeze(1), 0, false);
    if (in.clip.image.defined()) out.add(linear(weights, "upsampler", in.clip.image).unsqueeze(1), 1, false);
    out.add(linear(weights, "upsampler", in.clip.references), 2, true);
  }
  if (in.sentence.candidate.defined()) {
    out.add(linear(weights, "upsampler2", in.sentence.candidate).unsqueeze(1), 3, false);
    out.add(linear(weights, "upsampler2", in.sentence.references), 4, true);
  }
}

Tensor paper_features(const Recipe& recipe, const Weights& weights, const Inputs& in, Dropout& dropout) {
  PaperTokens all(weights, in.valid);
  if (recipe.tokens == TokenKind::raw) {
    add_vectors(weights, in, all);
  } else {
    add_similarities(recipe, weights, in, all);
  }
  const Tensor tokens = dropout(all.tokens());
  if (recipe.joiner == Joiner::mlp)
    return averaged(recipe, weights, "transformer", tokens, all.valid(), dropout);
  const Tensor own = weights["cls_token"].expand({tokens.size(0), -1, -1});
  return transformed(recipe, weights, "transformer", torch::cat({own, tokens}, 1),
                     with_always(all.valid(), 1), dropout);
}

// Of samples with one reference each.
Tensor polos_features(const Inputs& in) {
  std::vector<Tensor> parts;
  if (in.sentence.candidate.defined()) {
    const Tensor& c = in.sentence.candidate;
    const Tensor r = in.sentence.references.select(1, 0);
    parts = {r, c, (c - r).abs(), c * r};
  }
  if (in.clip.candidate.defined()) {
    const Tensor& c = in.clip.candidate;
    const Tensor& v = in.clip.image;
    const Tensor r = in.clip.references.select(1, 0);
    if (v.defined()) parts.push_back(v);
    parts.push_back(c);
    if (v.defined()) parts.insert(parts.end(), {(v - c).abs(), v * c});
    parts.insert(parts.end(), {(r - c).abs(), r * c});
  }
  return torch::cat(parts, 1);
}

// Half the highest and half the mean cosine of the candidate with its references, one per sample.
Tensor cosine(const Inputs& in) {
  constexpr double kLeastLength = 1e-12;
  const Vectors& vectors = in.sentence.candidate.defined() ? in.sentence : in.clip;
  const auto direction = [&](const Tensor& rows) {
    return rows / rows.norm(2, -1, true).clamp_min(kLeastLength);
  };
  const Tensor each =
      torch::matmul(direction(vectors.references), direction(vectors.candidate).unsqueeze(2)).squeeze(2);
  if (!in.valid.defined()) return (std::get<0>(each.max(1)) + each.mean(1)) / 2;
  const Tensor highest = std::get<0>(each.masked_fill(~in.valid, -1).max(1));
  return (highest + each.masked_fill(~in.valid, 0).sum(1) / in.valid.sum(1)) / 2;
}

// The number whose sigmoid is the score.
Tensor head(const Weights& weights, const Tensor& features, Dropout& dropout) {
  const Tensor first = dropout(torch::tanh(linear(weights, "ff.linear_1", features)));
  const Tensor second = dropout(torch::tanh(linear(weights, "ff.linear_2", first)));
  return linear(weights, "ff.linear_3", second).squeeze(1);
}

Tensor scores_together(const Recipe& recipe, const Weights& weights, const Inputs& in, Dropout& dropout) {
  const auto features =
      recipe.architecture == Architecture::released ? released_features(recipe, weights, in, dropout)
      : recipe.architecture == Architecture::paper  ? paper_features(recipe, weights, in, dropout)
                                                    : polos_features(in);
  const Tensor number = head(weights, features, dropout);
  return torch::sigmoid(recipe.cosine ? number + weights[kCosineGain] * cosine(in) : number);
}

// Each reference as a sample of its own.
Vectors separated(const Vectors& all, std::int64_t references) {
  if (!all.candidate.defined()) return {};
  const auto repeated = [&](const Tensor& rows) {
    if (!rows.defined()) return rows;
    return rows.unsqueeze(1).expand({-1, references, -1}).reshape({-1, rows.size(1)});
  };
  return {repeated(all.candidate), all.references.reshape({-1, 1, all.references.size(2)}),
          repeated(all.image)};
}

}  // namespace

std::vector<NamedWeight> first_weights(const Recipe& recipe, std::uint64_t seed) {
  FirstWeights first(seed);
  const std::int64_t width = signed_size(recipe.width);
  const bool clip = recipe.clip_width > 0, sentence = recipe.sentence_width > 0;
  if (sentence && recipe.sentence_layers > 1) {
    for (std::size_t i = 0; i < recipe.sentence_layers; ++i)
      first.constant("scalar_mix.scalar_parameters." + to_string(i), {1}, 0);
    first.constant("scalar_mix.gamma", {1}, 1);
  }
  if (recipe.architecture != Architecture::polos) {
    if (clip) first.linear("upsampler", width, signed_size(recipe.clip_width));
    if (sentence) first.linear("upsampler2", width, signed_size(recipe.sentence_width));
  }
  if (recipe.architecture == Architecture::released) {
    if (clip) first_own_token(first, recipe, "cls_token1");
    if (sentence) first_own_token(first, recipe, "cls_token2");
    if (clip) first_joiner(first, recipe, "transformer");
    if (sentence) first_joiner(first, recipe, "transformer2");
  }
  if (recipe.architecture == Architecture::paper) {
    first.normal("type_embedding.weight", {6, width}, kKindDeviation);
    first_own_token(first, recipe, "cls_token");
    first_joiner(first, recipe, "transformer");
  }
  first.linear("ff.linear_1", signed_size(recipe.hidden[0]), head_inputs(recipe));
  first.linear("ff.linear_2", signed_size(recipe.hidden[1]), signed_size(recipe.hidden[0]));
  if (!recipe.cosine) {
    first.linear("ff.linear_3", 1, signed_size(recipe.hidden[1]));
    return first.arrays();
  }
  first.constant("ff.linear_3.weight", {1, signed_size(recipe.hidden[1])}, 0);
  first.constant("ff.linear_3.bias", {1}, -kFirstGain / 2);  // a cosine of one half is a score of one half
  first.constant(kCosineGain, {1}, kFirstGain);
  return first.arrays();
}

Tensor scores(const Recipe& recipe, const Weights& weights, const Inputs& inputs, Dropout& dropout) {
  if (recipe.references == References::together) return scores_together(recipe, weights, inputs, dropout);
  const Tensor& sample =
      inputs.clip.candidate.defined() ? inputs.clip.references : inputs.sentence.references;
  const std::int64_t samples = sample.size(0), references = sample.size(1);
  const Inputs alone{separated(inputs.clip, references), separated(inputs.sentence, references), {}};
  const Tensor each = scores_together(recipe, weights, alone, dropout).view({samples, references});
  const Tensor& valid = inputs.valid;
  if (recipe.references == References::best)
    return std::get<0>((valid.defined() ? each.masked_fill(~valid, -1) : each).max(1));
  if (!valid.defined()) return each.mean(1);
  return each.masked_fill(~valid, 0).sum(1) / valid.sum(1);
}

}  // namespace capella::plugin::deneb
