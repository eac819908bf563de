#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "capella/error.h"

#include "base/file.h"
#include "resource/word_vectors_convert.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::resource {
namespace {

namespace fs = std::filesystem;
using test::message_of;

// Opens vectors with a home of their own.
class OpenVectors : public ::testing::Test {
 protected:
  OpenVectors() {
    if (const char* old = std::getenv("CAPELLA_HOME")) old_ = old;
    set_home(home_.path());
  }
  ~OpenVectors() override { old_ ? ::setenv("CAPELLA_HOME", old_->c_str(), 1) : ::unsetenv("CAPELLA_HOME"); }
  static void set_home(const fs::path& path) { ::setenv("CAPELLA_HOME", path.c_str(), 1); }

  std::unique_ptr<const WordVectors> open(const std::string& which) {
    return open_word_vectors(
        which, [this](std::string_view, std::size_t done, std::size_t) { conversions_ += done == 1; });
  }
  std::size_t kept() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(home_.path() / "vectors")) {
      count += entry.path().extension() == ".vectors" ? 1 : 0;
    }
    return count;
  }

  test::TempDir home_;
  test::TempDir folder_;
  std::optional<std::string> old_;
  int conversions_ = 0;
};

TEST_F(OpenVectors, ConvertsOnceAndThenMaps) {
  const std::string path = folder_.write("my.50d.txt", "dog 1 2\ncat 3 4\n");
  const auto first = open(path);
  EXPECT_TRUE(first->description().starts_with("my.50d(2x2,#")) << first->description();
  EXPECT_EQ(conversions_, 1);
  EXPECT_EQ(open(path)->description(), first->description());
  EXPECT_EQ(conversions_, 1);
  EXPECT_EQ(kept(), 1u);
}

TEST_F(OpenVectors, ConvertsAgainWhenTheFileChanged) {
  const std::string path = folder_.write("my.txt", "dog 1 2\ncat 3 4\n");
  open(path);
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  open(path);
  EXPECT_EQ(conversions_, 2);
  folder_.write("my.txt", "dog 1 2\ncat 3 4\ncow 5 6\n");
  EXPECT_EQ(open(path)->size(), 3u);
}

TEST_F(OpenVectors, ConvertsAgainWhenTheModificationTimeWasPutBack) {
  const std::string path = folder_.write("my.txt", "dog 1 2\n");
  const auto modified = fs::last_write_time(path);
  EXPECT_EQ(open(path)->word(0), "dog");
  std::this_thread::sleep_for(std::chrono::milliseconds(30));  // the clock of files has steps
  folder_.write("my.txt", "cat 1 2\n");
  fs::last_write_time(path, modified);
  EXPECT_EQ(open(path)->word(0), "cat");
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const std::string other = folder_.write("other.txt", "cow 1 2\n");
  fs::last_write_time(other, modified);
  fs::rename(other, path);
  EXPECT_EQ(open(path)->word(0), "cow");
}

TEST_F(OpenVectors, ConvertsAgainWhatChangesMeanwhile) {
  const std::string path = folder_.write("my.txt", "dog 1 2\n");
  int changes = 0;
  const auto change = [&](std::string_view, std::size_t done, std::size_t) {
    if (done == 1 && changes++ == 0) folder_.write("my.txt", "dog 1 2\ncat 3 4\n");
  };
  EXPECT_EQ(open_word_vectors(path, change)->size(), 2u);
  EXPECT_EQ(changes, 2);
  EXPECT_EQ(kept(), 1u);
}

TEST_F(OpenVectors, RefusesWhatKeepsChanging) {
  const std::string path = folder_.write("my.txt", "dog 1 2\n");
  std::string text = "dog 1 2\n";
  const auto change = [&](std::string_view, std::size_t done, std::size_t) {
    if (done == 1) folder_.write("my.txt", text += "\n");
  };
  EXPECT_EQ(message_of<FileError>([&] { open_word_vectors(path, change); }),
            path + ": changes while it is converted; wait until it is written, then try again");
  EXPECT_EQ(kept(), 0u);
}

TEST_F(OpenVectors, AdvisesToDeleteAKeptFileThatIsDamaged) {
  const std::string path = folder_.write("my.txt", "dog 1 2\n");
  open(path);
  for (const auto& entry : fs::directory_iterator(home_.path() / "vectors")) {
    if (entry.path().extension() != ".vectors") continue;
    const auto modified = fs::last_write_time(entry.path());
    std::string bytes = read_file_as_is(entry.path().string());
    const float numbers[] = {1, 2};
    const std::string_view row(reinterpret_cast<const char*>(numbers), sizeof numbers);
    ASSERT_NE(bytes.find(row), std::string::npos);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(bytes.data() + bytes.find(row), &nan, sizeof nan);
    write_file_atomically(entry.path().string(), bytes);
    fs::last_write_time(entry.path(), modified);  // so that checksums are not looked at
  }
  const auto vectors = open(path);
  std::vector<float> numbers(2);
  const std::string message = message_of<FileError>([&] { vectors->read(0, numbers); });
  EXPECT_TRUE(
      message.ends_with(": damaged: the word 'dog' has nan among its numbers, expected finite ones; "
                        "delete it, and it will be made again"))
      << message;
}

TEST_F(OpenVectors, TakesNamesOfAnyKind) {
  const std::string odd = folder_.write(
      "a|b(c)\n\x7F"
      "d.txt",
      "dog 1 2\n");
  EXPECT_TRUE(open(odd)->description().starts_with("a_b_c___d(1x2,#")) << open(odd)->description();
  std::string name;
  while (name.size() < 250) name += "\xC3\xA9";
  EXPECT_EQ(open(folder_.write(name, "dog 1 2\n"))->size(), 1u);
  EXPECT_EQ(kept(), 2u);
}

TEST_F(OpenVectors, ConvertsAgainWhatIsDamaged) {
  const std::string path = folder_.write("my.txt", "dog 1 2\ncat 3 4\n");
  open(path);
  for (const auto& entry : fs::directory_iterator(home_.path() / "vectors")) {
    if (entry.path().extension() == ".vectors") fs::resize_file(entry.path(), 100);
  }
  EXPECT_EQ(open(path)->size(), 2u);
  EXPECT_EQ(conversions_, 2);
}

TEST_F(OpenVectors, TellsFilesOfTheSameNameApart) {
  const std::string one = folder_.write("one/my.txt", "dog 1 2\n");
  const std::string other = folder_.write("other/my.txt", "cat 1 2\n");
  EXPECT_EQ(open(one)->word(0), "dog");
  EXPECT_EQ(open(other)->word(0), "cat");
}

TEST_F(OpenVectors, MapsWhatIsConverted) {
  const std::string made = (folder_.path() / "mine.vectors").string();
  convert_word_vectors(folder_.write("a.txt", "dog 1 2\n"), made, {});
  EXPECT_TRUE(open(made)->description().starts_with("mine(1x2,#"));
  EXPECT_FALSE(fs::exists(home_.path() / "vectors"));
}

TEST_F(OpenVectors, KnowsCaptions) {
  fs::create_directories(home_.path() / "models");
  convert_word_vectors(folder_.write("a.txt", "dog 1 2\n"),
                       (home_.path() / "models/captions.vectors").string(), {});
  EXPECT_TRUE(open("captions")->description().starts_with("captions(1x2,#"));
}

TEST_F(OpenVectors, ShippedForCaptionsKnowCaptions) {
  const auto vectors = open("captions");
  std::vector<float> dog(vectors->dimensions());
  std::vector<float> other(vectors->dimensions());
  vectors->read(vectors->find("dog"), dog);
  const auto similarity = [&](const char* word) {
    vectors->read(vectors->find(word), other);
    float product = 0;
    for (std::size_t i = 0; i < dog.size(); ++i) product += dog[i] * other[i];
    return product;
  };
  EXPECT_NEAR(similarity("dog"), 1, 0.01);
  EXPECT_GT(similarity("puppy"), similarity("pizza") + 0.2);
  EXPECT_GT(similarity("dogs"), similarity("airplane") + 0.2);
  vectors->check_content();
}

TEST_F(OpenVectors, MayBeDoneByManyAtOnce) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "word" + std::to_string(i) + " 0.25 0.5 0.75\n";
  const std::string path = folder_.write("my.txt", text);
  std::vector<std::thread> threads;
  std::vector<std::string> found(4);
  std::atomic<int> conversions = 0;
  for (std::string& description : found) {
    threads.emplace_back([&] {
      description = open_word_vectors(path, [&](std::string_view, std::size_t done, std::size_t) {
                      conversions += done == 1;
                    })->description();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(conversions, 1);
  for (const std::string& description : found) EXPECT_EQ(description, found[0]);
}

TEST_F(OpenVectors, SaysWhatToDoIfTheHomeCannotBeWritten) {
  const std::string path = folder_.write("my.txt", "dog 1 2\n");
  set_home(folder_.write("file", ""));
  const std::string message = message_of<FileError>([&] { open(path); });
  EXPECT_NE(message.find("set CAPELLA_HOME"), std::string::npos) << message;
  EXPECT_NE(message.find("capella data vectors FILE -o OUT.vectors"), std::string::npos) << message;
}

TEST_F(OpenVectors, SaysWhatIsNotThere) {
  EXPECT_EQ(message_of<FileError>([&] { open("captoins"); }),
            "captoins: no such file; give 'captions' or the path of a file of word vectors");
  const std::string folder = folder_.path().string();
  EXPECT_EQ(message_of<FileError>([&] { open(folder); }),
            folder + ": is a folder, expected a file of word vectors");
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(message_of<FileError>([&] { open(pipe); }),
            pipe + ": is a pipe or a device, expected a file of word vectors; write them to a file first");
  const std::string loop = (folder_.path() / "loop").string();
  fs::create_symlink(loop, loop);
  EXPECT_EQ(message_of<FileError>([&] { open(loop); }),
            loop + ": cannot be opened: Too many levels of symbolic links");
}

}  // namespace
}  // namespace capella::resource
