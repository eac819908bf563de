#include "reference/sacrebleu_reference.h"

#include <cmath>
#include <numeric>

namespace capella::reference {
namespace {

double log_or_floor(double value) {
  return value == 0 ? -9999999999.0 : std::log(value);
}

// The precisions of orders 1 ... 4 in percent; orders that were not reached stay 0.
struct Precisions {
  std::array<double, 4> percent{};
  std::size_t reached = 0;
};

Precisions precisions(BleuCounts counts, const std::string& smooth) {
  Precisions found;
  double halvings = 1;
  for (std::size_t n = 1; n <= 4; ++n) {
    double correct = counts.correct[n - 1];
    double total = counts.guessed[n - 1];
    if (smooth == "add-k" && n > 1) {
      correct += 1;
      total += 1;
    }
    if (total == 0) break;
    found.reached = n;
    if (correct > 0) {
      found.percent[n - 1] = 100 * correct / total;
    } else if (smooth == "exp") {
      halvings *= 2;
      found.percent[n - 1] = 100 / (halvings * total);
    } else if (smooth == "floor") {
      found.percent[n - 1] = 100 * 0.1 / total;
    }
  }
  return found;
}

}  // namespace

double sacrebleu(const BleuCounts& counts, const SacreBleuOptions& options) {
  if (std::accumulate(counts.correct.begin(), counts.correct.end(), 0.0) == 0) return 0.0;
  double brevity = 1;
  if (counts.length < counts.reference_length) {
    brevity = counts.length > 0 ? std::exp(1 - counts.reference_length / counts.length) : 0.0;
  }
  const Precisions found = precisions(counts, options.smooth);
  const std::size_t order = options.effective_order ? found.reached : 4;
  double logs = 0;
  for (std::size_t n = 0; n < order; ++n) logs += log_or_floor(found.percent[n]);
  return brevity * std::exp(logs / static_cast<double>(order));
}

}  // namespace capella::reference
