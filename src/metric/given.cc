#include "metric/given.h"

#include <limits>
#include <stdexcept>

namespace capella::metric {
namespace {

class Given final : public MeanMetric {
 public:
  explicit Given(std::string score_name)
      : info_{std::string(kGivenPrefix) + score_name,
              {{score_name, std::numeric_limits<double>::infinity(), 1.0}},
              2,
              text::Detail::captions} {}

  const Info& info() const override { return info_; }
  std::string choices(const State*) const override { return "given"; }
  Explanation explain(const Batch&, const State*) const override {
    return {info_.name, {"computed outside Capella"}, {}};
  }

 protected:
  double value(const Batch&, std::size_t, const State*) const override {
    throw std::logic_error("given scores are not computed here");
  }

 private:
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_given(std::string score_name) {
  return std::make_unique<Given>(std::move(score_name));
}

}  // namespace capella::metric
