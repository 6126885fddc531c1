"""The first program that a reader runs."""

import importlib.util
import os
import pathlib
import re
import struct
import subprocess
import sys

import pytest

EXAMPLE = pathlib.Path(__file__).parent.parent / "examples" / "first_picture.py"


def run(folder, **environment):
    """Runs the example in a folder, and gives what it prints."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLE)],
        cwd=folder,
        env=os.environ | {"MPLBACKEND": "Agg"} | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def size_of_png(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert data[12:16] == b"IHDR"
    return struct.unpack(">II", data[16:24])


def check_words(words, picture):
    assert re.search(r"^beacon\*: 138 moves, suboptimality 0\.0 %", words, re.MULTILINE), words
    poor = re.search(r"^lrta\*\(d=3\): [\d,]+ moves, suboptimality ([\d.]+) %", words, re.MULTILINE)
    assert float(poor[1]) > 0
    cost, rate = re.search(r"cost ([\d.]+)$", words, re.MULTILINE), re.search(r"([\d,]+) a second", words)
    assert float(cost[1]) >= 115 - 18
    assert "100,000 costs" in words
    assert int(rate[1].replace(",", "")) > 0
    assert words.splitlines()[-1] == f"The picture is {picture.resolve()}"


def test_the_example_makes_a_picture(tmp_path):
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("matplotlib is not installed")
    words = run(tmp_path)
    picture = tmp_path / "first_picture.png"
    check_words(words, picture)
    assert size_of_png(picture) == (1500, 500)
    assert picture.stat().st_size > 20_000
    assert [path.name for path in tmp_path.iterdir()] == ["first_picture.png"]


def test_without_matplotlib_the_example_draws_the_path(tmp_path):
    hidden, folder = tmp_path / "hidden", tmp_path / "folder"
    hidden.mkdir()
    folder.mkdir()
    (hidden / "matplotlib.py").write_text("raise ImportError('hidden')\n")
    words = run(folder, PYTHONPATH=str(hidden))
    assert "pip install surefoot[plot]" in words
    check_words(words, folder / "path.png")
    assert size_of_png(folder / "path.png") == (640, 640)
    assert [path.name for path in folder.iterdir()] == ["path.png"]
