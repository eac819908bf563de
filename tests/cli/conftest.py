"""Fixtures of the command line tests."""

import json
import os
import subprocess

import pytest

from program import CAPTIONS, PROGRAM, REFERENCES, Run


@pytest.fixture
def capella(tmp_path):
    """Calls the program in the test's folder."""

    def call(*arguments, stdin=b"", env=None, timeout=120):
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            timeout=timeout,
            env={**os.environ, **(env or {})},
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"), done.stdout)

    return call


@pytest.fixture
def write(tmp_path):
    """Writes a file: JSON unless the content is text or bytes."""

    def put(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return put


@pytest.fixture
def small(write):
    """refs.json and hyps.json of three items."""
    write("refs.json", REFERENCES)
    write("hyps.json", CAPTIONS)
