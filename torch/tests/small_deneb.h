// Small learned metrics, features and samples for tests of the plug-in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "method/deneb/trainer.h"
#include "reference/deneb_reference.h"

namespace capella::test {

namespace deneb = method::deneb;

const deneb::NetworkMaker& deneb_maker();

/// Few narrow layers, no dropout, a constant rate and one step for everything.
deneb::Recipe small_deneb(deneb::Architecture architecture);

/// A network whose arrays are all drawn anew, vectors included, but variances, which are positive.
std::unique_ptr<deneb::Network> random_network(const deneb::Recipe& recipe, std::uint64_t seed,
                                               float spread = .3f);

/// Numbers that features point to.
struct SmallFeatures {
  std::vector<float> images, captions, sentences;
  std::vector<double> sums, squares;
  std::vector<std::uint32_t> tokens;
  deneb::Features features;

  SmallFeatures(const deneb::Recipe& recipe, std::size_t images, std::size_t captions, std::uint64_t seed);
  SmallFeatures(const SmallFeatures&) = delete;
};

/// Samples with one to `most` references and scores in [0, 1].
deneb::Samples random_samples(std::size_t count, std::size_t images, std::size_t captions, std::size_t most,
                              std::uint64_t seed);

reference::DenebNetwork twin_of(const deneb::Network& network);

std::vector<std::uint32_t> all_of(const deneb::Samples& samples);

const tensor::NetworkArray& deneb_array(const std::vector<tensor::NetworkArray>& arrays,
                                        const std::string& name);

/// Recipes of all architectures and their variants, small, each with a name for messages.
struct NamedRecipe {
  std::string name;
  deneb::Recipe recipe;
};
std::vector<NamedRecipe> all_variants();

/// For tests of each.
inline std::string name_of(const ::testing::TestParamInfo<NamedRecipe>& info) {
  return info.param.name;
}

}  // namespace capella::test
