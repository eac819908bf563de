"""Fails on an include that points against the flow of the layers.

The order is that of the root CMakeLists.txt. A layer may include itself, the layers before it and the public headers.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"/]+)/', re.MULTILINE)


def layer_order() -> list[str]:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.findall(r"add_subdirectory\(src/(\w+)\)", text)


def wrong_includes(order: list[str]) -> list[str]:
    found = []
    for position, layer in enumerate(order):
        allowed = set(order[: position + 1])
        for path in sorted((ROOT / "src" / layer).rglob("*")):
            if path.suffix not in {".h", ".cc"}:
                continue
            for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                if name != "capella" and name not in allowed:
                    found.append(f"{path.relative_to(ROOT)}: {layer} may not include {name}/")
    return found


def wrong_plugin_includes() -> list[str]:
    """The plug-in is built alone on machines that lack most libraries: it knows these layers' headers and no others."""
    allowed = {"capella", "torch", "tensor", "encoder", "method", "io", "ATen", "c10"}
    tests = ROOT / "torch" / "tests"
    found = []
    for path in sorted((ROOT / "torch").rglob("*.*")):
        if path.suffix in {".h", ".cc"} and tests not in path.parents:
            names = set(INCLUDE.findall(path.read_text(encoding="utf-8"))) - allowed
            found += [f"{path.relative_to(ROOT)}: the plug-in may not include {name}/" for name in sorted(names)]
    return found


def unlisted_layers(order: list[str]) -> list[str]:
    folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
    return [f"src/{name} is not in the root CMakeLists.txt" for name in sorted(folders - set(order))]


def main() -> int:
    order = layer_order()
    problems = wrong_includes(order) + wrong_plugin_includes() + unlisted_layers(order)
    print("\n".join(problems) or f"layers: {' -> '.join(order)}: every include points back")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
