"""The examples in docstrings are true. Kernels run as plain Python here, so nothing is compiled for them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
LAYERS = ("sim", "strategies", "analyses", "reports", "scripts")
PROGRAM = """
import doctest, importlib, sys
found = {name: doctest.testmod(importlib.import_module(name)) for name in sys.argv[1:]}
sys.exit(", ".join(name for name, (failed, tried) in found.items() if failed or not tried) or 0)
"""


@pytest.mark.slow
def test_the_examples_in_docstrings_are_true():
    paths = sorted(
        path for layer in LAYERS for path in (HOME / layer).rglob("*.py") if ">>> " in path.read_text("utf-8")
    )
    names = [".".join(path.relative_to(HOME).with_suffix("").parts) for path in paths]
    assert {"sim.chance", "sim.moesteiro.purse", "sim.moesteiro.dice", "analyses.statistics"} <= set(names)
    words = [sys.executable, "-W", "ignore:overflow:RuntimeWarning", "-c", PROGRAM, *names]
    done = subprocess.run(words, cwd=HOME, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
