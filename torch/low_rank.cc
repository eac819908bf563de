#include "torch/low_rank.h"

namespace capella::plugin {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class UpdatedProduct : public torch::autograd::Function<UpdatedProduct> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& rows, const Tensor& weight,
                        const Tensor& bias, const Tensor& first, const Tensor& second, double scale) {
    context->save_for_backward({rows, weight, first, second});
    context->saved_data["scale"] = scale;
    return torch::linear(rows, weight, bias);
  }

  // With d the gradient of what came out, that of W is d^T rows; of B it is that times A^T, of A B^T times
  // that.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &d = gradients[0], &rows = saved[0], &weight = saved[1];
    const Tensor first = saved[2].to(rows.scalar_type()), second = saved[3].to(rows.scalar_type());
    const double scale = context->saved_data["scale"].toDouble();
    const Tensor of_first = torch::matmul(torch::matmul(d, second).t(), rows);
    const Tensor of_second = torch::matmul(d.t(), torch::matmul(rows, first.t()));
    const Tensor of_rows = context->needs_input_grad(0) ? torch::matmul(d, weight) : Tensor();
    return {of_rows,
            Tensor(),
            Tensor(),
            of_first.to(torch::kFloat32) * scale,
            of_second.to(torch::kFloat32) * scale,
            Tensor()};
  }
};

}  // namespace

LowRank LowRank::rows(std::int64_t begin, std::int64_t count) const {
  if (!first.defined()) return {};
  return {first, second.narrow(0, begin, count), scale};
}

Tensor product(const Tensor& rows, const Tensor& weight, const Tensor& bias, const LowRank& update) {
  if (!update.first.defined()) return torch::linear(rows, weight, bias);
  return UpdatedProduct::apply(rows, weight, bias, update.first, update.second, update.scale);
}

}  // namespace capella::plugin
