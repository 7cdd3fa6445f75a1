"""The board of a game as tables of words, from the positions of its record."""

import pytest

from sim import registry
from sim.printed.components import read
from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog

NAMES = ("you", "builder", "a_very_long_name", "d")


def game(name, players, changes=(), number=0):
    """The printed values and the positions of a game that is played at random; each with what is asked there (""
    between decisions)."""
    printed = read(name, changes=changes)
    study = Study(name, players, (catalog.entrant(name, "random_legal", players),), printed.record, 1)
    lines = list(record(Session(study, number), printed, every=True))
    return lines[0]["printed"], [(line["position"], line.get("asks", "")) for line in lines if "position" in line]


def cells(sections):
    """All cells of some sections."""
    return [cell for section in sections for row in section.rows for cell in row]


def titled(sections, title):
    """The section whose title begins so."""
    return next(section for section in sections if section.title.startswith(title))


def row(section, head):
    """The cells of the row that begins with `head`."""
    return next(list(row[1:]) for row in section.rows if row[0] == head)


CHANGES = [
    (),
    (
        "rules.village_tile_bonus=display",
        "rules.window_cost=uncovered",
        "rules.reshuffle=true",
        "rules.purchase_tiles=true",
    ),
    ("tracks.food.last=30", "tracks.construction.last=20", "rules.construction_set=b"),
    ("areas.closed.players2.crane=2", "areas.closed.players3.crane=1"),
]


@pytest.mark.slow
@pytest.mark.parametrize("changes", CHANGES, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_moesteiro_fits_its_headings_and_shows_what_lies_there(players, changes):
    board = registry.board("moesteiro")
    printed, positions = game("moesteiro", players, changes)
    for position, asks in positions:
        sections = board.board(printed, position, NAMES[:players])
        for section in [*sections, *board.near(printed, position, asks)]:
            assert {len(row) for row in section.rows} == {len(section.headings)}, section.title
        held = titled(sections, f"Round {position['round']}:")
        assert row(held, "points") == [str(player["score"]) for player in position["players"]]
        assert row(held, "stone") == [str(player["stone"] or "·") for player in position["players"]]
        dice = [die for area in position["areas"].values() for die in area if die]
        marks = [
            cell
            for cell in cells(sections)
            if cell[:2] in ("W1", "W2", "W3", "W4", "W5", "W6", "M1", "M2", "M3") and "(" in cell
        ]
        assert sorted(marks) == sorted(
            f"{kind[0].upper() if kind == 'master' else 'W'}{value}({owner or '–'})" for kind, value, owner in dice
        )
        built = sum(owner > 0 for owners in position["spaces"] for owner in owners)
        assert sum(cell.startswith("(") for cell in cells([titled(sections, "Village spaces")])) == built
        for track in ("food", "labour", "construction"):
            shown = "".join(
                cell for section in sections for line in section.rows if line[0] == track for cell in line[1:]
            )
            assert sorted(shown.replace("·", "").strip("()").split(")(")) == [str(seat + 1) for seat in range(players)]
    assert len({asks for _, asks in positions}) > 10


def test_a_track_shows_where_a_marker_stands():
    printed, positions = game("moesteiro", 2, ("tracks.food.last=30",))
    first, second = positions[0][0]["players"]
    position = {**positions[0][0], "players": [first, {**second, "food": 20}]}
    board = registry.board("moesteiro").board(printed, position, NAMES[:2])
    pieces = [section for section in board if section.title.startswith("Tracks")]
    assert [section.headings[1] for section in pieces] == ["0", "16"]
    food = {
        space: cell
        for section in pieces
        for space, cell in zip(section.headings[1:], section.rows[0][1:])
        if cell not in ("·", "")
    }
    assert food == {"0": "(1)", "20": "(2)"}


def test_uncovered_pips_of_the_window():
    printed, positions = game("moesteiro", 2, ("rules.window_cost=uncovered",))
    position = {**positions[-1][0], "window": [None, 2, 1]}
    glass = titled(registry.board("moesteiro").board(printed, position, NAMES[:2]), "Stained glass")
    assert glass.rows == (("3", "1", "2 +1 food"), ("2", "2", "2"), ("1", "·", "0"))


def test_one_line_about_a_player():
    printed, positions = game("moesteiro", 3)
    board = registry.board("moesteiro")
    position, _ = next(found for found in positions if found[1] == "king")
    mine = position["players"][0]
    words = board.summary(printed, position, 0, "king")
    assert words.startswith("0 points; 1 wood and 1 stone; food 0, labour 5, construction 2; dice ")
    assert words.count("W") + words.count("M") == len(mine["hand"]) == 3
    position, asks = next(found for found in positions if found[1] == "quarry")
    die = next(die for die in position["areas"]["quarry"] if die and die[2])
    assert board.summary(printed, position, die[2] - 1, asks).endswith(" acts")
    assert f"{'M' if die[0] == 'master' else 'W'}{die[1]} on space " in board.summary(
        printed, position, die[2] - 1, asks
    )


def test_a_game_without_a_board_of_its_own():
    printed, positions = game("pig", 3)
    board = registry.board("pig")
    for position, asks in positions:
        players, table = board.board(printed, position, NAMES[:3])
        assert players.headings == ("", "score", "turns", "rolls")
        assert [line[0] for line in players.rows] == ["(1) you", "(2) builder", "(3) a_very_lo…"]
        assert [line[1] for line in players.rows] == [str(score) for score in position["score"][:3]]
        assert dict(zip(table.headings, table.rows[0]))["turn"] == str(position["turn"])
        assert board.summary(printed, position, 2, asks).startswith(f"score {position['score'][2]}, ")
