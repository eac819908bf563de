#include "reference/lora_reference.h"

namespace capella::reference {

std::vector<double> lora_reference(const std::vector<float>& matrix, const LowRankUpdate& update) {
  const std::size_t columns = update.first.size() / update.rank;
  std::vector<double> sums;
  for (std::size_t place = 0; place < matrix.size(); ++place) {
    const std::size_t i = place / columns, j = place % columns;
    double sum = static_cast<double>(matrix[place]);
    for (std::size_t k = 0; k < update.rank; ++k) {
      const auto a = static_cast<double>(update.first[k * columns + j]);
      const auto b = static_cast<double>(update.second[i * update.rank + k]);
      sum += update.scale * b * a;
    }
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace capella::reference
