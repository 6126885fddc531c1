"""The types say what there is."""

import importlib.util
import subprocess
import sys

import pytest


def test_stubs_are_those_of_the_module(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    # What is private, and what pyo3 gives every class.
    allowed = tmp_path / "allowed"
    allowed.write_text(r"surefoot\._surefoot\..*\._.*" + "\n" + r"surefoot\._surefoot\.__all__" + "\n")
    command = [sys.executable, "-m", "mypy.stubtest", "surefoot._surefoot", "--allowlist", str(allowed)]
    done = subprocess.run([*command, "--ignore-unused-allowlist"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_program_with_types_is_accepted(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    program = tmp_path / "program.py"
    program.write_text(
        "import numpy as np\nimport surefoot\n"
        "map = surefoot.Map(np.ones((3, 4), dtype=bool))\n"
        "cost: float | None = map.navigator().cost((0, 0), (3, 2))\n"
        "path = map.navigator().path((0, 0), (3, 2))\n"
        "cells: str = path.cells if path else ''  # wrong\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)], capture_output=True, text=True, cwd=tmp_path
    )
    assert "program.py:6" in done.stdout and done.stdout.count("error:") == 1, done.stdout
