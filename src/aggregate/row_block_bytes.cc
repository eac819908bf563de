// The file format of row blocks: a line with format name and checksum, a line with the header's length, a
// JSON header, then the numbers as little-endian doubles.
#include <bit>
#include <charconv>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"

#include "aggregate/row_block.h"
#include "base/hash.h"
#include "base/json_text.h"

namespace capella::aggregate {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

constexpr std::string_view kMagic = "capella-rows-1 ";

json header_of(const RowBlock& block) {
  json metrics = json::array();
  for (const MetricRun& metric : block.metrics) {
    metrics.push_back({{"name", metric.name},
                       {"settings", metric.settings},
                       {"row_width", metric.row_width},
                       {"signature", metric.signature_rest}});
  }
  json skipped = json::array();
  for (const Skipped& row : block.skipped) skipped.push_back({{"id", row.id}, {"why", row.why}});
  return {{"metrics", metrics},
          {"systems", block.systems},
          {"total_items", block.total_items},
          {"first_item", block.first_item},
          {"fingerprint", block.fingerprint},
          {"ids", block.ids},
          {"skipped", skipped},
          {"warnings", block.warnings}};
}

RowBlock block_of(const json& header) {
  RowBlock block;
  for (const json& metric : header.at("metrics")) {
    block.metrics.push_back(
        {metric.at("name"), metric.at("settings"), metric.at("row_width"), metric.at("signature")});
  }
  block.systems = header.at("systems");
  block.total_items = header.at("total_items");
  block.first_item = header.at("first_item");
  block.fingerprint = header.at("fingerprint");
  block.ids = header.at("ids");
  for (const json& row : header.at("skipped")) block.skipped.push_back({row.at("id"), row.at("why")});
  block.warnings = header.at("warnings");
  return block;
}

// Takes `count` numbers off the front of `bytes`.
std::vector<double> take_numbers(std::string_view& bytes, std::size_t count) {
  if (count > bytes.size() / sizeof(double)) throw DataError("the numbers end too early");
  std::vector<double> numbers(count);
  if (count > 0)
    std::memcpy(numbers.data(), bytes.data(), count * sizeof(double));  // an empty vector has no address
  bytes.remove_prefix(count * sizeof(double));
  return numbers;
}

// What a sealed text holds; throws DataError if it is none or was changed.
std::string_view unseal(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) throw DataError("it does not begin as such a file does");
  bytes.remove_prefix(kMagic.size());
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) throw DataError("it is cut off");
  const std::string_view content = bytes.substr(end + 1);
  if (bytes.substr(0, end) != fmt::format("{:016x}", hash_bytes(content)))
    throw DataError("it is damaged or cut off");
  return content;
}

RowBlock parse(std::string_view bytes) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), length);
  const auto digits = static_cast<std::size_t>(end - bytes.data());
  if (error != std::errc{} || digits + 1 > bytes.size() || length > bytes.size() - digits - 1)
    throw DataError("it is cut off");
  bytes.remove_prefix(digits + 1);
  RowBlock block = block_of(json::parse(bytes.substr(0, length)));
  bytes.remove_prefix(length);
  for (std::size_t system = 0; system < block.systems.size(); ++system) {
    for (const MetricRun& metric : block.metrics) {
      if (metric.row_width > 1'000'000) throw DataError("a row is too wide");
      block.rows.push_back(take_numbers(bytes, metric.row_width * block.ids.size()));
    }
  }
  if (!bytes.empty()) throw DataError("something follows its end");
  return block;
}

}  // namespace

std::string to_bytes(const RowBlock& block) {
  // Names of systems may be any bytes; what is no UTF-8 is replaced, as in reports.
  const std::string header = json_text(header_of(block));
  std::string bytes = fmt::format("{}\n{}", header.size(), header);
  for (const std::vector<double>& rows : block.rows) {
    bytes.append(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(double));
  }
  return seal(bytes);
}

std::string seal(std::string_view content) {
  return fmt::format("{}{:016x}\n{}", kMagic, hash_bytes(content), content);
}

RowBlock from_bytes(std::string_view bytes, const std::string& source) {
  try {
    return parse(unseal(bytes));
  } catch (const std::exception& problem) {
    throw DataError(fmt::format("{}: not statistics written by `capella score --stats-out` ({})", source,
                                problem.what()));
  }
}

}  // namespace capella::aggregate
