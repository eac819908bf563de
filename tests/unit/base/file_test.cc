#include "base/file.h"

#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "capella/error.h"

#include "base/unfinished_file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::TempDir;

std::string gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// While it lives, no file may grow beyond `bytes`: what a full disk does to a program.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit small{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

std::size_t files_in(const TempDir& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

TEST(ReadFile, GivesBackEveryByte) {
  const TempDir folder;
  const std::string content = std::string("a\0b\r\n\xFF", 6) + std::string(1'000'000, 'x');
  EXPECT_EQ(read_file(folder.write("file", content)), content);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
}

TEST(ReadFile, UnpacksGzipWhateverItsName) {
  const TempDir folder;
  const std::string text(300'000, 'y');
  EXPECT_EQ(read_file(folder.write("text.json", gzip(text))), text);
  EXPECT_EQ(read_file(folder.write("empty.gz", gzip(""))), "");
}

TEST(ReadFile, LeavesGzipPackedIfAsked) {
  const TempDir folder;
  const std::string packed = gzip("text");
  EXPECT_EQ(read_file_as_is(folder.write("text.gz", packed)), packed);
  EXPECT_EQ(gunzip(packed, "text.gz"), "text");
}

TEST(ReadFile, JoinsTheMembersOfAGzipFile) {
  const TempDir folder;
  EXPECT_EQ(read_file(folder.write("three.gz", gzip("one ") + gzip("two ") + gzip("three"))),
            "one two three");
}

TEST(ReadFile, SaysThatGzipDataEndsTooEarly) {
  const TempDir folder;
  const std::string packed = gzip("some captions that are packed");
  for (const std::size_t cut : {4u, 12u, 20u, static_cast<unsigned>(packed.size()) - 1}) {
    const std::string path = folder.write("cut.gz", std::string_view(packed).substr(0, cut));
    EXPECT_NE(message_of<FileError>([&] { read_file(path); }).find("ends too early"), std::string::npos)
        << cut;
  }
}

TEST(ReadFile, SaysThatGzipDataIsDamaged) {
  const TempDir folder;
  std::string packed = gzip("some captions that are packed");
  packed[packed.size() - 6] ^= 1;  // in the checksum
  const std::string path = folder.write("damaged.gz", packed);
  EXPECT_NE(message_of<FileError>([&] { read_file(path); }).find(path + ": damaged gzip data"),
            std::string::npos);
}

TEST(ReadFile, NamesTheFileItCannotRead) {
  const TempDir folder;
  const std::string missing = (folder.path() / "missing.json").string();
  EXPECT_EQ(message_of<FileError>([&] { read_file(missing); }),
            missing + ": cannot be opened: No such file or directory");
  const std::string itself = folder.path().string();
  EXPECT_EQ(message_of<FileError>([&] { read_file(itself); }), itself + ": is a folder, expected a file");
}

TEST(WriteFile, ReplacesTheOldContentAndLeavesNothingElse) {
  const TempDir folder;
  const std::string path = folder.write("result.json", "old and longer");
  write_file_atomically(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(WriteFile, GivesTheFileAModificationTimeIfAsked) {
  const TempDir folder;
  const std::string path = (folder.path() / "data").string();
  const auto time = std::chrono::sys_seconds(std::chrono::seconds(1'234'567'890));
  write_file_atomically(path, "new", time);
  EXPECT_EQ(std::chrono::file_clock::to_sys(fs::last_write_time(path)), time);
}

TEST(WriteFile, KeepsTheOldContentWhenTheDiskIsFull) {
  const TempDir folder;
  const std::string path = folder.write("result.json", "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_NE(message_of<FileError>([&] {
                write_file_atomically(path, std::string(5000, 'x'));
              }).find(path + ": cannot be written"),
              std::string::npos);
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(WriteFile, ReplacesWhatALinkPointsTo) {
  const TempDir folder;
  fs::create_directory(folder.path() / "inner");
  const std::string link = (folder.path() / "link").string();
  fs::create_symlink("inner/result.json", link);  // which is not there yet
  for (const char* content : {"new", "newer"}) {
    write_file_atomically(link, content);
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(read_file((folder.path() / "inner/result.json").string()), content);
  }
  const std::string loop = (folder.path() / "loop").string();
  fs::create_symlink(loop, loop);
  EXPECT_EQ(message_of<FileError>([&] { write_file_atomically(loop, "x"); }),
            loop + ": cannot be opened for writing: Too many levels of symbolic links");
}

TEST(WriteFile, KeepsThePermissionsOfTheOldFile) {
  const TempDir folder;
  const std::string path = folder.write("result.json", "old");
  const auto own = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(path, own);
  write_file_atomically(path, "new");
  EXPECT_EQ(fs::status(path).permissions(), own);
}

TEST(WriteFile, NamesTheFileItCannotWrite) {
  const TempDir folder;
  const std::string path = (folder.path() / "no-such-folder" / "result.json").string();
  EXPECT_EQ(message_of<FileError>([&] { write_file_atomically(path, "x"); }),
            path + ": cannot be opened for writing: No such file or directory");
  EXPECT_THROW(write_file_atomically(folder.path().string(), "x"), FileError);
  EXPECT_EQ(files_in(folder), 0u);
}

// A name longer than file systems allow is an error like any other.
TEST(Files, NamesThatAreTooLongAreFileErrors) {
  const std::string name(5000, 'n');
  EXPECT_THROW(read_file(name), FileError);
  EXPECT_THROW(write_file_atomically(name, "x"), FileError);
}

TEST(WriteFile, WritesStraightToWhatIsNoRegularFile) {
  write_file_atomically("/dev/null", "x");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  EXPECT_THROW(write_file_atomically("/dev/full", "x"), FileError);
}

// Where a file system knows files without names, as all usual ones of Linux do.
TEST(UnfinishedFile, AKilledProcessLeavesNothing) {
  const TempDir folder;
  const int nameless = ::open(folder.path().c_str(), O_TMPFILE | O_RDWR, 0600);
  if (nameless < 0) GTEST_SKIP() << "no files without names here";
  ::close(nameless);
  EXPECT_EXIT(
      {
        UnfinishedFile file((folder.path() / "killed").string());
        file.write("half", 0);
        std::raise(SIGKILL);
      },
      ::testing::KilledBySignal(SIGKILL), "");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace capella
