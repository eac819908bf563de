#include "method/training_state.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

namespace capella::method {
namespace {

using nlohmann::json;

void read_text(const std::string& text, std::size_t columns, TrainingState& state) {
  const json parsed = json::parse(text, nullptr, false);
  const auto has = [&](const char* name) { return parsed.is_object() && parsed.contains(name); };
  if (!has("fingerprint") || !parsed["fingerprint"].is_string() || !has("rows") ||
      !parsed["rows"].is_array() || parsed["rows"].empty())
    throw DataError("its text does not tell of a training");
  state.fingerprint = read_hex_text(parsed["fingerprint"].get<std::string>());
  for (const json& row : parsed["rows"]) {
    if (!row.is_array() || row.size() != columns)
      throw DataError(fmt::format("a result does not have {} numbers", columns));
    std::vector<double>& numbers = state.rows.emplace_back();
    for (const json& number : row) numbers.push_back(read_number_json(number, "a result"));
  }
}

}  // namespace

TrainingState read_training_state(const std::string& path, const NetworkFormat& format, std::size_t columns) {
  TrainingState state;
  read_network_file(path, format, NetworkFile::checkpoint, [&](const tensor::Safetensors& file) {
    read_text(file.text(format.key(NetworkFile::checkpoint)), columns, state);
    state.arrays = arrays_of(file);
  });
  return state;
}

void write_training_state(const std::string& path, const NetworkFormat& format, std::uint64_t fingerprint,
                          const ResultRows& rows, std::span<const NetworkArray> arrays) {
  json all = json::array();
  for (const std::vector<double>& row : rows) {
    json& numbers = all.emplace_back(json::array());
    for (const double number : row) numbers.push_back(number_json(number));
  }
  const json text = {{"fingerprint", hex_text(fingerprint)}, {"rows", std::move(all)}};
  write_network_file(path, arrays, {{format.key(NetworkFile::checkpoint), text.dump()}},
                     NetworkFile::checkpoint);
}

}  // namespace capella::method
