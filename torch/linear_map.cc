#include "torch/linear_map.h"

#include <algorithm>

#include "tensor/aligned.h"
#include "tensor/kernels.h"
#include "torch/threads.h"

namespace capella::plugin {
namespace {

constexpr std::int64_t kSharedRows = 256;  // what a thread takes at a time

Tensor packed(const Tensor& weight) {
  const Tensor lines = weight.t().contiguous();
  Tensor out = torch::empty({lines.numel()}, lines.options());
  tensor::pack_panels(lines.data_ptr<float>(), static_cast<std::size_t>(lines.size(0)),
                      static_cast<std::size_t>(lines.size(1)), out.data_ptr<float>());
  return out;
}

}  // namespace

LinearMap::LinearMap(const Tensor& weight, const Tensor& bias)
    : inputs_(weight.size(0)),
      weight_(weight.device().is_cpu() ? packed(weight) : weight.contiguous()),
      bias_(bias.contiguous()) {}

LinearMap::LinearMap(const Tensor& weight)
    : LinearMap(weight, torch::zeros({weight.size(1)}, weight.options())) {}

void LinearMap::apply(const Tensor& rows, Tensor out) const {
  if (!rows.device().is_cpu()) {
    torch::addmm_out(out, bias_, rows, weight_);
    return;
  }
  const std::int64_t count = rows.size(0);
  const auto blocks = static_cast<std::size_t>((count + kSharedRows - 1) / kSharedRows);
  for_each(blocks, static_cast<std::size_t>(at::get_num_threads()), [&](std::size_t block) {
    static thread_local tensor::AlignedVector<float> scratch(tensor::kPanelScratch);
    const std::int64_t begin = static_cast<std::int64_t>(block) * kSharedRows;
    tensor::kernels().multiply_panels(
        {.rows = rows.data_ptr<float>() + begin * rows.stride(0),
         .row_stride = static_cast<std::size_t>(rows.stride(0)),
         .count = static_cast<std::size_t>(std::min(kSharedRows, count - begin)),
         .depth = static_cast<std::size_t>(inputs_),
         .weights = weight_.data_ptr<float>(),
         .bias = bias_.data_ptr<float>(),
         .outputs = static_cast<std::size_t>(outputs()),
         .out = out.data_ptr<float>() + begin * out.stride(0),
         .stride = static_cast<std::size_t>(out.stride(0)),
         .scratch = scratch.data(),
         .after = tensor::After::kStore});
  });
}

Tensor LinearMap::operator()(const Tensor& rows) const {
  Tensor out = torch::empty({rows.size(0), outputs()}, rows.options());
  apply(rows, out);
  return out;
}

}  // namespace capella::plugin
