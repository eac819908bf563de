// Every version of the tensor kernels against slow twins, and against each other bit for bit.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "reference/tensor_reference.h"
#include "support/expected_after.h"
#include "tensor/aligned.h"
#include "tensor/kernels.h"
#include "tensor/linear.h"

namespace capella::test {
namespace {

using reference::Row;
using reference::Rows;
using tensor::AlignedVector;
using tensor::Kernels;

// Random numbers, most small, some of another size.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}
  std::uint64_t next() { return random_(); }
  float number() {
    const float x = static_cast<float>(random_() % 2'000'001) / 1'000'000.0f - 1.0f;
    return random_() % 50 == 0 ? x * 20.0f : x;
  }
  Row row(std::size_t size) {
    Row result(size);
    for (float& x : result) x = number();
    return result;
  }
  Rows rows(std::size_t count, std::size_t size) {
    Rows result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(row(size));
    return result;
  }

 private:
  std::mt19937_64 random_;
};

Numbers numbers() {
  return Numbers(*rc::gen::arbitrary<std::uint64_t>());
}

std::size_t size_in(std::size_t least, std::size_t most) {
  return *rc::gen::inRange(least, most + 1);
}

AlignedVector<float> flat(const Rows& rows, std::size_t stride) {
  AlignedVector<float> result(rows.size() * stride, 0.0f);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy(rows[r].begin(), rows[r].end(), result.begin() + static_cast<std::ptrdiff_t>(r * stride));
  }
  return result;
}

// Runs `call` with every version; the portable one's result is checked by the caller, the others must equal
// it.
template <class Call>
AlignedVector<float> same_of_all(Call call) {
  AlignedVector<float> first;
  for (const Kernels* kernels : tensor::all_kernels()) {
    const AlignedVector<float> result = call(*kernels);
    if (first.empty()) first = result;
    RC_ASSERT(std::equal(first.begin(), first.end(), result.begin(), result.end(), [](float a, float b) {
      return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
    }));
  }
  return first;
}

bool near(double a, double b, double size) {
  return std::fabs(a - b) <= 1e-5 * (size + std::fabs(b));
}

TEST(Tensor, RowsQuantizeAsDefined) {
  EXPECT_TRUE(rc::check("quantize", [] {
    Numbers random = numbers();
    const std::size_t width = 16 * size_in(1, 24), count = size_in(1, 9);
    Rows rows = random.rows(count, width);
    // Numbers on and beside the middle of two integers, where a product instead of a quotient would slip.
    for (Row& row : rows) {
      const float most = random.number();
      for (std::size_t i = 0; i < width; i += 1 + random.next() % 3) {
        const float half = static_cast<float>(random.next() % 127) + 0.5f;
        row[i] = std::nextafter(most / 127.0f * half, random.next() % 2 ? 1e9f : -1e9f);
      }
    }
    const std::size_t depth = tensor::round_up(width, tensor::kDepth);
    const AlignedVector<float> input = flat(rows, width);
    for (const Kernels* kernels : tensor::all_kernels()) {
      AlignedVector<std::int8_t> out(count * depth, 99);
      AlignedVector<float> scale(count);
      kernels->quantize_rows(input.data(), width, count, width, out.data(), depth, scale.data());
      for (std::size_t r = 0; r < count; ++r) {
        const reference::QuantizedRow expected = reference::quantize(rows[r]);
        RC_ASSERT(scale[r] == expected.scale);
        for (std::size_t i = 0; i < depth; ++i) {
          RC_ASSERT(out[r * depth + i] == (i < width ? expected.values[i] : 0));
        }
      }
    }
  }));
}

TEST(Tensor, LinearMaps) {
  EXPECT_TRUE(rc::check("linear", [] {
    Numbers random = numbers();
    const std::size_t inputs = 16 * size_in(1, 20), outputs = size_in(1, 100), count = size_in(1, 70);
    std::vector<std::int8_t> weights(outputs * inputs);
    std::vector<std::vector<int>> square(outputs, std::vector<int>(inputs));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = static_cast<std::int8_t>(random.next() % 256);
      square[i / inputs][i % inputs] = weights[i];
    }
    const Row scale = random.row(outputs), bias = random.row(outputs);
    const Rows rows = random.rows(count, inputs);
    const tensor::Linear map(weights, scale, bias);
    const auto after = static_cast<tensor::After>(size_in(0, 5));
    const AlignedVector<float> input = flat(rows, inputs);
    const AlignedVector<float> result = same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> out(count * map.stride(), 2.0f);
      tensor::QuantizedRows scratch;
      map.apply(kernels, input.data(), inputs, count, out.data(), map.stride(), after, scratch);
      return out;
    });
    for (std::size_t r = 0; r < count; ++r) {
      const Row expected = reference::linear(rows[r], square, scale, bias);
      for (std::size_t o = 0; o < outputs; ++o) {
        RC_ASSERT(near(result[r * map.stride() + o], expected_after(after, expected[o], 2.0), 1.0));
      }
    }
  }));
}

TEST(Tensor, TakesTheTwoGreatest) {
  EXPECT_TRUE(rc::check("take two", [] {
    Numbers random = numbers();
    const std::size_t width = 16 * size_in(1, 40);
    Row row = random.row(width);
    // Equal sizes, and rows of almost nothing.
    for (std::size_t i = 0, equal = size_in(0, 3); i < equal; ++i)
      row[random.next() % width] = random.next() % 2 ? 30.0f : -30.0f;
    if (random.next() % 8 == 0) row.assign(width, random.next() % 2 ? 0.0f : -0.5f);
    std::vector<std::size_t> order(width);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::tuple(-std::fabs(row[i]), i % 16, i); });
    const AlignedVector<float> input(row.begin(), row.end());
    for (const Kernels* kernels : tensor::all_kernels()) {
      AlignedVector<float> rest(width, 1.0f);
      std::uint32_t places[2];
      float values[2];
      kernels->take_two(input.data(), width, rest.data(), places, values);
      Row expected = row;
      for (std::size_t k = 0; k < 2; ++k) {
        RC_ASSERT(values[k] == expected[places[k]]);
        if (row[order[k]] != 0.0f) RC_ASSERT(places[k] == order[k]);
        expected[places[k]] = 0.0f;
      }
      RC_ASSERT(std::equal(rest.begin(), rest.end(), expected.begin(), expected.end()));
    }
  }));
}

TEST(Tensor, ARowDoesNotDependOnTheOthers) {
  EXPECT_TRUE(rc::check("one row alone", [] {
    Numbers random = numbers();
    const std::size_t inputs = 16 * size_in(1, 12), outputs = size_in(1, 70), count = size_in(2, 80);
    std::vector<std::int8_t> weights(outputs * inputs);
    for (std::int8_t& weight : weights) weight = static_cast<std::int8_t>(random.next() % 256);
    const tensor::Linear map(weights, random.row(outputs), random.row(outputs));
    const AlignedVector<float> input = flat(random.rows(count, inputs), inputs);
    tensor::QuantizedRows scratch;
    AlignedVector<float> all(count * map.stride()), one(map.stride());
    map.apply(tensor::kernels(), input.data(), inputs, count, all.data(), map.stride(), tensor::After::kStore,
              scratch);
    const std::size_t row = size_in(0, count - 1);
    map.apply(tensor::kernels(), input.data() + row * inputs, inputs, 1, one.data(), map.stride(),
              tensor::After::kStore, scratch);
    RC_ASSERT(
        std::equal(one.begin(), one.end(), all.begin() + static_cast<std::ptrdiff_t>(row * map.stride())));
  }));
}

TEST(Tensor, LayerNorms) {
  EXPECT_TRUE(rc::check("layer norm", [] {
    Numbers random = numbers();
    const std::size_t width = 16 * size_in(1, 24), count = size_in(1, 5);
    const Rows rows = random.rows(count, width);
    const Row weight = random.row(width), bias = random.row(width);
    const float epsilon = *rc::gen::element(1e-12f, 1e-5f, 0.5f);
    const AlignedVector<float> input = flat(rows, width);
    const AlignedVector<float> result = same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> out(count * width);
      kernels.layer_norm(input.data(), width, count, width, weight.data(), bias.data(), epsilon, out.data(),
                         width);
      return out;
    });
    for (std::size_t r = 0; r < count; ++r) {
      const Row expected = reference::layer_norm(rows[r], weight, bias, static_cast<double>(epsilon));
      for (std::size_t i = 0; i < width; ++i) RC_ASSERT(near(result[r * width + i], expected[i], 10.0));
    }
  }));
}

TEST(Tensor, Softmax) {
  EXPECT_TRUE(rc::check("softmax", [] {
    Numbers random = numbers();
    const std::size_t count = size_in(1, 100);
    Row row = random.row(count);
    for (float& x : row) x *= 10.0f;
    const AlignedVector<float> result = same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> out(tensor::round_up(count, tensor::kLanes), 5.0f);
      std::copy(row.begin(), row.end(), out.begin());
      kernels.softmax(out.data(), count);
      return out;
    });
    const Row expected = reference::softmax(row);
    for (std::size_t i = 0; i < result.size(); ++i) {
      RC_ASSERT(near(result[i], i < count ? expected[i] : 0.0f, 1e-6));
    }
  }));
}

TEST(Tensor, DotProductsAndSums) {
  EXPECT_TRUE(rc::check("dot, add_relu", [] {
    Numbers random = numbers();
    const std::size_t size = 16 * size_in(0, 30);
    const Row a = random.row(size), b = random.row(size);
    const AlignedVector<float> result = same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> out(size + 1);
      kernels.add_relu(a.data(), b.data(), out.data(), size);
      out.back() = kernels.dot(a.data(), b.data(), size);
      return out;
    });
    for (std::size_t i = 0; i < size; ++i) RC_ASSERT(result[i] == std::max(a[i] + b[i], 0.0f));
    RC_ASSERT(near(result.back(), reference::dot(a, b), 100.0));
  }));
}

TEST(Tensor, LstmSteps) {
  EXPECT_TRUE(rc::check("LSTM step", [] {
    Numbers random = numbers();
    const std::size_t size = 16 * size_in(1, 30);
    const Row a = random.row(4 * size), b = random.row(4 * size), before = random.row(size);
    const AlignedVector<float> result = same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> both(before.begin(), before.end());  // the memory, then the state
      both.resize(2 * size);
      kernels.lstm_step(a.data(), b.data(), size, both.data(), both.data() + size);
      return both;
    });
    Row gates(4 * size), memory = before;
    for (std::size_t i = 0; i < gates.size(); ++i) {  // the twin has all gates of a kind together
      const std::size_t kind = i / size, cell = i % size;
      const std::size_t place = cell / 16 * 64 + kind * 16 + cell % 16;
      gates[i] = a[place] + b[place];
    }
    const Row state = reference::lstm_step(gates, memory);
    for (std::size_t i = 0; i < size; ++i) {
      const double size_of_memory = std::max(1.0, std::fabs(static_cast<double>(before[i])));
      RC_ASSERT(near(result[i], memory[i], 0.2 * size_of_memory));
      RC_ASSERT(near(result[size + i], state[i], 0.2 * size_of_memory));
    }
  }));
}

TEST(Tensor, GruSteps) {
  EXPECT_TRUE(rc::check("both halves of a GRU step", [] {
    Numbers random = numbers();
    const std::size_t size = 16 * size_in(1, 30);
    const Row a = random.row(3 * size), b = random.row(3 * size), state = random.row(size);
    const AlignedVector<float> result = same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> out(3 * size);  // what is kept, the update, the state
      kernels.gru_reset(a.data(), b.data(), state.data(), size, out.data(), out.data() + size);
      kernels.gru_update(a.data() + 2 * size, b.data() + 2 * size, out.data() + size, state.data(), size,
                         out.data() + 2 * size);
      return out;
    });
    Row gates(2 * size), candidate(size);
    for (std::size_t i = 0; i < 2 * size; ++i) gates[i] = a[i] + b[i];
    for (std::size_t i = 0; i < size; ++i) candidate[i] = a[2 * size + i] + b[2 * size + i];
    const reference::GruGates expected = reference::gru_reset(gates, state);
    const Row after = reference::gru_update(candidate, expected.update, state);
    for (std::size_t i = 0; i < size; ++i) {
      const double unit = 0.1 * std::max(1.0, std::fabs(static_cast<double>(state[i])));
      RC_ASSERT(near(result[i], expected.kept[i], unit));
      RC_ASSERT(near(result[size + i], expected.update[i], 0.1));
      RC_ASSERT(near(result[2 * size + i], after[i], unit));
    }
  }));
}

TEST(Tensor, LogitsAreSummedUp) {
  EXPECT_TRUE(rc::check("summary of logits", [] {
    Numbers random = numbers();
    const std::size_t size = 16 * size_in(1, 200);
    Row logits = random.row(size), bias = random.row(size);
    for (std::size_t i = 1; i < size; i += 1 + random.next() % 9) {  // equal logits
      logits[i] = logits[i - 1];
      bias[i] = bias[i - 1];
    }
    const std::size_t target = random.next() % size;
    Row both(size);
    for (std::size_t i = 0; i < size; ++i) both[i] = logits[i] + bias[i];
    const reference::LogitFacts expected = reference::logit_facts(both, target);
    same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> row(logits.begin(), logits.end());
      const tensor::LogitSummary found = kernels.summarise_logits(row.data(), bias.data(), size, target);
      RC_ASSERT(std::equal(row.begin(), row.end(), both.begin()));
      RC_ASSERT(found.highest == expected.highest);
      RC_ASSERT(found.target == both[target]);
      RC_ASSERT(found.greater == expected.greater);
      RC_ASSERT(std::fabs(found.exponentials - expected.exponentials) <= 2e-6 * expected.exponentials);
      const float part = static_cast<float>(found.exponentials);  // with the rest of it: all bits
      return AlignedVector<float>{part, static_cast<float>(found.exponentials - part)};
    });
  }));
}

TEST(Tensor, FloatProducts) {
  EXPECT_TRUE(rc::check("float product", [] {
    Numbers random = numbers();
    const std::size_t rows = size_in(1, 20), depth = size_in(1, 70), columns = 16 * size_in(1, 3);
    const Rows a = random.rows(rows, depth), b = random.rows(depth, columns);
    const AlignedVector<float> left = flat(a, depth), right = flat(b, columns);
    const AlignedVector<float> result = same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> out(rows * columns);
      kernels.multiply(
          {left.data(), depth, 1, right.data(), columns, out.data(), columns, rows, depth, columns});
      return out;
    });
    const Rows expected = reference::product(a, b);
    for (std::size_t i = 0; i < result.size(); ++i) {
      RC_ASSERT(near(result[i], expected[i / columns][i % columns], 100.0));
    }
  }));
}

TEST(Tensor, Attention) {
  EXPECT_TRUE(rc::check("attention", [] {
    Numbers random = numbers();
    const std::size_t positions = size_in(1, 40), queries = size_in(1, positions), width = 16 * size_in(1, 4);
    const bool causal = *rc::gen::arbitrary<bool>();
    const Rows query = random.rows(queries, width), key = random.rows(positions, width),
               value = random.rows(positions, width);
    const auto q = flat(query, width), k = flat(key, width), v = flat(value, width);
    const AlignedVector<float> result = same_of_all([&](const Kernels& kernels) {
      AlignedVector<float> out(queries * width),
          scratch(tensor::attention_scratch(queries, positions, width));
      kernels.attend({.query = q.data(),
                      .query_stride = width,
                      .queries = queries,
                      .key = k.data(),
                      .value = v.data(),
                      .stride = width,
                      .positions = positions,
                      .width = width,
                      .scale = 0.3f,
                      .causal = causal,
                      .out = out.data(),
                      .out_stride = width,
                      .scratch = scratch.data()});
      return out;
    });
    const Rows expected = reference::attention(query, key, value, 0.3f, causal);
    for (std::size_t i = 0; i < result.size(); ++i) {
      RC_ASSERT(near(result[i], expected[i / width][i % width], 20.0));
    }
  }));
}

}  // namespace
}  // namespace capella::test
