#!/usr/bin/env python3
"""Write expected.json: what reference programs and formulas of their own give for the example data.

    python3 -m venv venv
    venv/bin/pip install 'cython<3' setuptools wheel numpy==1.26.4
    venv/bin/pip install --no-build-isolation -r examples/expected/requirements.txt
    venv/bin/python examples/make_expected.py               # all but what needs the official SPICE program
    venv/bin/python examples/make_expected.py logic pregen  # these parts alone; the other rows stay
    venv/bin/python examples/make_expected.py --jars DIR    # all; expected/trees.py says which files DIR holds

Needs Java 17 on the PATH: pycocoevalcap's tokenizer, METEOR and SPICE are Java programs. No number comes from Capella.
A second run on the same machine writes the same bytes.
"""

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

EXPECTED = Path(__file__).resolve().parent / "expected.json"
PARTS = ("captions", "trees", "words", "encoders", "deneb", "clip", "composite", "logic", "pregen")


def text_of(parts: dict[str, list[dict[str, Any]]]) -> str:
    """One line per item of a row."""
    lines = []
    for part, rows in parts.items():
        checks = []
        for row in rows:
            fields = [
                f"      {json.dumps(key)}: {json.dumps(value)}"
                for key, value in row.items()
                if key != "values"
            ]
            items = [
                f"        {json.dumps(item)}: {json.dumps(scores)}" for item, scores in row["values"].items()
            ]
            fields.append('      "values": {\n' + ",\n".join(items) + "\n      }")
            checks.append("    {\n" + ",\n".join(fields) + "\n    }")
        lines.append(f"  {json.dumps(part)}: [\n" + ",\n".join(checks) + "\n  ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def plain(value: Any) -> Any:
    """Numbers without an infinity, which JSON has no word for."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return "inf" if value == float("inf") else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--jars", type=Path, help="folder of the official SPICE program's libraries")
    options = parser.parse_args()
    wanted = options.parts or [part for part in PARTS if part != "trees" or options.jars]
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"found {', '.join(unknown)}, expected some of {', '.join(PARTS)}")
    if "trees" in wanted and not options.jars:
        parser.error("trees needs --jars DIR; see expected/trees.py")
    for part in wanted:
        print(part, file=sys.stderr)
        module = importlib.import_module(f"expected.{part}")
        rows = module.checks(options.jars) if part == "trees" else module.checks()
        found = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}
        found[part] = [row | {"values": plain(row["values"])} for row in rows]
        EXPECTED.write_text(text_of({name: found[name] for name in PARTS if name in found}), encoding="utf-8")


if __name__ == "__main__":
    main()
