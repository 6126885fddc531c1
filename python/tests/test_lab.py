"""Studies: plans, rows, reports."""

import os
import pathlib

import pytest

import surefoot
from surefoot import lab

TEXT = """
title = "A small study"
timed = false
seeds = 2

[[maps]]
generate = "rooms"
width = 60
height = 50
rule = "no-cut"
cost = "sqrt2"
problems = { count = 8, min-cost = 10, max-cost = 60 }

[[algorithms]]
specs = ["a*", "lrta*(d={1,3})", "knn-lrta*(n={50,200})"]
quick = ["a*"]

[[algorithms]]
name = "timed"
timed = true
specs = ["jps"]

[quick]
problems = 3
"""

#: What two runs may differ in.
TIMES = {"build_seconds", "date", "worker", "plan_ns_mean", "plan_ns_median", "plan_ns_max", "first_move_ns", "steps20_ns"}


def same_rows(one, other):
    one, other = one.table(), other.table()
    assert list(one) == list(other)
    return [name for name in one if one[name] != other[name] and name not in TIMES] == []


@pytest.fixture
def plan():
    return lab.Plan.parse(TEXT, name="small")


def test_a_plan_becomes_rows(plan, tmp_path):
    heard = []
    results = lab.run(plan, tmp_path / "out", progress=lambda *event: heard.append(event))
    units = plan.units()
    assert len(results) == 8 * len(units) == 64 and heard[-1][1:] == (8, 8)
    table = results.table()
    assert set(table["algorithm"]) == {unit["spec"] for unit in units}
    solved = {name for name, way in zip(table["algorithm"], table["solved"], strict=True) if way != "true"}
    assert solved == set()
    assert sorted(plan.finished(tmp_path / "out")) == sorted(unit["file"] for unit in units)
    assert same_rows(results, lab.run(plan, tmp_path / "one", threads=1))
    quick = lab.run(plan, tmp_path / "quick", quick=True)
    assert len(quick) == 6


def test_rows_become_tables_of_other_packages(plan, tmp_path):
    results = lab.run(plan, tmp_path / "out", quick=True)
    pandas = pytest.importorskip("pandas")
    frame = results.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(results)
    assert frame["solved"].all() and (frame["suboptimality_pct"] == 0).all()
    pytest.importorskip("polars")
    assert results.to_polars().shape == frame.shape
    assert results.to_arrow().num_rows == len(results)


def test_a_report_is_a_page(plan, tmp_path):
    report = lab.run(plan, tmp_path / "out", quick=True).report()
    assert report.path.read_text() == report.html and "A small study" in report.html
    page = report._repr_html_()
    assert page.startswith("<iframe") and page.count('"') == 8


def test_units_are_done_anywhere_and_merged(plan, tmp_path):
    whole = lab.run(plan, tmp_path / "whole")
    names = [unit["file"] for unit in plan.units()]
    for number in range(3):
        where = lab.place(tmp_path / f"share{number}", worker="one")
        plan._run_units(where, set(names[number::3]), None)
    with pytest.raises(surefoot.LabError, match="missing|not finished"):
        lab.merge(plan, tmp_path / "merged", [tmp_path / "share0"])
    shares = [tmp_path / f"share{number}" for number in range(3)]
    merged = lab.merge(plan, tmp_path / "merged", shares)
    assert same_rows(whole, merged) and set(merged.table()["worker"]) == {"one"}


def test_timings_of_two_workers_are_not_mixed_silently(tmp_path):
    plan = lab.Plan.parse(TEXT.replace('specs = ["jps"]', 'specs = ["jps", "a*"]'), name="small")
    units = plan.units(quick=True)
    for number, unit in enumerate(units):
        plan._run_units(lab.place(tmp_path / "out", quick=True, worker=f"w{number}"), {unit["file"]}, None)
    with pytest.raises(surefoot.LabError, match="w1|w2"):
        lab.merge(plan, tmp_path / "out", quick=True)
    mixed = lab.merge(plan, tmp_path / "out", quick=True, mix=True)
    assert set(mixed.table()["worker"]) == {f"w{number}" for number in range(len(units))}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = 3", "line 1"),
        (TEXT.replace("a*", "nothing*"), "nothing"),
        (TEXT.replace("rooms", "castle"), "castle"),
        ("", "title"),
    ],
)
def test_wrong_plans_say_where(text, words):
    with pytest.raises(surefoot.LabError, match=words):
        lab.Plan.parse(text)


def test_wrong_places_say_so(plan, tmp_path):
    with pytest.raises(surefoot.LabError, match="no unit"):
        plan._run_units(lab.place(tmp_path), {"nothing.csv"}, None)
    with pytest.raises(surefoot.LabError, match="nothere"):
        lab.run(tmp_path / "nothere.toml", tmp_path)
    with pytest.raises(surefoot.LabError, match="there are: "):
        lab.Plan.built_in("nothing")
    (tmp_path / "file").write_text("")
    with pytest.raises(surefoot.LabError):
        lab.run(plan, tmp_path / "file")


def test_a_paper_is_reproduced(tmp_path):
    benchmarks = pathlib.Path(os.environ.get("SUREFOOT_BENCHMARKS", "../../shared/benchmarks"))
    if not (benchmarks / "knn2009").is_dir():
        pytest.skip("the published maps are not here: SUREFOOT_BENCHMARKS names their folder")
    plan = lab.Plan.built_in("knn2009")
    unit = next(unit for unit in plan.units(benchmarks, quick=True) if unit["spec"].startswith("lrta*"))
    plan._run_units(lab.place(tmp_path, maps=benchmarks, quick=True), {unit["file"]}, None)
    assert plan.finished(tmp_path, benchmarks, quick=True) == [unit["file"]]
