"""The examples of the README run, one after the other."""

import pathlib
import re

import pytest

README = pathlib.Path(__file__).parent.parent / "README.md"


def test_the_examples_of_the_readme_run(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 5
    names = {"__name__": "__main__"}
    for block in blocks:
        exec(compile(block, str(README), "exec"), names)
    try:
        assert names["path"].cost == pytest.approx(names["nav"].cost((200, 200), (400, 200)), rel=0.01)
        assert names["results"].table()["algorithm"] == list(names["rows"]["algorithm"])
        assert (tmp_path / "results" / "report.html").exists() and not list((tmp_path / "shards").iterdir())
    finally:
        names["client"].cluster.close()
        names["client"].close()
