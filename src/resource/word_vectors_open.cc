#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capella/error.h"

#include "base/hash.h"
#include "resource/find.h"
#include "resource/mapped_file.h"
#include "resource/word_vectors_convert.h"

namespace capella::resource {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOwn = "captions";

[[noreturn]] void fail(const fs::path& path, std::string_view what, std::string_view reason) {
  throw FileError(fmt::format(
      "{}: {}: {}; set CAPELLA_HOME to a folder that can be written, or convert the vectors with: "
      "capella data vectors FILE -o OUT.vectors",
      path.string(), what, reason));
}

// Held by the one process that converts. The file stays: the lock is on it, not its being there.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail(path, "cannot be opened", std::strerror(errno));
    int status = 0;
    while ((status = ::flock(descriptor_, LOCK_EX)) != 0 && errno == EINTR) {
    }
    if (status == 0) return;
    const int reason = errno;
    ::close(descriptor_);
    fail(path, "cannot be locked", std::strerror(reason));
  }
  ~FolderLock() { ::close(descriptor_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

// "glove.840B.300d" of "/data/glove.840B.300d.txt.gz". What signatures are cut at becomes "_".
std::string name_of(const fs::path& path) {
  const fs::path file = path.filename();
  std::string name = (file.extension() == ".gz" ? file.stem() : file).stem().string();
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7F || std::string_view("|()").find(c) != std::string_view::npos) c = '_';
  }
  return name;
}

// At most so many bytes, cut between characters.
std::string shortened(std::string text, std::size_t longest) {
  if (text.size() <= longest) return text;
  const auto inside = [&] { return (static_cast<unsigned char>(text[longest]) & 0xC0) == 0x80; };
  while (longest > 0 && inside()) --longest;
  text.resize(longest);
  return text;
}

bool is_converted(const std::string& path) {
  constexpr std::string_view kMagic = "CAPDATA\n";
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

[[noreturn]] void fail_to_open(const std::string& path) {
  throw FileError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
}

// Where the converted file lies; another place when the source is another or has changed. Whatever changes a
// file changes the time that ctime holds, even where its size and modification time are put back.
fs::path kept_path(const std::string& source) {
  constexpr std::size_t kLongestName = 150;  // file systems allow 255 bytes
  struct stat status {};
  if (::stat(source.c_str(), &status) != 0) fail_to_open(source);
  std::error_code unknown;
  const fs::path meant = fs::canonical(source, unknown);
  std::uint64_t hash = hash_bytes(unknown ? source : meant.string());
  for (const auto number :
       {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
        static_cast<std::uint64_t>(status.st_size), static_cast<std::uint64_t>(status.st_mtim.tv_sec),
        static_cast<std::uint64_t>(status.st_mtim.tv_nsec), static_cast<std::uint64_t>(status.st_ctim.tv_sec),
        static_cast<std::uint64_t>(status.st_ctim.tv_nsec)}) {
    hash = hash_combine(hash, number);
  }
  return fs::path(home()) / "vectors" /
         fmt::format("{}-{:016x}.vectors", shortened(name_of(source), kLongestName), hash);
}

std::unique_ptr<const WordVectors> open_made(const fs::path& path, const std::string& name) {
  return std::make_unique<const WordVectors>(path.string(), name, "delete it, and it will be made again");
}

// Nothing if the file is not there, or is damaged or of another version and so to be made again.
std::unique_ptr<const WordVectors> open_kept(const fs::path& path, const std::string& name) {
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return nullptr;
  try {
    return open_made(path, name);
  } catch (const FileError&) {
    return nullptr;
  }
}

// Makes the file at kept_path(source). A source that changes meanwhile is converted again.
fs::path convert_unchanged(const std::string& source, const Progress& progress) {
  constexpr int kTrials = 3;
  for (int trial = 0; trial < kTrials; ++trial) {
    const fs::path kept = kept_path(source);
    convert_word_vectors(source, kept.string(), {.progress = progress});
    if (kept_path(source) == kept) return kept;
    std::error_code ignored;
    fs::remove(kept, ignored);
  }
  throw FileError(source + ": changes while it is converted; wait until it is written, then try again");
}

std::unique_ptr<const WordVectors> convert_once(const std::string& source, const Progress& progress) {
  const std::string name = name_of(source);
  const fs::path kept = kept_path(source);
  if (auto vectors = open_kept(kept, name)) return vectors;
  std::error_code problem;
  fs::create_directories(kept.parent_path(), problem);
  if (problem) fail(kept.parent_path(), "cannot make the folder", problem.message());
  const FolderLock lock(kept.parent_path() / ".lock");
  if (auto vectors = open_kept(kept, name)) return vectors;  // another process made it while this one waited
  return open_made(convert_unchanged(source, progress), name);
}

}  // namespace

std::unique_ptr<const WordVectors> open_word_vectors(const std::string& which, const Progress& progress) {
  if (which == kOwn) {
    return std::make_unique<const WordVectors>(need("models/captions.vectors"), std::string(kOwn));
  }
  struct stat status {};
  if (::stat(which.c_str(), &status) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) fail_to_open(which);
    throw FileError(
        fmt::format("{}: no such file; give '{}' or the path of a file of word vectors", which, kOwn));
  }
  if (S_ISDIR(status.st_mode)) throw FileError(which + ": is a folder, expected a file of word vectors");
  if (!S_ISREG(status.st_mode)) {
    throw FileError(which +
                    ": is a pipe or a device, expected a file of word vectors; write them to a file first");
  }
  if (is_converted(which)) return std::make_unique<const WordVectors>(which, name_of(which));
  return convert_once(which, progress);
}

}  // namespace capella::resource
