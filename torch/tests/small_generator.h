// Small networks and captions for tests of the plug-in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "method/pregen/generator.h"
#include "reference/generator_reference.h"

namespace capella::test {

using method::pregen::Architecture;
using method::pregen::CaptionData;
using method::pregen::Generator;
using method::pregen::NetworkArray;
using method::pregen::Recipe;

inline constexpr Architecture kArchitectures[] = {Architecture::init, Architecture::pre, Architecture::par,
                                                  Architecture::merge};

/// For tests of each.
inline std::string name_of(const ::testing::TestParamInfo<Architecture>& info) {
  return std::string(method::pregen::kArchitectureNames[static_cast<std::size_t>(info.param)]);
}

const method::pregen::GeneratorMaker& maker();

/// A recipe without dropout.
Recipe small_recipe(Architecture architecture, std::size_t vocabulary = 11, std::size_t size = 6);

/// A network whose weights are unit normal numbers times `spread`, vectors included.
std::unique_ptr<Generator> random_generator(const Recipe& recipe, std::uint64_t seed, float spread = .8f,
                                            std::size_t threads = 1);

/// Images with one to three captions of none to nine words each.
CaptionData random_captions(std::size_t images, std::size_t width, std::size_t vocabulary,
                            std::uint64_t seed);

reference::GeneratorNetwork twin_of(const Generator& generator);

const NetworkArray& array_named(const std::vector<NetworkArray>& arrays, const std::string& name);

std::vector<std::uint32_t> all_captions(const CaptionData& data);

}  // namespace capella::test
