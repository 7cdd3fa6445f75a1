"""The history of the benchmark: what it keeps, what it compares, what it points out."""

import json

import pytest

from scripts import bench


@pytest.fixture
def figures(monkeypatch):
    found = {}
    monkeypatch.setattr(bench, "FIGURES", found)
    return found


def kept(history):
    return [json.loads(line) for line in history.read_text(encoding="utf-8").splitlines()]


def test_only_what_is_slower_by_more_than_15_percent_is_pointed_out():
    last = {"much": 100.0, "little": 100.0, "faster": 100.0, "not measured now": 100.0}
    lines = bench.slowdowns(last, {"much": 84.0, "little": 86.0, "faster": 130.0, "new": 1.0})
    assert lines == ["SLOWER by 16 % than last time on this machine: much"]


def test_of_some_figures_less_is_better(figures, capsys):
    bench.say("games/s", "12,500", better=bench.MORE)
    bench.say("seconds", "4.0", better=bench.LESS)
    bench.say("decisions", "228.2")
    assert figures == {"games/s": 12_500, "seconds": 0.25}


def test_a_run_is_compared_with_the_last_figure_of_its_own_machine(tmp_path, figures, capsys):
    history = tmp_path / "history.jsonl"
    earlier = [
        {"machine": bench.machine(), "when": "", "figures": {"a": 200.0, "b": 50.0}},
        {"machine": bench.machine(), "when": "", "figures": {"a": 100.0}},
        {"machine": "another", "when": "", "figures": {"a": 900.0, "b": 900.0}},
    ]
    history.write_text("".join(json.dumps(line) + "\n" for line in earlier), encoding="utf-8")
    figures |= {"a": 90.0, "b": 40.0}
    bench.keep(history)
    said = capsys.readouterr().out
    assert "SLOWER by 20 % than last time on this machine: b" in said
    assert "machine: a" not in said
    assert kept(history)[:3] == earlier
    assert kept(history)[3]["figures"] == figures


def test_a_run_without_figures_leaves_the_history_alone(tmp_path, figures):
    bench.keep(tmp_path / "history.jsonl")
    assert not (tmp_path / "history.jsonl").exists()
