"""The benchmark against a peer: it tells a share of wins that is the same from one that is not."""

import builtins

import pytest

from scripts import bench_peers


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few games."""
    monkeypatch.setattr(bench_peers, "OURS", 4_000)


def peer(share):
    """A peer whose first seat wins this share of its games, ten thousand a second."""
    return bench_peers.Match("a peer", "hold_at", 5_000, lambda number, games: (share * games, games / 10_000))


def test_the_same_share_of_wins(capsys):
    assert bench_peers.compare(peer(0.53), 2)
    out = capsys.readouterr().out
    assert "OpenSpiel 10,000, chapterhouse " in out
    assert "OpenSpiel 53.00 % (" in out
    assert out.endswith("): the same\n")


def test_another_share_of_wins(capsys):
    assert not bench_peers.compare(peer(0.50), 2)
    assert capsys.readouterr().out.endswith("): NOT the same\n")


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
