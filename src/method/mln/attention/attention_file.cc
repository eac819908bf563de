#include <cmath>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/npz.h"
#include "method/mln/attention/attention.h"
#include "method/mln/attention/bags.h"

namespace capella::method::mln {
namespace {

constexpr float kVersion = 1;
constexpr std::string_view kHead = "capella";
constexpr std::string_view kCalibration = "calibration";
constexpr std::size_t kBoxNumbers = 8;

io::NumberArray array_of(std::vector<std::size_t> shape, const std::vector<double>& values) {
  io::NumberArray array{std::move(shape), {}};
  array.values.reserve(values.size());
  for (const double value : values) array.values.push_back(static_cast<float>(value));
  return array;
}

// As PyTorch has them: weights are matrices of outputs x inputs.
std::array<std::vector<std::size_t>, AttentionNetwork::kArrays> shapes(std::size_t inputs, std::size_t hidden,
                                                                       std::size_t attention) {
  return {{{hidden, inputs},
           {hidden},
           {attention, hidden},
           {attention},
           {attention, hidden},
           {attention},
           {1, attention},
           {1, hidden},
           {1},
           {1}}};
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), arrays_(io::read_npz(path)) {}

  AttentionModels read() {
    const auto head = arrays_.find(kHead);
    if (head == arrays_.end() || head->second.values.size() != 3)
      throw FileError(
          fmt::format("{}: no networks of attention, expected the output of capella mln mil", path_));
    if (head->second.values[0] != kVersion)
      throw FileError(fmt::format("{}: networks of attention of version {}, expected {}; train them again",
                                  path_, head->second.values[0], kVersion));
    AttentionModels models;
    const double width = head->second.values[1];
    if (!(width >= 0 && width < 1e9)) damaged(kHead);
    models.features = static_cast<std::size_t>(width);
    models.pixel_boxes = head->second.values[2] != 0;
    for (const auto& [name, array] : arrays_) {
      const std::size_t slash = name.rfind('/');
      if (slash == std::string::npos || name.substr(slash + 1) != kCalibration) continue;
      const std::string predicate = name.substr(0, slash);
      models.networks.emplace(predicate, network(predicate, 2 * models.features + kBoxNumbers));
    }
    return models;
  }

 private:
  [[noreturn]] void damaged(std::string_view name) const {
    throw FileError(
        fmt::format("{}: the array {} is missing or has another shape than its network; the file "
                    "is damaged, train the networks again",
                    path_, excerpt(name)));
  }

  const io::NumberArray& array(const std::string& name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) damaged(name);
    for (const float value : found->second.values) {
      if (!std::isfinite(value)) damaged(name);
    }
    return found->second;
  }

  AttentionNetwork network(const std::string& predicate, std::size_t inputs) const {
    AttentionNetwork out;
    out.gated = arrays_.contains(predicate + "/U");
    out.inputs = inputs;
    out.hidden = array(predicate + "/b1").values.size();
    out.attention = array(predicate + "/bV").values.size();
    const auto expected = shapes(out.inputs, out.hidden, out.attention);
    const auto values = out.arrays();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!out.gated && kArrayNames[i].ends_with('U')) continue;
      const std::string name = fmt::format("{}/{}", predicate, kArrayNames[i]);
      if (array(name).shape != expected[i]) damaged(name);
      values[i]->assign(array(name).values.begin(), array(name).values.end());
    }
    const std::string name = fmt::format("{}/{}", predicate, kCalibration);
    const std::vector<float>& numbers = array(name).values;
    if (numbers.size() != 3 || !(numbers[0] > 0) || !(numbers[2] > 0 && numbers[2] < 1)) damaged(name);
    out.temperature = numbers[0];
    out.shift = numbers[1];
    out.base_rate = numbers[2];
    return out;
  }

  std::string path_;
  io::NamedArrays arrays_;
};

}  // namespace

AttentionModels read_attention(const std::string& path) {
  return Reader(path).read();
}

void write_attention(const std::string& path, const AttentionModels& models) {
  io::NamedArrays arrays;
  arrays[std::string(kHead)] = {
      {3}, {kVersion, static_cast<float>(models.features), models.pixel_boxes ? 1.0f : 0.0f}};
  for (const auto& [predicate, network] : models.networks) {
    const auto sizes = shapes(network.inputs, network.hidden, network.attention);
    const auto values = network.arrays();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i]->empty())
        arrays[fmt::format("{}/{}", predicate, kArrayNames[i])] = array_of(sizes[i], *values[i]);
    }
    arrays[fmt::format("{}/{}", predicate, kCalibration)] =
        array_of({3}, {network.temperature, network.shift, network.base_rate});
  }
  io::write_npz(path, arrays);
}

AtomAnswer ask_atom(const AttentionModels& models, const io::ImageObjects& image, const io::Matrix& features,
                    const io::Triplet& atom) {
  AtomAnswer answer;
  if (features.rows > 0 && features.columns != models.features)
    throw DataError(
        fmt::format("{}: {} numbers for each object, but the networks learned from {}; take the "
                    "features of the same detector",
                    features.source, features.columns, models.features));
  const auto network = models.networks.find(atom.predicate);
  answer.bag = make_bag(image, features, atom, models.pixel_boxes);
  if (network == models.networks.end()) return answer;
  AttentionAnswer asked = ask(network->second, answer.bag);
  answer.source = answer.bag.instances == 0 ? AtomSource::empty_bag : AtomSource::network;
  answer.probability = asked.probability;
  answer.attention = std::move(asked.attention);
  return answer;
}

}  // namespace capella::method::mln
