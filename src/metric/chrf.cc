#include "metric/chrf.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/utf8.h"

namespace capella::metric {
namespace {

// An n-gram of up to six characters of 21 bits, or of two words, as one exact number.
__extension__ using Key = unsigned __int128;
using Keys = std::vector<Key>;

// Per order: n-grams of the caption, of the reference, and common to both.
constexpr std::size_t kPerOrder = 3;

template <class Unit>
Keys sorted_ngrams(const std::vector<Unit>& units, int n, int bits) {
  Keys keys;
  const auto order = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i + order <= units.size(); ++i) {
    Key key = 0;
    for (std::size_t j = i; j < i + order; ++j) key = key << bits | units[j];
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

bool is_ascii_punctuation(char32_t c) {
  return (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) ||
         (c >= 0x7B && c <= 0x7E);
}

// A word with one punctuation mark at its end, else at its start, cut off.
template <class Emit>
void split_punctuation(std::string_view word, Emit emit) {
  const bool single = to_code_points(word).size() == 1;
  if (!single && is_ascii_punctuation(static_cast<unsigned char>(word.back()))) {
    emit(word.substr(0, word.size() - 1));
    emit(word.substr(word.size() - 1));
  } else if (!single && is_ascii_punctuation(static_cast<unsigned char>(word.front()))) {
    emit(word.substr(0, 1));
    emit(word.substr(1));
  } else {
    emit(word);
  }
}

std::vector<char32_t> characters_without_space(std::string_view text) {
  std::vector<char32_t> points = to_code_points(text);
  std::erase_if(points, is_python_space);
  return points;
}

// All n-grams of a text: first the character orders, then the word orders.
std::vector<Keys> ngrams_by_order(std::string_view text, int char_order, int word_order,
                                  text::Vocabulary& vocabulary) {
  std::vector<Keys> orders;
  const auto characters = characters_without_space(text);
  for (int n = 1; n <= char_order; ++n) orders.push_back(sorted_ngrams(characters, n, 21));
  if (word_order == 0) return orders;
  std::vector<text::WordId> words;
  for_each_python_word(text, [&](std::string_view word) {
    split_punctuation(word, [&](std::string_view part) { words.push_back(vocabulary.intern(part)); });
  });
  for (int n = 1; n <= word_order; ++n) orders.push_back(sorted_ngrams(words, n, 32));
  return orders;
}

std::size_t common(const Keys& a, const Keys& b) {
  std::size_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) {
      ++count, ++i, ++j;
    } else if (*i < *j) {
      ++i;
    } else {
      ++j;
    }
  }
  return count;
}

class Chrf final : public Metric {
 public:
  Chrf(int char_order, int word_order, double beta)
      : char_order_(char_order),
        word_order_(word_order),
        beta_(beta),
        info_{"chrf",
              {{"chrF" + std::string(static_cast<std::size_t>(word_order), '+'), 100.0, 1.0}},
              kPerOrder * orders(),
              text::Detail::captions} {}

  const Info& info() const override { return info_; }

  void rows(const Batch& batch, const State*, double* out) const override {
    for (std::size_t k = 0; k < batch.size(); ++k) fill(batch, k, out + k * info_.row_width);
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = f_score(row);
  }

  std::string choices(const State*) const override {
    return fmt::format("case:mixed|nc:{}|nw:{}|beta:{}|space:no|ref:best", char_order_, word_order_, beta_);
  }

  Explanation explain(const Batch& batch, const State*) const override {
    std::vector<double> row(info_.row_width);
    fill(batch, 0, row.data());
    Explanation::Table table{
        "against the best reference", {"order", "in caption", "in reference", "common"}, {}};
    for (std::size_t i = 0; i < orders(); ++i) {
      const bool is_word = i >= static_cast<std::size_t>(char_order_);
      const std::size_t n = is_word ? i - static_cast<std::size_t>(char_order_) + 1 : i + 1;
      table.rows.push_back({fmt::format("{} {}", is_word ? "word" : "character", n),
                            fmt::to_string(row[kPerOrder * i]), fmt::to_string(row[kPerOrder * i + 1]),
                            fmt::to_string(row[kPerOrder * i + 2])});
    }
    return {info_.name, {"white space does not count; the reference with the highest F is taken"}, {table}};
  }

 private:
  std::size_t orders() const { return static_cast<std::size_t>(char_order_ + word_order_); }

  // The statistics against the reference with the highest F, the first of equals.
  void fill(const Batch& batch, std::size_t k, double* out) const {
    text::Vocabulary vocabulary;
    const auto caption = ngrams_by_order(batch.captions[k], char_order_, word_order_, vocabulary);
    const References& references = batch.references;
    double best = -1.0;
    std::vector<double> row(info_.row_width);
    for (std::size_t r = references.begin(batch.items[k]); r < references.end(batch.items[k]); ++r) {
      const auto reference = ngrams_by_order(references.raw[r], char_order_, word_order_, vocabulary);
      for (std::size_t i = 0; i < orders(); ++i) {
        row[kPerOrder * i] = reference[i].empty() ? 0.0 : static_cast<double>(caption[i].size());
        row[kPerOrder * i + 1] = static_cast<double>(reference[i].size());
        row[kPerOrder * i + 2] = static_cast<double>(common(caption[i], reference[i]));
      }
      if (const double f = f_score(row); f > best) {
        best = f;
        std::copy(row.begin(), row.end(), out);
      }
    }
  }

  // F of the average precision and recall over the orders that both sides have.
  double f_score(std::span<const double> row) const {
    double precision = 0.0;
    double recall = 0.0;
    int effective = 0;
    for (std::size_t i = 0; i < row.size(); i += kPerOrder) {
      if (row[i] == 0 || row[i + 1] == 0) continue;
      precision += row[i + 2] / row[i];
      recall += row[i + 2] / row[i + 1];
      ++effective;
    }
    if (effective == 0 || precision + recall == 0) return 0.0;
    precision /= effective;
    recall /= effective;
    const double beta2 = beta_ * beta_;
    return 100.0 * ((1 + beta2) * precision * recall / (beta2 * precision + recall));
  }

  int char_order_;
  int word_order_;
  double beta_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_chrf(const Settings& settings) {
  return std::make_unique<Chrf>(settings.integer("char-order", 1, 6), settings.integer("word-order", 0, 2),
                                settings.number("beta", 0.0, 100.0));
}

}  // namespace capella::metric
