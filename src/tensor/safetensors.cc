#include "tensor/safetensors.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "base/file.h"
#include "base/json_text.h"
#include "base/names.h"
#include "base/unfinished_file.h"

namespace capella::tensor {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the data are mapped as they are");

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kLengthSize = sizeof(std::uint64_t);
constexpr std::uint64_t kLongestHeader = 100'000'000;  // that of the format's own reader
constexpr std::size_t kHeaderAlignment = 8;

struct TypeInfo {
  Type type;
  std::string_view name;
  std::size_t size;
};
constexpr TypeInfo kTypes[] = {
    {Type::kF32, "F32", 4}, {Type::kF16, "F16", 2},        {Type::kBF16, "BF16", 2},
    {Type::kI8, "I8", 1},   {Type::kU8, "U8", 1},          {Type::kI32, "I32", 4},
    {Type::kI64, "I64", 8}, {Type::kF64, "F64", 8},        {Type::kBool, "BOOL", 1},
    {Type::kI16, "I16", 2}, {Type::kU16, "U16", 2},        {Type::kU32, "U32", 4},
    {Type::kU64, "U64", 8}, {Type::kF8E4M3, "F8_E4M3", 1}, {Type::kF8E5M2, "F8_E5M2", 1}};

const TypeInfo& info(Type type) {
  return kTypes[static_cast<std::size_t>(type)];
}

std::optional<Type> find_type(std::string_view name) {
  for (const TypeInfo& known : kTypes) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

// What is wrong with a header or with one tensor; the caller adds the file.
class Problem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Problem(fmt::format(format, std::forward<Args>(args)...));
}

// Parses the header and refuses objects that have a key twice, which the parser itself lets pass.
json parse_header(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  const auto watch = [&keys](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      fail("the header has '{}' twice", excerpt(value.get<std::string>()));
    }
    return true;
  };
  json header = json::parse(text, watch, false);
  if (header.is_discarded()) fail("the header is not JSON");
  if (!header.is_object()) fail("the header is not a JSON object");
  return header;
}

// The product of `factors`, nothing if it has no place in 64 bits.
std::optional<std::size_t> product(std::size_t first, const Shape& factors) {
  std::size_t result = first;
  for (const std::size_t factor : factors) {
    if (__builtin_mul_overflow(result, factor, &result)) return std::nullopt;
  }
  return result;
}

// How a value is named in an error. Lists and objects are not written out: they may be as deep as the file is
// long, and writing recurses.
std::string shown(const json& value) {
  return value.is_primitive() ? excerpt(value.dump()) : value.is_array() ? "a list" : "an object";
}

Shape read_sizes(const std::string& name, const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array()) fail("tensor '{}' has no list '{}'", excerpt(name), key);
  Shape sizes;
  for (const json& size : *found) {
    if (!size.is_number_unsigned()) fail("tensor '{}': '{}' has {}", excerpt(name), key, shown(size));
    sizes.push_back(size.get<std::size_t>());
  }
  return sizes;
}

Type read_type(const std::string& name, const json& entry) {
  const auto found = entry.find("dtype");
  if (found == entry.end() || !found->is_string()) fail("tensor '{}' has no 'dtype'", excerpt(name));
  const auto& text = found->get_ref<const std::string&>();
  const std::optional<Type> type = find_type(text);
  if (!type) fail("tensor '{}' has the type {}, which is not supported", excerpt(name), excerpt(text));
  return *type;
}

Tensor read_tensor(const std::string& name, const json& entry, std::span<const std::byte> data) {
  if (!entry.is_object()) fail("tensor '{}' is not described by an object", excerpt(name));
  Tensor tensor{.type = read_type(name, entry), .shape = read_sizes(name, entry, "shape"), .bytes = {}};
  const Shape ends = read_sizes(name, entry, "data_offsets");
  if (ends.size() != 2 || ends[0] > ends[1]) fail("tensor '{}': 'data_offsets' is no range", excerpt(name));
  if (ends[1] > data.size()) {
    fail("tensor '{}' ends at byte {} of the data, which have {}; the file may be cut short", excerpt(name),
         ends[1], data.size());
  }
  tensor.bytes = data.subspan(ends[0], ends[1] - ends[0]);
  const std::optional<std::size_t> expected = product(type_size(tensor.type), tensor.shape);
  if (!expected || *expected != tensor.bytes.size()) {
    fail("tensor '{}' of type {} and shape [{}] has {} bytes", excerpt(name), type_name(tensor.type),
         fmt::join(tensor.shape, ", "), tensor.bytes.size());
  }
  return tensor;
}

// Tensors that share bytes would let a small file ask for any amount of memory: each is copied on its own.
void expect_apart(const std::map<std::string, Tensor, std::less<>>& tensors) {
  std::vector<const std::pair<const std::string, Tensor>*> order;
  for (const auto& entry : tensors) {
    if (!entry.second.bytes.empty()) order.push_back(&entry);
  }
  std::ranges::stable_sort(order, {}, [](const auto* entry) { return entry->second.bytes.data(); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto *before = order[i - 1], *behind = order[i];
    if (behind->second.bytes.data() < before->second.bytes.data() + before->second.bytes.size())
      fail("tensors '{}' and '{}' share bytes, expected each to have its own", excerpt(before->first),
           excerpt(behind->first));
  }
}

Metadata read_metadata(const json& entry) {
  if (!entry.is_object()) fail("'{}' is not an object", kMetadata);
  Metadata metadata;
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) fail("'{}': '{}' is not a text", kMetadata, excerpt(key));
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

// The header's text, checked to lie inside the file.
std::string_view header_text(std::span<const std::byte> bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < kLengthSize) fail("{} bytes are too few for a file of tensors", bytes.size());
  std::memcpy(&length, bytes.data(), kLengthSize);
  if (length > kLongestHeader) fail("not a safetensors file: its header would have {} bytes", length);
  if (length > bytes.size() - kLengthSize) {
    fail("the header has {} bytes, of which {} are there; the file may be cut short", length,
         bytes.size() - kLengthSize);
  }
  return {reinterpret_cast<const char*>(bytes.data()) + kLengthSize, static_cast<std::size_t>(length)};
}

}  // namespace

std::string_view type_name(Type type) {
  return info(type).name;
}

std::size_t type_size(Type type) {
  return info(type).size;
}

Safetensors::Safetensors(const std::string& path) : path_(path), file_(path) {
  try {
    read_header();
  } catch (const Problem& problem) {
    reject(problem.what());
  }
}

void Safetensors::read_header() {
  const std::string_view text = header_text(file_.bytes());
  const auto data = file_.bytes().subspan(kLengthSize + text.size());
  const json header = parse_header(text);
  for (const auto& [name, entry] : header.items()) {
    if (name == kMetadata) {
      metadata_ = read_metadata(entry);
      continue;
    }
    tensors_.emplace(name, read_tensor(name, entry, data));
  }
  expect_apart(tensors_);
  for (auto& entry : tensors_) align(entry.second);
}

void Safetensors::align(Tensor& tensor) {
  if (reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % type_size(tensor.type) == 0) return;
  const std::size_t words = tensor.bytes.size() / sizeof(std::int64_t) + 1;
  copies_.push_back(std::make_unique<std::int64_t[]>(words));
  std::memcpy(copies_.back().get(), tensor.bytes.data(), tensor.bytes.size());
  tensor.bytes = {reinterpret_cast<const std::byte*>(copies_.back().get()), tensor.bytes.size()};
}

const std::string& Safetensors::text(std::string_view key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) reject(fmt::format("'{}' has no '{}'", kMetadata, key));
  return found->second;
}

std::size_t Safetensors::number(std::string_view key, std::size_t least, std::size_t most) const {
  const std::string& digits = text(key);
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value < least || value > most) {
    reject(fmt::format("'{}': '{}' is '{}', expected a number from {} to {}", kMetadata, key, excerpt(digits),
                       least, most));
  }
  return value;
}

const Tensor& Safetensors::tensor(std::string_view name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) reject(fmt::format("there is no tensor '{}'", name));
  return found->second;
}

std::span<const std::byte> Safetensors::checked_bytes(std::string_view name, Type type,
                                                      const Shape& shape) const {
  const Tensor& found = tensor(name);
  if (found.type != type || found.shape != shape) {
    reject(fmt::format("tensor '{}' is {} [{}], expected {} [{}]", name, type_name(found.type),
                       fmt::join(found.shape, ", "), type_name(type), fmt::join(shape, ", ")));
  }
  return found.bytes;
}

void Safetensors::reject(std::string_view what) const {
  throw FileError(fmt::format("{}: {}", path_, what));
}

namespace {

// In the order in which their numbers are written: wide types first.
std::vector<const TensorView*> in_file_order(std::span<const TensorView> tensors) {
  std::vector<const TensorView*> order;
  for (const std::size_t size : {8, 4, 2, 1}) {
    for (const TensorView& tensor : tensors) {
      if (type_size(tensor.type) == size) order.push_back(&tensor);
    }
  }
  return order;
}

// Everything before the numbers.
std::string head_of(std::span<const TensorView* const> order, const Metadata& metadata) {
  json header = json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  std::size_t begin = 0;
  for (const TensorView* tensor : order) {
    const std::string name(tensor->name);
    const Shape shape(tensor->shape.begin(), tensor->shape.end());
    if (header.contains(name) || product(type_size(tensor->type), shape) != tensor->bytes.size()) {
      throw UsageError(
          fmt::format("tensor '{}' cannot be written: its name is taken or its {} bytes do not "
                      "fit the shape",
                      name, tensor->bytes.size()));
    }
    const std::size_t end = begin + tensor->bytes.size();
    header[name] = {{"dtype", type_name(tensor->type)}, {"shape", shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = json_text(header);
  text.resize((text.size() + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment, ' ');
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), kLengthSize) + text;
}

std::vector<TensorView> views_of(std::span<const NamedTensor> tensors) {
  std::vector<TensorView> views;
  for (const NamedTensor& tensor : tensors)
    views.push_back({tensor.name, tensor.type, tensor.shape, tensor.bytes});
  return views;
}

}  // namespace

std::string safetensors_bytes(std::span<const TensorView> tensors, const Metadata& metadata) {
  const auto order = in_file_order(tensors);
  std::string bytes = head_of(order, metadata);
  for (const TensorView* tensor : order) bytes += tensor->bytes;
  return bytes;
}

std::string safetensors_bytes(std::span<const NamedTensor> tensors, const Metadata& metadata) {
  return safetensors_bytes(views_of(tensors), metadata);
}

void write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                       const Metadata& metadata) {
  write_file_atomically(path, safetensors_bytes(tensors, metadata));
}

void write_safetensors(const std::string& path, std::span<const TensorView> tensors,
                       const Metadata& metadata) {
  const auto order = in_file_order(tensors);
  const std::string head = head_of(order, metadata);
  const SignalHold hold;
  UnfinishedFile file(path);
  file.write(head, 0);
  std::uint64_t place = head.size();
  for (const TensorView* tensor : order) {
    file.write(tensor->bytes, place);
    place += tensor->bytes.size();
  }
  file.publish(std::nullopt);
}

}  // namespace capella::tensor
