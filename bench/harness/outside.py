"""Programs that cannot be installed as packages: whoever has built one says where it is."""

import argparse
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outside:
    name: str  # for people
    option: str  # "--alchemy"
    variable: str  # of the environment, where the option is not given
    files: tuple[str, ...]  # that must be in the folder; the first may be named itself
    home: str  # where its source and its way to be built are described


class OutsidePrograms:
    def __init__(self, *programs: Outside) -> None:
        self._programs = programs
        self._folders: dict[str, Path] = {}

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        for one in self._programs:
            parser.add_argument(
                one.option,
                metavar="PATH",
                default=os.environ.get(one.variable),
                help=f"folder of {one.name}'s {' and '.join(one.files)} (or {one.variable}); see {one.home}",
            )

    def read_options(self, given: argparse.Namespace) -> None:
        """What is named must be there; what is not named is left out, and a line says so."""
        for one in self._programs:
            path = getattr(given, one.option.lstrip("-").replace("-", "_"))
            if path is None:
                print(
                    f"{one.name} is left out: build it from {one.home}, then name the folder with "
                    f"{' and '.join(one.files)} by {one.option} or {one.variable}",
                    file=sys.stderr,
                )
                continue
            folder = Path(path).resolve()
            folder = folder if folder.is_dir() else folder.parent
            if missing := [name for name in one.files if not shutil.which(folder / name)]:
                raise SystemExit(f"{one.option}: there is no program {' or '.join(missing)} in {folder}")
            self._folders[one.name] = folder

    def folder(self, name: str) -> Path | None:
        return self._folders.get(name)
