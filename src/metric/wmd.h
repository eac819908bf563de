// Word Mover's Distance: how far a caption's words travel, in a space of word vectors, to become those of a
// reference (docs/metrics/wmd.md).
#pragma once

#include <memory>

#include "metric/metric.h"
#include "metric/settings.h"

namespace capella::metric {

inline constexpr SettingInfo kWmdSettings[] = {
    {"vectors", "captions",
     "word vectors: captions, which come with Capella, or a file of word2vec, fastText or GloVe"},
    {"norm", "unit", "unit: vectors of length 1; raw: as the file has them"},
    {"solver", "exact", "exact, or gensim3: rounded as by gensim 1 to 3 with pyemd"},
};

std::unique_ptr<Metric> make_wmd(const Settings& settings);

}  // namespace capella::metric
