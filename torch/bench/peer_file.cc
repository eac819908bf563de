#include "torch/bench/peer_file.h"

#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <vector>

namespace capella::bench {
namespace {

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::vector<char> bytes(static_cast<std::size_t>(file.tellg()));
  file.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

TokenBatch rows_of(const Tensor& ids) {
  const Tensor numbers = ids.to(torch::kInt32).contiguous();
  const std::span all(numbers.data_ptr<std::int32_t>(), static_cast<std::size_t>(numbers.numel()));
  const auto width = static_cast<std::size_t>(numbers.size(1));
  TokenBatch batch;
  for (std::size_t begin = 0; begin < all.size(); begin += width) batch.add(all.subspan(begin, width));
  return batch;
}

}  // namespace

Peer::Peer(const std::string& path) {
  const auto found = torch::pickle_load(bytes_of(path)).toGenericDict();
  const std::pair<std::string, DrawnArrays*> networks[] = {
      {"clip.", &drawing.clip}, {"roberta.", &drawing.roberta}, {"head.", &drawing.head}};
  for (const auto& entry : found) {
    const std::string name = entry.key().toStringRef();
    for (const auto& [prefix, arrays] : networks) {
      if (name.starts_with(prefix)) (*arrays)[name.substr(prefix.size())] = entry.value().toTensor();
    }
  }
  captions = {rows_of(found.at("ids.clip").toTensor()), rows_of(found.at("ids.roberta").toTensor())};
  pictures = found.at("pictures").toTensor();
  scores = found.at("scores").toTensor().to(torch::kFloat32);
}

}  // namespace capella::bench
