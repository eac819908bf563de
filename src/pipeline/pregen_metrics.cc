#include "capella/pregen.h"

#include "io/system_name.h"
#include "io/token_probabilities.h"
#include "method/pregen/metrics.h"

namespace capella {
namespace {

std::vector<double> metrics_of(const TokenProbabilities& table, bool paper) {
  using method::pregen::Filter0;
  return method::pregen::CaptionScores(table, paper ? Filter0::paper : Filter0::code).metrics();
}

}  // namespace

const std::vector<std::string>& pregen_metric_names() {
  return method::pregen::metric_names();
}

PregenMetrics pregen_metrics(const std::string& probabilities, bool paper) {
  const io::SystemFile file = io::name_systems({&probabilities, 1}).front();
  return {file.name, metrics_of(io::read_token_probabilities(file.path), paper)};
}

PregenMetrics pregen_metrics(const TokenProbabilities& probabilities, const std::string& system, bool paper) {
  io::check_token_probabilities(probabilities, system);
  return {system, metrics_of(probabilities, paper)};
}

}  // namespace capella
