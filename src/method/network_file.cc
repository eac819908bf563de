#include "method/network_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/hash_values.h"
#include "base/names.h"

namespace capella::method {
namespace {

using tensor::Metadata;
using tensor::Safetensors;
using tensor::TensorView;

constexpr const char* kChecksum = "capella.checksum";

// Arrays by name.
std::vector<const NetworkArray*> sorted(std::span<const NetworkArray> arrays) {
  std::vector<const NetworkArray*> order;
  for (const NetworkArray& array : arrays) order.push_back(&array);
  std::ranges::sort(order, {}, [](const NetworkArray* array) -> const std::string& { return array->name; });
  return order;
}

std::vector<TensorView> views_of(std::span<const NetworkArray> arrays) {
  std::vector<TensorView> views;
  for (const NetworkArray* array : sorted(arrays)) {
    const std::string_view bytes(reinterpret_cast<const char*>(array->values.data()),
                                 array->values.size() * sizeof(float));
    views.push_back({array->name, tensor::Type::kF32, array->shape, bytes});
  }
  return views;
}

// Of texts other than the checksum itself.
std::uint64_t hash_of_texts(const Metadata& texts) {
  std::uint64_t hash = 0;
  for (const auto& [key, text] : texts) {
    if (key != kChecksum) hash = hash_combine(hash_combine(hash, hash_bytes(key)), hash_bytes(text));
  }
  return hash;
}

// What is written beside the arrays.
Metadata written_texts(std::span<const NetworkArray> arrays, const Metadata& texts, NetworkFile kind) {
  Metadata all = texts;
  if (kind == NetworkFile::checkpoint)
    all[kChecksum] = hex_text(hash_of_arrays(arrays, hash_of_texts(texts)));
  return all;
}

void expect_checksum(const Safetensors& file, const NetworkFormat& format) {
  file.text(format.checkpoint);  // a file that is no checkpoint at all is told as such
  const auto written = file.metadata().find(kChecksum);
  if (written == file.metadata().end())
    throw DataError("has no checksum: it is damaged, or of an older version of Capella");
  if (written->second != hex_text(hash_of_arrays(arrays_of(file), hash_of_texts(file.metadata()))))
    throw DataError("is damaged: it is not what its checksum is of");
}

Safetensors open(const std::string& path, const NetworkFormat& format, const char* remedy) {
  std::error_code unknown;  // whoever opens it then says what is wrong
  if (std::filesystem::is_directory(path, unknown))
    throw FileError(
        fmt::format("{}: is a folder, expected a file that '{}' wrote; name the file", path, format.command));
  try {
    return Safetensors(path);
  } catch (const FileError& error) {
    throw FileError(
        fmt::format("{}; expected a file that '{}' wrote; {}", error.what(), format.command, remedy));
  }
}

}  // namespace

std::uint64_t hash_of_arrays(std::span<const NetworkArray> arrays, std::uint64_t before) {
  std::uint64_t hash = before;
  for (const NetworkArray* array : sorted(arrays)) {
    for (const std::uint64_t next :
         {hash_bytes(array->name), hash_values(array->shape), hash_values(array->values)})
      hash = hash_combine(hash, next);
  }
  return hash;
}

std::string number_problem(std::span<const NetworkArray> arrays) {
  for (const NetworkArray& array : arrays) {
    if (!std::ranges::all_of(array.values, [](float value) { return std::isfinite(value); }))
      return fmt::format("array '{}' has a number that is not finite", excerpt(array.name));
  }
  return "";
}

std::size_t learnt_numbers(std::span<const NetworkArray> arrays) {
  std::size_t numbers = 0;
  for (const NetworkArray& array : arrays) {
    if (!array.name.starts_with(tensor::kOptimiser)) numbers += array.values.size();
  }
  return numbers;
}

std::vector<NetworkArray> arrays_of(const Safetensors& file) {
  std::vector<NetworkArray> arrays;
  for (const auto& [name, found] : file.tensors()) {
    const auto values = file.values<float>(name, found.shape);
    arrays.push_back({name, found.shape, {values.begin(), values.end()}});
  }
  return arrays;
}

void read_network_file(const std::string& path, const NetworkFormat& format, NetworkFile kind,
                       const std::function<void(const Safetensors& file)>& read) {
  const char* remedy = kind == NetworkFile::model ? "train it again, or give another file"
                                                  : "remove it, or begin anew with --restart";
  const Safetensors file = open(path, format, remedy);
  try {
    if (kind == NetworkFile::model && file.metadata().contains(format.checkpoint))
      throw DataError("a checkpoint of a training that has not ended, expected a trained model");
    if (kind == NetworkFile::checkpoint) expect_checksum(file, format);
    read(file);
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}; {}", error.what(), remedy));
  } catch (const DataError& error) {
    throw FileError(fmt::format("{}: {}; {}", path, error.what(), remedy));
  }
}

std::string network_file_bytes(std::span<const NetworkArray> arrays, const Metadata& texts,
                               NetworkFile kind) {
  return tensor::safetensors_bytes(views_of(arrays), written_texts(arrays, texts, kind));
}

void write_network_file(const std::string& path, std::span<const NetworkArray> arrays, const Metadata& texts,
                        NetworkFile kind) {
  tensor::write_safetensors(path, views_of(arrays), written_texts(arrays, texts, kind));
}

std::string hex_text(std::uint64_t number) {
  return fmt::format("{:016x}", number);
}

std::uint64_t read_hex_text(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (problem != std::errc() || end != text.data() + text.size() || text.size() != 16)
    throw DataError(fmt::format("found '{}', expected a hexadecimal number of 16 digits", excerpt(text)));
  return number;
}

nlohmann::json number_json(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double read_number_json(const nlohmann::json& value, std::string_view what) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (!value.is_number()) throw DataError(fmt::format("{} is no number", what));
  return value.get<double>();
}

}  // namespace capella::method
