#include "resource/df_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/file.h"
#include "base/hash.h"

namespace capella::resource {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is mapped as it is");

struct DfHeader {
  char magic[8];
  std::uint64_t documents;
  std::uint64_t entries;
  std::uint64_t count_bytes;  // 2, or 4 when a frequency needs more
};
constexpr char kMagic[8] = {'C', 'A', 'P', 'D', 'F', '0', '1', '\n'};

std::size_t file_size(const DfHeader& header) {
  return sizeof(DfHeader) + header.entries * (sizeof(std::uint64_t) + header.count_bytes);
}

DfHeader read_header(std::span<const std::byte> bytes, const std::string& path) {
  DfHeader header{};
  if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  const bool known = std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 && header.documents > 0 &&
                     header.entries < bytes.size() && (header.count_bytes == 2 || header.count_bytes == 4);
  if (!known) {
    throw FileError(path + ": not a table of document frequencies; make one with: capella df REFS -o FILE");
  }
  if (file_size(header) != bytes.size()) {
    throw FileError(fmt::format(
        "{}: {} bytes, expected {}; the table is damaged, make it again with: capella df REFS -o FILE", path,
        bytes.size(), file_size(header)));
  }
  return header;
}

template <class T>
std::span<const T> view(const std::byte* data, std::size_t count) {
  return {reinterpret_cast<const T*>(data), count};
}

template <class T>
void append(std::string& out, const std::vector<T>& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

DfTable::DfTable(const std::string& path, std::string name) : file_(path), name_(std::move(name)) {
  const auto bytes = file_.bytes();
  const DfHeader header = read_header(bytes, path);
  const std::byte* hashes = bytes.data() + sizeof header;
  const std::byte* counts = hashes + header.entries * sizeof(std::uint64_t);
  documents_ = header.documents;
  hashes_ = view<std::uint64_t>(hashes, header.entries);
  if (header.count_bytes == 2) {
    narrow_counts_ = view<std::uint16_t>(counts, header.entries);
  } else {
    wide_counts_ = view<std::uint32_t>(counts, header.entries);
  }
}

std::uint32_t DfTable::frequency(std::uint64_t ngram_hash) const {
  const auto place = std::lower_bound(hashes_.begin(), hashes_.end(), ngram_hash);
  if (place == hashes_.end() || *place != ngram_hash) return 0;
  const auto i = static_cast<std::size_t>(place - hashes_.begin());
  return narrow_counts_.empty() ? wide_counts_[i] : narrow_counts_[i];
}

std::string DfTable::description() const {
  const auto bytes = file_.bytes();
  const std::uint64_t hash = hash_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return fmt::format("{}({},#{:08x})", name_, documents_, static_cast<std::uint32_t>(hash));
}

void DfTable::write(const std::string& path, std::uint64_t documents,
                    const std::map<std::uint64_t, std::uint32_t>& frequencies) {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> counts;
  for (const auto& [hash, count] : frequencies) {
    if (count < 2) continue;
    hashes.push_back(hash);
    counts.push_back(count);
  }
  const bool narrow =
      std::all_of(counts.begin(), counts.end(), [](std::uint32_t count) { return count <= 0xFFFF; });
  DfHeader header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.documents = documents;
  header.entries = hashes.size();
  header.count_bytes = narrow ? 2 : 4;
  std::string out(reinterpret_cast<const char*>(&header), sizeof header);
  append(out, hashes);
  if (narrow) {
    append(out, std::vector<std::uint16_t>(counts.begin(), counts.end()));
  } else {
    append(out, counts);
  }
  write_file_atomically(path, out);
}

}  // namespace capella::resource
