#include "metric/spider.h"

#include <fmt/format.h>

namespace capella::metric {
namespace {

// A row: CIDEr-D, SPICE, 1. The means are taken before the two are joined, so that the score of a corpus is
// to the last bit the mean of the two that are printed.
class Spider final : public Metric {
 public:
  Spider() {
    info_.name = "spider";
    info_.scores = {{"SPIDEr", 5.5, 100.0}};
    info_.row_width = 3;
    info_.reads = text::Detail::captions;
    info_.data = "meteor";
    info_.builds_on = {{.metric = "cider-d"}, {.metric = "spice"}};
  }

  const Info& info() const override { return info_; }

  void rows(const Batch& batch, const State*, double* out) const override {
    for (std::size_t k = 0; k < batch.size(); ++k, out += 3) {
      out[0] = batch.built_on[0][k];
      out[1] = batch.built_on[1][k];
      out[2] = 1.0;
    }
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    scores[0] = (row[0] / row[2] + row[1] / row[2]) / 2;
  }

  std::string choices(const State*) const override { return ""; }  // those of the two say all

  Explanation explain(const Batch& batch, const State*) const override {
    const double cider = batch.built_on[0][0];
    const double spice = batch.built_on[1][0];
    return {info_.name,
            {"the mean of CIDEr-D and SPICE; explain these two to see why"},
            {{"made of",
              {"score", "value"},
              {{"CIDEr-D", fmt::format("{:.6g}", cider)}, {"SPICE", fmt::format("{:.6g}", spice)}}}}};
  }

 private:
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_spider(const Settings&) {
  return std::make_unique<Spider>();
}

}  // namespace capella::metric
