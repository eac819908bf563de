#include "metric/cider_plain.h"

namespace capella::metric {
namespace {

class CiderPlain final : public CiderMetric {
 public:
  explicit CiderPlain(const Settings& settings) : CiderMetric("cider-plain", "CIDEr-plain", settings) {}

  std::string choices(const State* state) const override { return "n:4|" + df_choice(state); }

 protected:
  double product(double candidate, double reference) const override { return candidate * reference; }
  double factor(const Pair&) const override { return 1.0; }
};

}  // namespace

std::unique_ptr<Metric> make_cider_plain(const Settings& settings) {
  return std::make_unique<CiderPlain>(settings);
}

}  // namespace capella::metric
