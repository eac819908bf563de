// Word Mover's Distance as gensim 1 to 3 computed it with pyemd 0.5: costs in 32-bit floats, then masses and
// costs as integers of six digits. It differs from the exact distance by up to 1e-5. The golden values, which
// pyemd's own code gave, come out to the last bit; docs/metrics/wmd.md says what else can change that bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metric/transport.h"
#include "metric/wmd_bags.h"

namespace capella::metric {

/// A workspace for many pairs of texts, one after the other.
class Gensim3Distance {
 public:
  explicit Gensim3Distance(const VectorWords& known) : known_(known) {}

  /// Words are ids here. Infinite if a text has no word that counts, and, a quirk of gensim, if all words of
  /// the texts have the same vector though they are different words.
  double find(const WmdBag& first, const WmdBag& second);

 private:
  // A word of the texts and its share of each.
  struct Word {
    text::WordId id;
    double shares[2];
  };

  void list_words(const WmdBag& first, const WmdBag& second);
  void take_common_shares();
  double find_costs();
  double move(double mass_scale, double cost_scale);
  float distance(text::WordId a, text::WordId b);

  const VectorWords& known_;
  std::vector<Word> words_;
  std::vector<std::size_t> sides_[2];  // which of the words each text has
  std::vector<double> costs_;          // first's words x second's
  std::vector<float> squares_;
  std::vector<Amount> amounts_[2];
  std::vector<std::int64_t> integer_costs_;
  Transport<std::int64_t> transport_;
};

}  // namespace capella::metric
