"""Fails on things that drift apart unseen: metrics without a documentation page, links to nowhere, paths of one machine,
test files of one name, runs at a level of tests that are gone."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEST_LIST = ROOT / "tests/CMakeLists.txt"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
METRIC_LISTS = ["src/metric/list.cc", "src/method/composite/presets.cc"]  # one page may serve several metrics
UNHEARD_PROPERTY = re.compile(r"^\s*rc::check\(")
MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(?:home|root|Users)/\w")


def tracked(*patterns: str) -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def undocumented_metrics() -> list[str]:
    lists = [(ROOT / file).read_text(encoding="utf-8") for file in METRIC_LISTS]
    rows = [name for text in lists for name in re.findall(r'^\s*\{"([\w-]+)",', text, re.MULTILINE)]
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/metrics").glob("*.md"))
    return [f"docs/metrics: no page mentions `{name}`" for name in rows if f"`{name}`" not in pages]


def broken_links() -> list[str]:
    broken = []
    for page in tracked("*.md"):
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: link to {target}, which does not exist")
    return broken


def machine_paths() -> list[str]:
    found = []
    for path in tracked("*.md", "*.h", "*.cc", "*.py", "*.txt", "*.cmake", "run", ".ci/run"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if MACHINE_PATH.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: a path of one machine")
    return found


def unheard_properties() -> list[str]:
    """rc::check only returns what it found: a test that drops it cannot fail."""
    found = []
    for path in tracked("tests/*.cc", "tests/*.h"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if UNHEARD_PROPERTY.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: the result of rc::check is dropped; write EXPECT_TRUE(rc::check(...))")
    return found


def tests_of_one_name() -> list[str]:
    """pytest imports test files by their names alone."""
    files: dict[str, list[str]] = {}
    for path in tracked("python/tests/test_*.py", "tests/cli/test_*.py"):
        files.setdefault(path.name, []).append(str(path.relative_to(ROOT)))
    return [f"{' and '.join(paths)}: two test files of one name" for paths in files.values() if len(paths) > 1]


def suites_that_are_gone() -> list[str]:
    """GoogleTest passes where a filter matches nothing."""
    lists = re.findall(r"^capella_run_test_at_levels\(\w+ .*?SUITES (.*?)\)", TEST_LIST.read_text(), re.MULTILINE | re.DOTALL)
    listed = {name.removeprefix("All/") for names in lists for name in names.split()}
    text = "\n".join(path.read_text(encoding="utf-8") for path in tracked("tests/*.cc", "tests/*.h"))
    written = set(re.findall(r"\bTEST(?:_[FP])?\((\w+),", text)) | set(re.findall(r"RC_GTEST_(?:FIXTURE_)?PROP\((\w+),", text))
    return [f"{TEST_LIST.relative_to(ROOT)}: no test is of the suite {name}" for name in sorted(listed - written)]


def main() -> int:
    problems = undocumented_metrics() + broken_links() + machine_paths() + unheard_properties() + tests_of_one_name()
    problems += suites_that_are_gone()
    print("\n".join(problems) or "repository: metrics documented, links whole")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
