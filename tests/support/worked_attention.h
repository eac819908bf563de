// The worked example of gated attention: three embeddings of two numbers, given as they are.
#pragma once

#include "method/mln/attention/attention.h"

namespace capella::test {

inline method::mln::AttentionNetwork worked_network(bool gated) {
  method::mln::AttentionNetwork network;
  network.gated = gated;
  network.inputs = network.hidden = network.attention = 2;
  network.V = {.4, -.6, .1, .9};
  network.bV = {.05, -.1};
  if (gated) {
    network.U = {-.7, .3, .8, .2};
    network.bU = {0, .1};
  }
  network.w = {1.2, -.8};
  network.bw = {.3};
  network.c = {.9, -1.1};
  network.bc = {.2};
  return network;
}

inline method::mln::Bag worked_bag() {
  return {3, {.5, -1, 1.5, .2, -.3, .8}, {}};
}

}  // namespace capella::test
