// Learned metrics (DENEB, Polos and their variants) from their definition: single numbers, in double, one
// sample at a time; only the statistics of a batch look at its other samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "method/deneb/trainer.h"

namespace capella::reference {

struct DenebNetwork {
  method::deneb::Recipe recipe;
  std::map<std::string, std::vector<double>> arrays;  ///< matrices row by row

  DenebNetwork(const method::deneb::Recipe& of, std::span<const tensor::NetworkArray> given);
};

/// The scores of these samples as one batch.
std::vector<double> deneb_scores(const DenebNetwork& network, const method::deneb::Features& features,
                                 const method::deneb::Samples& samples,
                                 std::span<const std::uint32_t> chosen);

/// The loss of these samples as one batch, without dropout.
double deneb_loss(const DenebNetwork& network, const method::deneb::Features& features,
                  const method::deneb::Samples& samples, std::span<const std::uint32_t> chosen);

}  // namespace capella::reference
