"""The benchmark against a peer: it tells a share of wins that is the same from one that is not."""

import builtins

import joblib
import pytest

from scripts import bench_peers


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few games."""
    monkeypatch.setattr(bench_peers, "OURS", 4_000)
    monkeypatch.setattr(joblib, "effective_n_jobs", lambda jobs: 2)


def peer(share, rate=10_000, **more):
    """A peer whose first seat wins this share of its games, so many a second of processor time."""
    return bench_peers.PeerMatch(
        "a peer", "hold_at", 5_000, lambda number, games: (share * games, games / rate), **more
    )


def test_the_same_share_of_wins(capsys):
    assert bench_peers.compare(peer(0.53), 2)
    out = capsys.readouterr().out
    assert "  one core, games a second of processor time: OpenSpiel 10,000, chapterhouse " in out
    assert "  all 2 cores to one OpenSpiel thread, by the clock: OpenSpiel " in out
    assert "OpenSpiel 53.00 % (" in out
    assert out.endswith("): the same\n")


@pytest.mark.slow
def test_another_share_of_wins(capsys):
    assert not bench_peers.compare(peer(0.50), 2)
    assert capsys.readouterr().out.endswith("): NOT the same\n")


def test_the_goal_is_reached_or_missed_by_so_much():
    assert (
        bench_peers.times([30, 10, 20], goal=True) == "20.0 times as fast (in 3 rounds 10.0 to 30.0); goal 20: reached"
    )
    assert (
        bench_peers.times([8, 5, 4], goal=True)
        == "5.0 times as fast (in 3 rounds 4.0 to 8.0); goal 20: missed by a factor of 4.0"
    )
    assert bench_peers.times([5]) == "5.0 times as fast (in 1 rounds 5.0 to 5.0)"


@pytest.mark.slow
def test_the_goal_is_for_loops_in_c_and_one_core(capsys):
    bench_peers.compare(peer(0.53, rate=1), 2)
    lines = capsys.readouterr().out.splitlines()
    assert [number for number, line in enumerate(lines) if "goal" in line] == [2]
    assert lines[2].endswith("; goal 20: reached")
    bench_peers.compare(peer(0.53, rate=1, native=False), 2)
    assert "goal" not in capsys.readouterr().out


def test_without_the_peer_it_says_so(monkeypatch, capsys):
    usual = builtins.__import__

    def absent(name, *more):
        if name == "pyspiel":
            raise ImportError
        return usual(name, *more)

    monkeypatch.setattr(builtins, "__import__", absent)
    assert bench_peers.main() == 2
    assert capsys.readouterr() == ("", bench_peers.MISSING + "\n")


def test_the_peer_plays_to_the_same_rules():
    spiel = pytest.importorskip("pyspiel")
    for play, games, share in (
        (bench_peers.rollouts, 20_000, 0.512),
        (bench_peers.bots, 10_000, 0.512),
        (bench_peers.python_loop, 800, 0.535),
    ):
        wins, seconds = play(spiel)(1, games)
        assert seconds > 0
        assert abs(wins / games - share) < 4 * 0.5 / games**0.5
