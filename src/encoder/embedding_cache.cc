#include "encoder/embedding_cache.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/cache_folder.h"
#include "base/hash.h"
#include "base/is_file.h"
#include "base/unfinished_file.h"

namespace capella::encoder {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::string_view kMagic = "capella vectors 2\n";
constexpr std::size_t kUnit = 64;  // records begin at multiples of it
// To be raised whenever encoders, tokenizers or the preparation of pictures change within a version of
// Capella.
constexpr std::uint64_t kRules = 2;
// A file that is too large shrinks to this share of what is allowed, so that it is not replaced at every run.
constexpr std::uint64_t kKeptNumerator = 3;
constexpr std::uint64_t kKeptDenominator = 4;

struct FileHead {
  char magic[32];
  std::uint64_t model;
  std::uint64_t width;
  std::uint64_t stamp;
  std::uint64_t checksum;  // of all that stands before
};
static_assert(sizeof(FileHead) == kUnit);

// A record begins so; the numbers follow, and zeros up to a multiple of kUnit.
struct RecordHead {
  std::uint64_t checksum;  // of the head's rest
  std::uint64_t numbers;   // checksum of these
  EmbeddingKey key;
  std::uint64_t mark;
  std::uint64_t size;  // numbers
  std::uint64_t unused[2];
};
static_assert(sizeof(RecordHead) == kUnit);

std::string_view text_of(const resource::MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

template <class Head>
std::string_view bytes_of(const Head& head) {
  return {reinterpret_cast<const char*>(&head), sizeof head};
}

RecordHead record_head(const char* record) {
  RecordHead head;
  std::memcpy(&head, record, sizeof head);
  return head;
}

std::uint64_t checksum_of(const RecordHead& head) {
  return hash_bytes(bytes_of(head).substr(sizeof head.checksum));
}

std::string_view numbers_of(const char* record) {
  return {record + sizeof(RecordHead), record_head(record).size * sizeof(float)};
}

bool is_whole(const char* record) {
  return record_head(record).numbers == hash_bytes(numbers_of(record));
}

// The record's bytes if a head stands here and the numbers are not cut off; else none.
std::string_view record_at(std::string_view file, std::size_t place) {
  const RecordHead head = record_head(file.data() + place);
  const std::size_t most = (file.size() - place - sizeof head) / sizeof(float);
  if (head.checksum != checksum_of(head) || head.size > most) return {};
  const std::size_t size = (sizeof head + head.size * sizeof(float) + kUnit - 1) / kUnit * kUnit;
  return size > file.size() - place ? std::string_view() : file.substr(place, size);
}

// Calls visit(record) for each from `begin` on; what is damaged is passed over. Returns where the last ends.
template <class Visit>
std::size_t for_each_record(std::string_view file, std::size_t begin, const Visit& visit) {
  std::size_t end = begin;
  for (std::size_t place = begin; place + sizeof(RecordHead) <= file.size();) {
    const std::string_view record = record_at(file, place);
    place += record.empty() ? kUnit : record.size();
    if (record.empty()) continue;
    visit(record);
    end = place;
  }
  return end;
}

void append_record(const Embedding& embedding, std::string& out) {
  const std::string_view numbers(reinterpret_cast<const char*>(embedding.numbers.get()),
                                 embedding.size * sizeof(float));
  RecordHead head{0, hash_bytes(numbers), embedding.key, embedding.mark, embedding.size, {}};
  head.checksum = checksum_of(head);
  out.append(bytes_of(head)).append(numbers);
  out.resize((out.size() + kUnit - 1) / kUnit * kUnit);
}

// An open file; closed with the object.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail("cannot be opened for writing");
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void cut(std::size_t size) const {
    if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail("cannot be cut");
  }
  void write(std::string_view bytes, std::size_t offset) const {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail("cannot be written");
      bytes.remove_prefix(static_cast<std::size_t>(written));
      offset += static_cast<std::size_t>(written);
    }
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw FileError(fmt::format("{}: {}: {}", path_, what, std::strerror(errno)));
  }

  std::string path_;
  int descriptor_;
};

}  // namespace

EmbeddingKey embedding_key(std::string_view kind, std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), hash_bytes(kind));
  return {hash.high64, hash.low64};
}

EmbeddingCache::EmbeddingCache(const std::string& folder, std::string_view model, std::size_t width,
                               std::uint64_t most_bytes)
    : model_(hash_combine(hash_combine(hash_bytes(model), hash_bytes(kVersion)), kRules)),
      width_(width),
      most_bytes_(most_bytes) {
  make_cache_folder(folder);
  path_ = (std::filesystem::path(folder) / fmt::format("vectors-{:016x}.cache", model_)).string();
  open();
}

std::string EmbeddingCache::head(std::uint64_t stamp) const {
  FileHead head{{}, model_, width_, stamp, 0};
  kMagic.copy(head.magic, kMagic.size());
  head.checksum = hash_bytes(bytes_of(head).substr(0, offsetof(FileHead, checksum)));
  return std::string(bytes_of(head));
}

// Nothing if this is no file of vectors of this model.
std::optional<std::uint64_t> EmbeddingCache::stamp_of(std::string_view file) const {
  if (file.size() < sizeof(FileHead)) return std::nullopt;
  FileHead found;
  std::memcpy(&found, file.data(), sizeof found);
  if (head(found.stamp) != bytes_of(found)) return std::nullopt;
  return found.stamp;
}

void EmbeddingCache::open() {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return;
  std::shared_ptr<const resource::MappedFile> file;
  if (is_file(path_)) file = std::make_shared<const resource::MappedFile>(path_);
  const auto stamp = file == nullptr ? std::nullopt : stamp_of(text_of(*file));
  if (!stamp) {
    problem_ = fmt::format("{}: is no file of vectors of this model; it is left aside and made anew", path_);
    return;
  }
  file_ = std::move(file);
  stamp_ = *stamp;
  seen_ = for_each_record(text_of(*file_), sizeof(FileHead), [&](std::string_view record) {
    records_.push_back({record_head(record.data()).key, record.data()});
  });
  std::ranges::sort(records_);
}

// The newest of that key; null if there is none, or it is damaged.
const char* EmbeddingCache::whole_record(const EmbeddingKey& key) const {
  const auto behind = std::ranges::upper_bound(records_, key, {}, &Place::key);
  if (behind == records_.begin() || std::prev(behind)->key != key) return nullptr;
  const char* record = std::prev(behind)->record;
  return is_whole(record) ? record : nullptr;
}

std::optional<Embedding> EmbeddingCache::find(const EmbeddingKey& key) const {
  const char* record = whole_record(key);
  if (record == nullptr) return std::nullopt;
  const RecordHead head = record_head(record);
  const auto* numbers = reinterpret_cast<const float*>(record + sizeof head);
  return Embedding{key, head.mark, head.size, {file_, numbers}};
}

void EmbeddingCache::add(std::span<const Embedding> embeddings) {
  const std::lock_guard guard(mutex_);
  std::string records;
  for (const Embedding& embedding : embeddings) {
    if (added_.contains(embedding.key) || whole_record(embedding.key) != nullptr) continue;
    added_.insert(embedding.key);
    append_record(embedding, records);
  }
  if (!records.empty()) append(records);
}

void EmbeddingCache::append(std::string_view records) {
  const FileLock lock(path_ + ".lock");
  if (!is_file(path_)) return replace({}, records);
  const resource::MappedFile now(path_);
  const std::string_view file = text_of(now);
  const auto stamp = stamp_of(file);
  if (!stamp) return replace({}, records);
  const bool seen = *stamp == stamp_ && seen_ <= file.size();
  const std::size_t end = for_each_record(file, seen ? seen_ : sizeof(FileHead), [](std::string_view) {});
  if (end + records.size() > most_bytes_)
    return replace(file.substr(sizeof(FileHead), end - sizeof(FileHead)), records);
  const OpenFile out(path_);
  if (end < file.size()) out.cut(end);
  out.write(records, end);
  stamp_ = *stamp;
  seen_ = end + records.size();
}

// `old` are records that were there.
void EmbeddingCache::replace(std::string_view old, std::string_view records) {
  const std::uint64_t most = most_bytes_ / kKeptDenominator * kKeptNumerator;
  std::vector<std::string_view> kept;
  for (const std::string_view part : {old, records})
    for_each_record(part, 0, [&](std::string_view record) { kept.push_back(record); });
  std::size_t size = sizeof(FileHead);
  auto first = kept.end();
  while (first != kept.begin() && size + std::prev(first)->size() <= most) size += (--first)->size();
  const std::uint64_t stamp = std::uint64_t{std::random_device()()} << 32 | std::random_device()();
  const SignalHold hold;
  UnfinishedFile file(path_);
  std::uint64_t end = 0;
  const auto put = [&](std::string_view bytes) {
    file.write(bytes, end);
    end += bytes.size();
  };
  put(head(stamp));
  for (; first != kept.end(); ++first) {
    if (is_whole(first->data())) put(*first);
  }
  file.publish(std::nullopt);
  stamp_ = stamp;
  seen_ = end;
}

}  // namespace capella::encoder
