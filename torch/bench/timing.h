// How long a job takes on a device, which works behind our back.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include <torch/torch.h>

namespace capella::bench {

inline double seconds(torch::Device device, const std::function<void()>& job) {
  if (device.is_cuda()) torch::cuda::synchronize();
  const auto begin = std::chrono::steady_clock::now();
  job();
  if (device.is_cuda()) torch::cuda::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double median_seconds(torch::Device device, int runs, const std::function<void()>& job) {
  std::vector<double> all;
  for (int run = 0; run < runs; ++run) all.push_back(seconds(device, job));
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

}  // namespace capella::bench
