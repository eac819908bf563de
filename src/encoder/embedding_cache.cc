#include "encoder/embedding_cache.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capella/error.h"
#include "capella/version.h"

#include "base/cache_folder.h"
#include "base/hash.h"
#include "base/unfinished_file.h"

namespace capella::encoder {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::string_view kMagic = "capella vectors 1\n";
constexpr std::size_t kHead = 64;
// To be raised whenever encoders, tokenizers or the preparation of pictures change within a version of
// Capella.
constexpr std::uint64_t kRules = 1;
// A file that is too large shrinks to this share of what is allowed, so that it is not replaced at every run.
constexpr std::uint64_t kKeptNumerator = 3;
constexpr std::uint64_t kKeptDenominator = 4;

// A record begins so; the numbers follow.
struct RecordHead {
  std::uint64_t checksum;  // of all that follows
  EmbeddingKey key;
  std::uint64_t mark;
};
static_assert(sizeof(RecordHead) == 4 * sizeof(std::uint64_t));

// Not a folder, and nothing that would be waited for, such as a pipe.
bool is_file(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(path, unknown);
}

RecordHead record_head(const char* record) {
  RecordHead head;
  std::memcpy(&head, record, sizeof head);
  return head;
}

std::string_view checked_part(const char* record, std::size_t size) {
  return std::string_view(record, size).substr(sizeof(RecordHead::checksum));
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

std::string EmbeddingCache::head() const {
  std::string head(kMagic);
  head.resize(kHead - 3 * sizeof(std::uint64_t), ' ');
  const std::uint64_t about[] = {model_, width_};
  head.append(reinterpret_cast<const char*>(about), sizeof about);
  const std::uint64_t checksum = hash_bytes(head);
  return head.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
}

bool EmbeddingCache::is_head(std::span<const std::byte> bytes) const {
  return bytes.size() >= kHead && std::memcmp(bytes.data(), head().data(), kHead) == 0;
}

void EmbeddingCache::open() {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return;
  std::unique_ptr<const resource::MappedFile> file;
  if (is_file(path_)) file = std::make_unique<const resource::MappedFile>(path_);
  if (file == nullptr || !is_head(file->bytes())) {
    problem_ = fmt::format("{}: is no file of vectors of this model; it is left aside and made anew", path_);
    return;
  }
  file_ = std::move(file);
  const std::size_t count = (file_->bytes().size() - kHead) / record_size();
  records_.reserve(count);
  const char* record = reinterpret_cast<const char*>(file_->bytes().data()) + kHead;
  for (std::size_t i = 0; i < count; ++i, record += record_size())
    records_.push_back({record_head(record).key, record});
  std::ranges::stable_sort(records_, {}, &Place::key);
}

bool EmbeddingCache::is_whole(const char* record) const {
  return record_head(record).checksum == hash_bytes(checked_part(record, record_size()));
}

// The newest of that key; null if there is none, or it is damaged.
const char* EmbeddingCache::whole_record(const EmbeddingKey& key) const {
  const auto behind = std::ranges::upper_bound(records_, key, {}, &Place::key);
  if (behind == records_.begin() || std::prev(behind)->key != key) return nullptr;
  const char* record = std::prev(behind)->record;
  return is_whole(record) ? record : nullptr;
}

std::optional<std::uint64_t> EmbeddingCache::find(const EmbeddingKey& key, float* out) const {
  const char* record = whole_record(key);
  if (record == nullptr) return std::nullopt;
  std::memcpy(out, record + sizeof(RecordHead), width_ * sizeof(float));
  return record_head(record).mark;
}

std::string EmbeddingCache::record_of(const Embedding& embedding) const {
  std::string record(record_size(), '\0');
  RecordHead head{0, embedding.key, embedding.mark};
  std::memcpy(record.data(), &head, sizeof head);
  std::memcpy(record.data() + sizeof head, embedding.vector, width_ * sizeof(float));
  head.checksum = hash_bytes(checked_part(record.data(), record.size()));
  std::memcpy(record.data(), &head.checksum, sizeof head.checksum);
  return record;
}

void EmbeddingCache::add(std::span<const Embedding> embeddings) {
  const std::lock_guard guard(mutex_);
  std::string records;
  for (const Embedding& embedding : embeddings) {
    if (whole_record(embedding.key) != nullptr) continue;
    if (added_.insert(embedding.key).second) records += record_of(embedding);
  }
  if (!records.empty()) append(records);
}

void EmbeddingCache::append(const std::string& records) const {
  const FileLock lock(path_ + ".lock");
  if (!is_file(path_)) return replace({}, records);
  const resource::MappedFile now(path_);
  if (!is_head(now.bytes())) return replace({}, records);
  const std::size_t whole = now.bytes().size() - (now.bytes().size() - kHead) % record_size();
  if (whole + records.size() > most_bytes_) return replace(now.bytes().first(whole).subspan(kHead), records);
  const OpenFile file(path_);
  if (whole < now.bytes().size()) file.cut(whole);
  file.write(records, whole);
}

// `old` are whole records that were there.
void EmbeddingCache::replace(std::span<const std::byte> old, std::string_view records) const {
  const std::uint64_t wanted = most_bytes_ / kKeptDenominator * kKeptNumerator;
  const std::uint64_t room = wanted > kHead ? wanted - kHead : 0;
  const std::size_t most = static_cast<std::size_t>(room) / record_size() * record_size();
  if (records.size() > most) records.remove_prefix(records.size() - most);
  const std::size_t kept = std::min(most - records.size(), old.size());
  const SignalHold hold;
  UnfinishedFile file(path_);
  std::uint64_t end = 0;
  const auto put = [&](std::string_view bytes) {
    file.write(bytes, end);
    end += bytes.size();
  };
  put(head());
  const char* record = reinterpret_cast<const char*>(old.data()) + (old.size() - kept);
  for (std::size_t at = 0; at < kept; at += record_size(), record += record_size()) {
    if (is_whole(record)) put({record, record_size()});
  }
  put(records);
  file.publish(std::nullopt);
}

}  // namespace capella::encoder
