// How far samples can be trusted: potential scale reduction (R-hat), effective sample sizes, standard errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace capella::logic {

/// Gelman and Rubin's R of chains of `draws` zeros and ones each, from the numbers of ones: with the mean W
/// of the variances within chains and n times the variance B of their means, sqrt(((n - 1) / n W + B / n) /
/// W). 1 if all draws are equal; infinite if every chain is constant but not all the same, and for fewer than
/// two draws or chains.
double rhat(std::span<const std::uint32_t> ones, std::size_t draws);

/// The standard error of the mean of equally many draws per batch, from the batches' means. Infinite for
/// fewer than two.
double batch_mcse(std::span<const double> means);

/// How many independent draws of zeros and ones would know the mean as well, from the ones in batches of
/// `draws`; at most the number of draws, and just that if all are equal.
double batch_ess(std::span<const std::uint32_t> ones, std::size_t draws);

/// One chain per bit: the draws of 16 chains, in turn.
using ChainBits = std::span<const std::uint16_t>;

/// The same from all chains' autocorrelations, summed up to where a pair of them is no longer positive
/// (Geyer's initial positive sequence). All groups have equally many draws.
double initial_positive_ess(std::span<const ChainBits> groups);

/// Split R-hat of all chains: of their halves, without the middle draw of an odd number.
double split_rhat(std::span<const ChainBits> groups);

/// All ones.
std::size_t count_ones(ChainBits bits);

}  // namespace capella::logic
