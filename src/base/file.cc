#include "base/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <zlib.h>

#include "capella/error.h"

#include "base/unfinished_file.h"

namespace capella {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail_on_file(const std::string& path, std::string_view what) {
  throw FileError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

// `expected` is a guess at the size that saves copying.
std::string read_stream(std::FILE* file, const std::string& path, std::size_t expected) {
  constexpr std::size_t kStep = 1 << 18;
  std::string content;
  content.reserve(expected + kStep);
  std::size_t got = 0;
  do {
    const std::size_t used = content.size();
    content.resize(used + kStep);
    got = std::fread(content.data() + used, 1, kStep, file);
    content.resize(used + got);
  } while (got > 0);
  if (std::ferror(file)) fail_on_file(path, "cannot be read");
  return content;
}

bool is_gzip(std::string_view content) {
  return content.size() > 2 && content[0] == '\x1f' && content[1] == '\x8b';
}

// A guess at the unpacked size that saves copying: what the last member says, if that is likely.
std::size_t expected_size(std::string_view packed) {
  constexpr std::size_t kLikelyFactor = 16;
  std::uint32_t said = 0;
  if (packed.size() >= sizeof said)
    std::memcpy(&said, packed.data() + packed.size() - sizeof said, sizeof said);
  return std::min<std::size_t>(said, packed.size() * kLikelyFactor);
}

void write_all(std::FILE* file, std::string_view content, const std::string& path) {
  if (std::fwrite(content.data(), 1, content.size(), file) != content.size() || std::fflush(file) != 0) {
    fail_on_file(path, "cannot be written");
  }
}

}  // namespace

std::string gunzip(std::string_view packed, const std::string& path) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw FileError(path + ": zlib cannot start");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> guard(&stream, inflateEnd);
  std::string out;
  out.reserve(expected_size(packed));
  char buffer[1 << 16];
  std::size_t offset = 0;
  int status = Z_OK;
  while (offset < packed.size()) {
    if (status == Z_STREAM_END) inflateReset(&stream);
    const std::size_t step = std::min<std::size_t>(packed.size() - offset, 1u << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + offset));
    stream.avail_in = static_cast<uInt>(step);
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer);
      stream.avail_out = sizeof buffer;
      status = inflate(&stream, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        throw FileError(fmt::format("{}: damaged gzip data after {} bytes; fetch or pack the file again",
                                    path, out.size()));
      }
      out.append(buffer, sizeof buffer - stream.avail_out);
    } while (stream.avail_out == 0 && status != Z_STREAM_END);
    offset += step - stream.avail_in;
    const bool only_padding = packed.find_first_not_of('\0', offset) == std::string_view::npos;
    if (status == Z_STREAM_END && only_padding) break;
  }
  if (status != Z_STREAM_END)
    throw FileError(path + ": the gzip data ends too early; fetch or pack the file again");
  return out;
}

std::string read_file_as_is(const std::string& path) {
  if (path == "-") return read_stream(stdin, "standard input", 0);
  std::error_code unknown;  // fopen then says what is wrong
  if (std::filesystem::is_directory(path, unknown)) throw FileError(path + ": is a folder, expected a file");
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) fail_on_file(path, "cannot be opened");
  std::error_code no_size;
  const auto size = std::filesystem::file_size(path, no_size);
  return read_stream(file.get(), path, no_size ? 0 : static_cast<std::size_t>(size));
}

std::string read_file(const std::string& path) {
  std::string content = read_file_as_is(path);
  return is_gzip(content) ? gunzip(content, path) : content;
}

void write_file_atomically(const std::string& named, std::string_view content,
                           std::optional<std::chrono::sys_seconds> modified) {
  namespace fs = std::filesystem;
  if (named == "-" || named == "/dev/stdout") return write_all(stdout, content, "standard output");
  std::error_code unknown;  // whoever opens it then says what is wrong
  const bool stream = named.starts_with("/dev/") || named.starts_with("/proc/") ||
                      (fs::exists(named, unknown) && !fs::is_regular_file(named, unknown));
  if (stream) {
    const File file(std::fopen(named.c_str(), "ab"));
    if (!file) fail_on_file(named, "cannot be opened for writing");
    return write_all(file.get(), content, named);
  }
  const SignalHold hold;
  UnfinishedFile file(named);
  file.write(content, 0);
  file.publish(modified);
}

std::vector<std::string> write_into_folder(const std::string& folder, std::span<const NamedContent> files) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw FileError(fmt::format("{}: cannot make the folder: {}", folder, problem.message()));
  std::vector<std::string> paths;
  for (const NamedContent& file : files) {
    paths.push_back((std::filesystem::path(folder) / file.name).string());
    write_file_atomically(paths.back(), file.content);
  }
  return paths;
}

}  // namespace capella
