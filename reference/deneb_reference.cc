#include "reference/deneb_reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace capella::reference {
namespace {

using method::deneb::Architecture;
using method::deneb::Features;
using method::deneb::Joiner;
using method::deneb::Loss;
using method::deneb::MixStatistics;
using method::deneb::References;
using method::deneb::Samples;
using method::deneb::TokenKind;
using method::deneb::VectorTable;

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

Vector operator+(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b.at(i);
  return a;
}

Vector difference(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::fabs(a[i] - b.at(i));
  return a;
}

Vector product(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b.at(i);
  return a;
}

Vector chained(std::initializer_list<Vector> parts) {
  Vector all;
  for (const Vector& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

template <class Function>
Vector each(Vector x, const Function& function) {
  for (double& value : x) value = function(value);
  return x;
}

// Rows `first` ... of a matrix times x, plus the bias.
Vector affine(const Vector& weight, const Vector& bias, const Vector& x, std::size_t first,
              std::size_t count) {
  Vector y(count);
  for (std::size_t o = 0; o < count; ++o) {
    y[o] = bias.at(first + o);
    for (std::size_t i = 0; i < x.size(); ++i) y[o] += weight.at((first + o) * x.size() + i) * x[i];
  }
  return y;
}

class Asked {
 public:
  explicit Asked(const DenebNetwork& network) : n_(network) {}

  Vector linear(const std::string& name, const Vector& x) const {
    const Vector& bias = n_.arrays.at(name + ".bias");
    return affine(n_.arrays.at(name + ".weight"), bias, x, 0, bias.size());
  }

  Vector norm(const std::string& name, const Vector& x) const {
    const auto width = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / width;
    double squares = 0;
    for (const double value : x) squares += (value - mean) * (value - mean);
    const Vector& weight = n_.arrays.at(name + ".weight");
    const Vector& bias = n_.arrays.at(name + ".bias");
    Vector y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] = (x[i] - mean) / std::sqrt(squares / width + 1e-5) * weight[i] + bias[i];
    return y;
  }

  Rows attention(const std::string& name, const Rows& x) const {
    const std::size_t d = x[0].size(), heads = n_.recipe.heads, width = d / heads;
    const Vector& weight = n_.arrays.at(name + "in_proj_weight");
    const Vector& bias = n_.arrays.at(name + "in_proj_bias");
    Rows q, k, v, out;
    for (const Vector& row : x) {
      q.push_back(affine(weight, bias, row, 0, d));
      k.push_back(affine(weight, bias, row, d, d));
      v.push_back(affine(weight, bias, row, 2 * d, d));
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      Vector read(d);
      for (std::size_t h = 0; h < heads; ++h) {
        Vector shares;
        for (std::size_t j = 0; j < x.size(); ++j) {
          double dot = 0;
          for (std::size_t c = h * width; c < (h + 1) * width; ++c) dot += q[i][c] * k[j][c];
          shares.push_back(std::exp(dot / std::sqrt(static_cast<double>(width))));
        }
        const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
        for (std::size_t j = 0; j < x.size(); ++j) {
          for (std::size_t c = h * width; c < (h + 1) * width; ++c) read[c] += shares[j] / total * v[j][c];
        }
      }
      out.push_back(linear(name + "out_proj", read));
    }
    return out;
  }

  Vector join(const std::string& name, Rows x) const {
    const bool attends = n_.recipe.joiner == Joiner::transformer;
    for (std::size_t i = 0; i < n_.recipe.layers; ++i) {
      const std::string layer = name + ".layers." + std::to_string(i) + ".";
      const Rows read = attends ? attention(layer + "self_attn.", x) : Rows();
      for (std::size_t t = 0; t < x.size(); ++t) {
        if (attends) x[t] = norm(layer + "norm1", x[t] + read[t]);
        const Vector inner = each(linear(layer + "linear1", x[t]), [](double v) { return std::max(v, 0.0); });
        x[t] = norm(layer + "norm2", x[t] + linear(layer + "linear2", inner));
      }
    }
    if (attends) return x[0];
    Vector mean(x[0].size());
    for (const Vector& row : x) mean = mean + row;
    return each(mean, [&](double v) { return v / static_cast<double>(x.size()); });
  }

  // The number whose sigmoid is the score.
  double head(const Vector& x) const {
    const auto squash = [](double v) { return std::tanh(v); };
    const Vector first = each(linear("ff.linear_1", x), squash);
    const Vector second = each(linear("ff.linear_2", first), squash);
    return linear("ff.linear_3", second)[0];
  }

  const DenebNetwork& n_;
};

// One encoder's vectors of a sample.
struct Seen {
  Vector candidate;
  Rows references;
  Vector image;  // empty without
};

Rows with_places(Rows x) {
  const std::size_t d = x[0].size();
  for (std::size_t p = 0; p < x.size(); ++p) {
    for (std::size_t i = 0; i < d; ++i) {
      const double angle = static_cast<double>(p) *
                           std::pow(10000.0, -static_cast<double>(i / 2 * 2) / static_cast<double>(d));
      x[p][i] += i % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return x;
}

Vector pair_token(const Asked& ask, const std::string& up, const Vector& other, const Vector& candidate) {
  if (ask.n_.recipe.tokens == TokenKind::raw)
    return chained({ask.linear(up, other), ask.linear(up, candidate)});
  return chained({ask.linear(up, difference(other, candidate)), ask.linear(up, product(other, candidate))});
}

Vector released_sequence(const Asked& ask, const Seen& seen, const std::string& up, const std::string& own,
                         const std::string& joiner) {
  Rows tokens;
  if (!seen.image.empty()) tokens.push_back(pair_token(ask, up, seen.image, seen.candidate));
  for (const Vector& reference : seen.references)
    tokens.push_back(pair_token(ask, up, reference, seen.candidate));
  if (ask.n_.recipe.joiner == Joiner::mlp) return ask.join(joiner, tokens);
  tokens.insert(tokens.begin(), ask.n_.arrays.at(own));
  return ask.join(joiner, with_places(tokens));
}

Vector released_features(const Asked& ask, const Seen& clip, const Seen& sentence) {
  Vector first, second, image;
  if (!clip.candidate.empty()) {
    first = released_sequence(ask, clip, "upsampler", "cls_token1", "transformer");
    if (!clip.image.empty()) image = pair_token(ask, "upsampler", clip.image, clip.candidate);
  }
  if (!sentence.candidate.empty())
    second = released_sequence(ask, sentence, "upsampler2", "cls_token2", "transformer2");
  return chained({first, second, image});
}

Vector paper_features(const Asked& ask, const Seen& clip, const Seen& sentence) {
  Rows tokens;
  const bool raw = ask.n_.recipe.tokens == TokenKind::raw;
  const auto add = [&](const std::string& up, const Vector& x, std::size_t kind) {
    const Vector& kinds = ask.n_.arrays.at("type_embedding.weight");
    const std::size_t width = ask.n_.recipe.width;
    const auto begin = kinds.begin() + static_cast<std::ptrdiff_t>(kind * width);
    tokens.push_back(ask.linear(up, x) + Vector(begin, begin + static_cast<std::ptrdiff_t>(width)));
  };
  const auto add_all = [&](const Seen& s, const std::string& up, std::size_t of_candidate,
                           std::size_t of_image, std::size_t of_reference) {
    add(up, s.candidate, of_candidate);
    if (!s.image.empty()) add(up, s.image, of_image);
    for (const Vector& r : s.references) add(up, r, of_reference);
  };
  if (!clip.candidate.empty() && raw) add_all(clip, "upsampler", 0, 1, 2);
  if (!sentence.candidate.empty() && raw) add_all(sentence, "upsampler2", 3, 99, 4);
  if (!clip.candidate.empty() && !raw) {
    if (!clip.image.empty()) add("upsampler", product(clip.candidate, clip.image), 0);
    for (const Vector& r : clip.references) add("upsampler", product(clip.candidate, r), 1);
    if (!clip.image.empty()) add("upsampler", difference(clip.candidate, clip.image), 2);
    for (const Vector& r : clip.references) add("upsampler", difference(clip.candidate, r), 3);
  }
  if (!sentence.candidate.empty() && !raw) {
    for (const Vector& r : sentence.references) add("upsampler2", product(sentence.candidate, r), 4);
    for (const Vector& r : sentence.references) add("upsampler2", difference(sentence.candidate, r), 5);
  }
  if (ask.n_.recipe.joiner == Joiner::transformer)
    tokens.insert(tokens.begin(), ask.n_.arrays.at("cls_token"));
  return ask.join("transformer", tokens);
}

Vector polos_features(const Seen& clip, const Seen& sentence) {
  Vector all;
  if (!sentence.candidate.empty()) {
    const Vector &c = sentence.candidate, &r = sentence.references[0];
    all = chained({r, c, difference(c, r), product(c, r)});
  }
  if (!clip.candidate.empty()) {
    const Vector &c = clip.candidate, &r = clip.references[0], &v = clip.image;
    const Vector none;
    all = chained({all, v, c, v.empty() ? none : difference(v, c), v.empty() ? none : product(v, c),
                   difference(r, c), product(r, c)});
  }
  return all;
}

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Half the highest and half the mean of the candidate's cosines with the references.
double reference_cosine(const Seen& seen) {
  double highest = -1, sum = 0;
  for (const Vector& reference : seen.references) {
    const double lengths = std::sqrt(dot(seen.candidate, seen.candidate) * dot(reference, reference));
    const double cosine = dot(seen.candidate, reference) / lengths;
    highest = std::max(highest, cosine);
    sum += cosine;
  }
  return (highest + sum / static_cast<double>(seen.references.size())) / 2;
}

double score_together(const DenebNetwork& network, const Seen& clip, const Seen& sentence) {
  const Asked ask(network);
  const Architecture architecture = network.recipe.architecture;
  const Vector features = architecture == Architecture::released ? released_features(ask, clip, sentence)
                          : architecture == Architecture::paper  ? paper_features(ask, clip, sentence)
                                                                 : polos_features(clip, sentence);
  double number = ask.head(features);
  if (network.recipe.cosine)
    number += network.arrays.at(method::deneb::kCosineGain)[0] *
              reference_cosine(sentence.candidate.empty() ? clip : sentence);
  return 1 / (1 + std::exp(-number));
}

// Of the length of the root of its width.
Vector scaled(const Vector& x) {
  const double factor = std::sqrt(static_cast<double>(x.size()) / dot(x, x));
  return each(x, [&](double v) { return v * factor; });
}

Seen scaled(const Seen& seen) {
  Seen made = seen;
  made.candidate = scaled(seen.candidate);
  made.image = scaled(seen.image);
  for (Vector& reference : made.references) reference = scaled(reference);
  return made;
}

Seen with_one(const Seen& seen, std::size_t i) {
  if (seen.candidate.empty()) return {};
  return {seen.candidate, {seen.references.at(i)}, seen.image};
}

double score(const DenebNetwork& network, const Seen& clip, const Seen& sentence) {
  if (network.recipe.references == References::together) return score_together(network, clip, sentence);
  const std::size_t count = std::max(clip.references.size(), sentence.references.size());
  double best = 0, sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double alone = score_together(network, with_one(clip, i), with_one(sentence, i));
    best = std::max(best, alone);
    sum += alone;
  }
  return network.recipe.references == References::best ? best : sum / static_cast<double>(count);
}

Vector row_of(const VectorTable& table, std::size_t row, std::size_t layer = 0) {
  Vector found;
  for (std::size_t i = 0; i < table.width; ++i) {
    const std::size_t at = (row * table.layers + layer) * table.width + i;
    found.push_back(table.floats[at]);
  }
  return found;
}

struct Statistics {
  Vector mean;
  Vector variance;
};

// Of the captions that stand at one place of a batch.
Statistics statistics_of(const Features& features, const std::vector<std::size_t>& rows) {
  Statistics found;
  for (std::size_t l = 0; l < features.sentences.layers; ++l) {
    double sum = 0, squares = 0, count = 0;
    for (const std::size_t row : rows) {
      sum += features.sums[row * features.sentences.layers + l];
      squares += features.squares[row * features.sentences.layers + l];
      count += static_cast<double>(features.tokens[row] * features.sentences.width);
    }
    found.mean.push_back(sum / count);
    found.variance.push_back(squares / count - sum / count * (sum / count));
  }
  return found;
}

Vector mixed(const DenebNetwork& network, const Features& features, std::size_t row,
             const Statistics& statistics) {
  if (network.recipe.sentence_layers == 1) return row_of(features.sentences, row);
  Vector shares;
  for (std::size_t l = 0; l < network.recipe.sentence_layers; ++l)
    shares.push_back(std::exp(network.arrays.at("scalar_mix.scalar_parameters." + std::to_string(l))[0]));
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  Vector all(network.recipe.sentence_width);
  for (std::size_t l = 0; l < shares.size(); ++l) {
    const Vector layer = row_of(features.sentences, row, l);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] += network.arrays.at("scalar_mix.gamma")[0] * shares[l] / total *
                (layer[i] - statistics.mean[l]) / std::sqrt(statistics.variance[l] + 1e-12);
  }
  return all;
}

// How many references each chosen sample has in this batch.
std::vector<std::size_t> reference_counts(const DenebNetwork& network, const Samples& samples,
                                          std::span<const std::uint32_t> chosen) {
  std::vector<std::size_t> counts;
  for (const std::uint32_t k : chosen) counts.push_back(samples.references_of(k).size());
  if (network.recipe.cut_references)
    counts.assign(counts.size(), *std::min_element(counts.begin(), counts.end()));
  return counts;
}

// Of the candidates, then of the first, second, ... references.
std::vector<Statistics> all_statistics(const DenebNetwork& network, const Features& features,
                                       const Samples& samples, std::span<const std::uint32_t> chosen) {
  const auto& recipe = network.recipe;
  const std::vector<std::size_t> counts = reference_counts(network, samples, chosen);
  const std::size_t slots = 1 + *std::max_element(counts.begin(), counts.end());
  if (recipe.sentence_width == 0 || recipe.sentence_layers == 1) return std::vector<Statistics>(slots);
  if (recipe.mix == MixStatistics::frozen) {
    const Statistics all{network.arrays.at(method::deneb::kMixMean),
                         network.arrays.at(method::deneb::kMixVariance)};
    return std::vector<Statistics>(slots, all);
  }
  std::vector<std::vector<std::size_t>> rows(slots);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    rows[0].push_back(samples.candidates[chosen[i]]);
    for (std::size_t r = 0; r < counts[i]; ++r) rows[1 + r].push_back(samples.references_of(chosen[i])[r]);
  }
  std::vector<Statistics> found;
  for (const auto& some : rows) found.push_back(statistics_of(features, some));
  return found;
}

}  // namespace

DenebNetwork::DenebNetwork(const method::deneb::Recipe& of, std::span<const tensor::NetworkArray> given)
    : recipe(of) {
  for (const tensor::NetworkArray& array : given)
    arrays[array.name] = Vector(array.values.begin(), array.values.end());
}

std::vector<double> deneb_scores(const DenebNetwork& network, const Features& features,
                                 const Samples& samples, std::span<const std::uint32_t> chosen) {
  const std::vector<Statistics> statistics = all_statistics(network, features, samples, chosen);
  const std::vector<std::size_t> counts = reference_counts(network, samples, chosen);
  std::vector<double> found;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::uint32_t k = chosen[i];
    Seen clip, sentence;
    if (network.recipe.clip_width > 0) {
      clip.candidate = row_of(features.captions, samples.candidates[k]);
      if (network.recipe.image) clip.image = row_of(features.images, samples.images[k]);
    }
    if (network.recipe.sentence_width > 0)
      sentence.candidate = mixed(network, features, samples.candidates[k], statistics[0]);
    for (std::size_t r = 0; r < counts[i]; ++r) {
      const std::uint32_t row = samples.references_of(k)[r];
      if (network.recipe.clip_width > 0) clip.references.push_back(row_of(features.captions, row));
      if (network.recipe.sentence_width > 0)
        sentence.references.push_back(mixed(network, features, row, statistics[1 + r]));
    }
    found.push_back(network.recipe.scale_vectors ? score(network, scaled(clip), scaled(sentence))
                                                 : score(network, clip, sentence));
  }
  return found;
}

double deneb_loss(const DenebNetwork& network, const Features& features, const Samples& samples,
                  std::span<const std::uint32_t> chosen) {
  const std::vector<double> found = deneb_scores(network, features, samples, chosen);
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = std::fabs(found[i] - static_cast<double>(samples.scores[chosen[i]]));
    const double delta = network.recipe.huber_delta;
    if (network.recipe.loss == Loss::squared) {
      sum += error * error;
    } else {
      sum += error <= delta ? error * error / 2 : delta * (error - delta / 2);
    }
  }
  return sum;
}

}  // namespace capella::reference
