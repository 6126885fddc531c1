"""Every example in a docstring runs, and every public name has a docstring."""

import doctest
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import surefoot

MODULES = [surefoot] + [
    importlib.import_module(f"surefoot.{module.name}")
    for module in pkgutil.iter_modules(surefoot.__path__)
    if module.name not in ("plot", "distributed", "_surefoot")
]


def documented():
    """Every public thing with its docstring, by name."""
    things = {}
    for module in MODULES:
        things[module.__name__] = module
        for name, value in vars(module).items():
            if name.startswith("_") or inspect.ismodule(value):
                continue
            if not getattr(value, "__module__", "").startswith("surefoot"):
                continue
            things[f"surefoot.{name}"] = value
            if inspect.isclass(value):
                for member, item in vars(value).items():
                    if not member.startswith("_"):
                        things[f"surefoot.{name}.{member}"] = item
    return things


THINGS = documented()


@pytest.mark.parametrize("name", THINGS)
def test_docstring(name, tmp_path):
    text = inspect.getdoc(THINGS[name]) or getattr(THINGS[name], "__doc__", None)
    assert text, f"{name} has no docstring"
    names = {"surefoot": surefoot, "np": np, "tmp_path": tmp_path}
    example = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example)
    assert runner.failures == 0


def test_there_are_examples():
    assert sum(">>>" in (inspect.getdoc(thing) or "") for thing in THINGS.values()) >= 15
