"""A report that stops its games early is as sure as it says: the studies of scripts/coverage.py, fewer of them."""

import pytest

from analyses.statistics import within
from analyses.survey import ReportPlan
from scripts import coverage

STUDIES = 60


@pytest.mark.slow
@pytest.mark.parametrize("name", coverage.CASES)
def test_a_study_is_covered(name):
    found = coverage.CASES[name](STUDIES)
    assert found.covered >= coverage.LEAST
    assert found.wrong <= 1 - coverage.LEAST


def test_a_line_ends_once_it_is_decided():
    """Far from the margin early, near it late, on it not before the seats are known as well as anybody needs."""
    plan, rules = ReportPlan(), coverage.RULES
    far, near, on = (
        coverage.studied(indices, rules["headline"], 20).games for indices in ((0.6, 1.4), (0.93, 1.07), (0.9, 1.1))
    )
    assert far < near < on < plan.max_games / 3
    assert coverage.studied((0.6, 1.4), rules["other line"], 20).games < far


def test_a_rule_that_looks_without_allowing_for_it_is_found_out(monkeypatch):
    """Ordinary intervals, looked at until they decide, are not as sure as they say: the studies can tell."""

    def decided(found):
        _, low, high = found.worth
        return "undecided" not in [within(a, b, coverage.MARGIN) for a, b in zip(low, high)]

    rule, at_the_margin, honest = coverage.Rule(0, 200_000, decided), (0.9, 1.1), coverage.interval
    assert coverage.studied(at_the_margin, rule, 200).covered >= coverage.LEAST
    monkeypatch.setattr(coverage, "interval", lambda *given, **how: honest(*given, **how | {"sequential": False}))
    assert coverage.studied(at_the_margin, rule, 200).covered < 0.9
