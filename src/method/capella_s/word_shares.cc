#include "method/capella_s/word_shares.h"

#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "metric/cosine.h"
#include "metric/token_vectors.h"

namespace capella::method::capella_s {
namespace {

using encoder::EncodedText;
using Vector = std::vector<double>;

constexpr std::string_view kGoesOn = "##", kBegins = " ";

// A word and the sum of its tokens' vectors.
struct Summed {
  Word word;
  Vector sum;
};

// Whether a token belongs to the word before it, and what it is without the sign for that. RoBERTa marks
// where words begin, BERT where they go on.
bool goes_on(std::string& piece, bool roberta) {
  const bool marked = piece.starts_with(roberta ? kBegins : kGoesOn);
  if (marked) piece.erase(0, (roberta ? kBegins : kGoesOn).size());
  return marked != roberta;
}

std::vector<Summed> words_of(const EncodedText& text, const encoder::SentenceEncoder& encoder) {
  std::vector<Summed> words;
  for (std::size_t t = 0; t < text.ids.size(); ++t) {
    const bool special = t == 0 || t + 1 == text.ids.size();
    std::string piece = metric::shown_token(encoder.tokenizer(), text.ids[t]);
    const bool joined = !special && goes_on(piece, encoder.is_roberta()) && !words.back().word.special;
    if (joined) {
      words.back().word.text += piece;
    } else {
      Summed& added = words.emplace_back();
      added.word.text = std::move(piece);
      added.word.special = special;
      added.sum.resize(text.width);
    }
    const std::span<const float> vector = text.vector(t);
    for (std::size_t i = 0; i < text.width; ++i) words.back().sum[i] += static_cast<double>(vector[i]);
  }
  return words;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Vector total(const std::vector<Summed>& words, std::size_t width) {
  Vector sum(width);
  for (const Summed& one : words) {
    for (std::size_t i = 0; i < width; ++i) sum[i] += one.sum[i];
  }
  return sum;
}

// What each word of `words` has to do with the other sentence.
std::vector<Word> compared(const std::vector<Summed>& words, const std::vector<Summed>& others,
                           const Vector& other_total, double lengths) {
  std::vector<Word> found;
  for (const Summed& one : words) {
    Word& word = found.emplace_back(one.word);
    word.share = lengths == 0 ? 0 : dot(one.sum, other_total) / lengths;
    word.alike = -1;
    for (std::size_t j = 0; j < others.size(); ++j) {
      const double length = std::sqrt(dot(one.sum, one.sum) * dot(others[j].sum, others[j].sum));
      const double alike = length == 0 ? 0 : dot(one.sum, others[j].sum) / length;
      if (others[j].word.special || alike <= word.alike) continue;
      word.alike = alike;
      word.nearest = j;
    }
  }
  return found;
}

}  // namespace

WordShares word_shares(const EncodedText& caption, const EncodedText& reference,
                       const encoder::SentenceEncoder& encoder) {
  const std::vector<Summed> a = words_of(caption, encoder), b = words_of(reference, encoder);
  const Vector sum_a = total(a, caption.width), sum_b = total(b, reference.width);
  const double lengths = std::sqrt(dot(sum_a, sum_a) * dot(sum_b, sum_b));
  return {lengths == 0 ? 0 : dot(sum_a, sum_b) / lengths, compared(a, b, sum_b, lengths),
          compared(b, a, sum_a, lengths)};
}

}  // namespace capella::method::capella_s
