#include "metric/cider_d.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace capella::metric {
namespace {

class CiderD final : public CiderMetric {
 public:
  explicit CiderD(const Settings& settings)
      : CiderMetric("cider-d", "CIDEr-D", settings), sigma_(settings.number("sigma", 1e-3, 1e6)) {}

  std::string choices(const State* state) const override {
    return fmt::format("n:4|sigma:{}|{}", sigma_, df_choice(state));
  }

 protected:
  double product(double candidate, double reference) const override {
    return std::min(candidate, reference) * reference;
  }

  double factor(const Pair& pair) const override {
    const double delta = pair.caption_length() - pair.reference_length();
    return std::pow(std::numbers::e, -(delta * delta) / (2 * sigma_ * sigma_));
  }

 private:
  double sigma_;
};

}  // namespace

std::unique_ptr<Metric> make_cider_d(const Settings& settings) {
  return std::make_unique<CiderD>(settings);
}

}  // namespace capella::metric
