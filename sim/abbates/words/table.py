"""The table of Abbates while a game is told: moved by what is told, and saying what each move comes to.

What a player can't see is None: a mission, a starting card, cards on top of the pile.
"""

from collections.abc import Sequence
from typing import Any

from sim.abbates.components import lines
from sim.abbates.words.names import BENEDICT, meets, white

Values = dict[str, Any]
Card = list[Any]

ROUNDS, PHASES = 4, 4
KINDS = ("books", "windows", "artefacts")
PLACES = ("primus", "secundus", "tertius")
LINES = [[square + 1 for square in line] for line in lines()]  # in the order of the game
ROWS_AND_COLUMNS = LINES[:6]
STEPS = 3  # places on the solo card


def plain(value: Any) -> Any:
    """Return a copy of a part of a record, with lists for tuples."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


class Tabletop:
    """Where everything lies, as a position of the record has it.

    Attributes:
        printed: every number. players, henricus, garden, …: the fields of a position. abbots: players, and Henricus.
        points_card: the cards on it. arcade: the effects of the lines. taking: the line from which is taken, from 1.
        ranking: who has played in this phase, the highest first (seats from 0). looked: cards that are being put in
            order.
    """

    def __init__(self, printed: Values, seats: int):
        """Set the table."""
        self.printed, self.rules, self.seats = printed, printed["rules"], seats
        self.round, self.phase, self.starting, self.general = 1, 1, 2 if seats == 1 else 1, 0
        ora = 1 if self.rules["ora_et_labora"] else None
        self.players: list[Values] = [
            {
                "hand": list(range(1, BENEDICT)),
                "benedicts": 0,
                "ora": ora,
                "portrait": [None] * 9,
                "mission": None,
                "starting_card": None,
            }
            for _ in range(seats)
        ]
        self.henricus: Values | None = None
        if seats == 1:
            level = printed["solo"][self.rules["solo_level"]]
            low, high = ([BENEDICT] * level[f"{pile}_benedicts"] for pile in ("low", "high"))
            self.henricus = {"low": [*range(1, 8), *low], "high": [*range(8, BENEDICT), *high], "cards": [], "step": 1}
            self.henricus |= {"low_top": None, "high_top": None}
        for abbot in self.abbots:
            abbot |= {"played": None, "discards": [], "room": [], "bean": 0, "corner_points": 0}
        self.garden: list[Any] = [None] * 9
        self.refill: list[Any] = [None] * 3
        self.discard: list[Any] = []
        self.known: list[Any] = []
        self.pile = sum(len(printed["garden"][kind]) for kind in KINDS)
        self.points_card: list[Any] = []
        self.arcade = ["none"] * len(LINES)
        self.taking, self.ranking, self.looked = 1, list[int](), 0

    @property
    def abbots(self) -> list[Values]:
        """The players, and Henricus."""
        return [*self.players, *([self.henricus] if self.henricus else [])]

    @property
    def line(self) -> int | None:
        """Where the general stands, from 1; None in the last phase of a round."""
        return 3 * (self.round - 1) + self.phase if self.phase < PHASES else None

    def position(self) -> Values:
        """Return what the record's positions tell."""
        names = (
            "round",
            "phase",
            "line",
            "starting",
            "general",
            "players",
            "garden",
            "refill",
            "discard",
            "known",
            "pile",
        )
        return {name: getattr(self, name) for name in names} | ({"henricus": self.henricus} if self.henricus else {})

    def put_right(self, position: Values) -> None:
        """Take over a position of the record."""
        for name in self.position():
            if name != "line":
                setattr(self, name, plain(position[name]))

    # --- the set-up ---

    def lay_out(self, line: Values) -> None:
        """Lay out what is open from the beginning."""
        self.points_card, self.arcade = plain(line["points_card"]), list(line["arcade"])
        self.garden, self.refill, self.discard = plain(line["garden"]), plain(line["refill"]), plain(line["discard"])
        on_points_card = [what for what in self.points_card if what]
        self.general = sum(what[1] for what in on_points_card)
        self.pile -= sum(what is not None for what in [*self.garden, *self.refill, *self.discard, *on_points_card])

    def deal(self, name: str, dealt: Sequence[Any]) -> None:
        """Give each player a starting card, or the mission that there is no choice of."""
        for player, what in zip(self.players, dealt, strict=True):
            player[name] = plain(what)

    # --- abbot cards ---

    def order(self) -> list[int]:
        """Return all, Henricus too, from the starting player (seats from 0)."""
        sitting = len(self.abbots)
        return [(self.starting - 1 + turn) % sitting for turn in range(sitting)]

    def play(self, seat: int, number: int) -> bool | None:
        """Play a card; return whether it meets the condition, None where the pawn is gone."""
        player = self.players[seat]
        if number == BENEDICT:
            player["benedicts"] -= 1
        else:
            player["hand"].remove(number)
        player["played"] = number
        if player["ora"] is None:
            return None
        met = meets(self.printed, self.round, self.phase, number)
        player["ora"] = player["ora"] + 1 if met else None
        return met

    def henricus_plays(self, pile: str, number: int) -> None:
        """Turn up a card of Henricus."""
        assert self.henricus
        self.henricus[pile].remove(number)
        self.henricus["played"], self.henricus[f"{pile}_top"] = number, None

    def all_have_played(self) -> tuple[int, int] | None:
        """Find the winner, whose card goes to the Chapter Room; return who it is and the card, None if nobody has
        played."""
        for player in self.players:
            player["ora"] = None if player["played"] is None else player["ora"]
        playing = [seat for seat in self.order() if self.abbots[seat]["played"] is not None]
        self.ranking = sorted(playing, key=lambda seat: -self.abbots[seat]["played"])
        self.taking = self.line or 0
        if not self.ranking:
            return None
        winner = self.abbots[self.ranking[0]]
        number = winner["played"]
        winner["played"], winner["room"] = None, sorted([*winner["room"], number])
        self.general += white(self.printed, number)
        return self.ranking[0], number

    def take_corner(self) -> int:
        """Give the winner the corner card; return its points."""
        what, winner = self.printed["corners"][f"corner{self.round}"], self.abbots[self.ranking[0]]
        points = int(what["vp"] + what["per_card"] * len(winner["room"]) * self.printed["benedicts"]["vp"])
        winner["corner_points"] += points
        return points

    def remove(self, seat: int, number: int) -> None:
        """Remove a card from the Chapter Room and from the game."""
        self.abbots[seat]["room"].remove(number)
        self.general -= white(self.printed, number)

    # --- garden cards ---

    def worth(self, kind: str) -> int:
        """Return the points of a garden card of a kind."""
        for place, what in zip(PLACES, self.points_card):
            if what and what[0] == kind:
                return int(self.printed["points"][place])
        return 0

    def from_pile(self) -> None:
        """Take the top card of the pile."""
        self.pile -= 1
        if self.known:
            self.known.pop(0)

    def place(self, seat: int, what: Card, square: int) -> Card | None:
        """Put a card on a portrait; return the one that it covers."""
        player = self.players[seat]
        covered: Card | None = player["portrait"][square - 1]
        player["bean"] += what[1] - (covered[1] if covered else 0)
        player["portrait"][square - 1] = plain(what)
        return covered

    def take(self, chosen: Values) -> None:
        """Take a garden card from where it lies."""
        if chosen["from"] == "line":
            self.garden[chosen["square"] - 1] = None
        elif chosen["from"] == "refill":
            self.refill[chosen["space"] - 1] = None
        else:
            at = max(at for at, what in enumerate(self.discard) if what == plain(chosen["card"]))
            del self.discard[at]

    def look(self, shown: Sequence[Any]) -> None:
        """Look at the top cards of the pile."""
        self.known, self.looked = plain(shown), 0

    def put_next(self, what: Any) -> bool:
        """Put a card in the next place on top of the pile; return whether all have theirs."""
        at = self.looked if what is None else self.known.index(plain(what), self.looked)
        self.known.insert(self.looked, self.known.pop(at))
        self.looked += 1
        return self.looked + 1 >= len(self.known)

    def swap(self, seat: int, square: int, space: int) -> tuple[Card, Card]:
        """Swap a card of a portrait with one of the replenishment row; return the one that goes and the one that
        comes."""
        came = self.refill[space - 1]
        went = self.place(seat, came, square)
        assert went is not None
        self.refill[space - 1] = went
        return went, came

    def exchange(self, square: int, space: int) -> tuple[Card, Card]:
        """Exchange a card of the garden with one of the replenishment row; return the one that goes and the one that
        comes."""
        went, came = self.garden[square - 1], self.refill[space - 1]
        self.garden[square - 1], self.refill[space - 1] = came, went
        return went, came

    def move(self, seat: int, squares: Sequence[int]) -> tuple[Card, Card]:
        """Let two cards of a portrait change places; return them."""
        portrait, (one, other) = self.players[seat]["portrait"], (square - 1 for square in squares)
        portrait[one], portrait[other] = portrait[other], portrait[one]
        return portrait[other], portrait[one]

    def fill(self, drawn: Sequence[Any]) -> tuple[list[Card], list[tuple[int, Card]]]:
        """Discard what is left of the line, fill garden and replenishment row; return what goes, and where what lies
        now in the garden."""
        line, coming = LINES[self.taking - 1], list(plain(drawn))
        left = [self.garden[square - 1] for square in line if self.garden[square - 1]]
        self.discard += left
        for square in line:
            self.garden[square - 1] = None
        filled = []
        for square in [
            *line,
            *(square for square in range(1, 10) if square not in line and self.garden[square - 1] is None),
        ]:
            space = next((space for space, what in enumerate(self.refill) if what), None)
            if space is not None:
                self.garden[square - 1], self.refill[space] = self.refill[space], None
            elif coming:
                self.garden[square - 1] = coming.pop(0)
                self.from_pile()
            if self.garden[square - 1]:
                filled.append((square, self.garden[square - 1]))
        for space, what in enumerate(self.refill):
            if what is None and coming:
                self.refill[space] = coming.pop(0)
                self.from_pile()
        return left, filled

    # --- Henricus ---

    def henricus_takes(self) -> list[Any]:
        """Let Henricus take as the winner; return card, square, and what he exchanges for what; nothing if he has to
        draw blind."""
        henricus = self.henricus
        assert henricus
        assert self.line
        line = self._richest() if henricus["step"] == STEPS else self.line
        squares = [square for square in LINES[line - 1] if self.garden[square - 1]]
        if not squares:
            return []
        square = max(squares, key=lambda square: self.garden[square - 1][1])
        before, what = list(henricus["cards"]), self.garden[square - 1]
        self.garden[square - 1] = None
        self.henricus_gets(what)
        spaces = [space for space in range(3) if self.refill[space]]
        if henricus["step"] != 2 or not before or not spaces:
            return [what, square]
        went = min(before, key=lambda what: (what[1], self.worth(what[0]), KINDS.index(what[0])))
        space = max(spaces, key=lambda space: self.refill[space][1])
        came, self.refill[space] = self.refill[space], went
        henricus["cards"].remove(went)
        henricus["bean"] -= went[1]
        self.henricus_gets(came)
        return [what, square, went, came]

    def _richest(self) -> int:
        """Return the line that Henricus takes from at the lowest place of the solo card."""
        assert self.line
        left = 1 if self.rules["henricus_left"] == "next" else -1
        near = [line for line in (self.line, self.line + left, self.line - left) if (line - 1) // 3 == self.round - 1]
        beans = {
            line: [self.garden[square - 1][1] for square in LINES[line - 1] if self.garden[square - 1]] for line in near
        }
        most = max((n for row in beans.values() for n in row), default=0)
        return max(near, key=lambda line: beans[line].count(most))

    def henricus_gets(self, what: Card) -> None:
        """Give Henricus a garden card."""
        assert self.henricus
        self.henricus["cards"] = sorted(
            [*self.henricus["cards"], what], key=lambda what: (KINDS.index(what[0]), what[1])
        )
        self.henricus["bean"] += what[1]

    # --- ends ---

    def end_phase(self) -> None:
        """Put played cards on the discard piles; who played the lowest starts next."""
        for abbot in self.abbots:
            if abbot["played"] is not None:
                abbot["discards"] = sorted([*abbot["discards"], abbot["played"]])
                abbot["played"] = None
        if self.henricus:
            if self.rules["henricus_step"] == "phases" or self.ranking[:1] == [1]:
                self.henricus["step"] = self.henricus["step"] % STEPS + 1
        elif self.ranking:
            self.starting = self.ranking[-1] + 1

    def end_round(self) -> list[tuple[int | None, bool]]:
        """Give a card back to each, clear the discard piles; return the card (or None), and whether a Benedict card has
        been earned."""
        highest = self.printed["corners"][f"corner{self.round}"]["returns"] == "highest"
        found = []
        for abbot in self.abbots:
            returns = abbot["discards"] and (self.round < ROUNDS or self.rules["last_card_back"])
            back = abbot["discards"][-1 if highest or abbot is self.henricus else 0] if returns else None
            earned = abbot.get("ora") == PHASES + 1
            abbot["discards"] = []
            if abbot is self.henricus:
                pile = "low" if back is not None and back < 8 else "high"
                abbot[pile] = sorted([*abbot[pile], *([back] if back else [])])
            else:
                abbot["benedicts"] += earned + (back == BENEDICT)
                abbot["hand"] = sorted([*abbot["hand"], *([back] if back and back < BENEDICT else [])])
            found.append((back, earned))
        return found

    def next_phase(self) -> None:
        """Go on to the next phase, of the next round after the last one of a round."""
        self.phase = self.phase % PHASES + 1
        if self.phase == 1:
            self.round += 1
            for player in self.players:
                player["ora"] = 1 if self.rules["ora_et_labora"] else None

    # --- the score ---

    def of_kind(self, seat: int, kind: str) -> int:
        """Return how many cards of a kind a player, or Henricus, has."""
        abbot = self.abbots[seat]
        return sum(what[0] == kind for what in abbot["cards" if abbot is self.henricus else "portrait"] if what)

    def area(self, seat: int, letters: str) -> bool:
        """Return whether each of some areas of a player's mission is full and of one kind."""
        player = self.players[seat]
        pattern = "".join(self.printed["missions"][player["mission"]]["rows"])
        areas = [
            [what for what, square in zip(player["portrait"], pattern, strict=True) if square == letter]
            for letter in letters
        ]
        return all(None not in area and len({what[0] for what in area}) <= 1 for area in areas)

    def line_points(self, seat: int, line: Sequence[int]) -> int:
        """Return the points of a row or column, where no points card is used."""
        kinds = [what[0] for what in (self.players[seat]["portrait"][square - 1] for square in line) if what]
        printed, different = self.printed["lines"], len(set(kinds))
        if len(kinds) == 3 and different == 1:
            return int(printed["three_equal"])
        if different < len(kinds):
            return int(printed["two_equal"])
        return int(printed["three_different"]) if different == 3 else 0

    def halves(self, seat: int) -> str:
        """Return why a player's minus points are halved, "" if they are not."""
        player = self.players[seat]
        if player["mission"] and self.printed["missions"][player["mission"]]["halves"] and self.area(seat, "pab"):
            return "the mission is complete"
        if player["starting_card"]:
            kind = player["starting_card"][0]
            held = [self.of_kind(other, kind) for other in range(len(self.abbots))]
            if 0 < held[seat] == max(held):
                return f"nobody has more {kind}"
        return ""

    def score(self, seat: int) -> dict[str, int]:
        """Return a player's points by source; the abbot has moved for empty squares."""
        player = self.players[seat]
        distance = abs(player["bean"] - self.general)
        mission = player["mission"]
        return {
            "garden": sum(self.worth(what[0]) for what in player["portrait"] if what),
            "lines": 0 if self.points_card else sum(self.line_points(seat, line) for line in ROWS_AND_COLUMNS),
            "mission": self.printed["missions"][mission]["vp"] if mission and self.area(seat, "p") else 0,
            "corners": player["corner_points"],
            "benedicts": player["benedicts"] * self.printed["benedicts"]["vp"],
            "distance": -(distance // 2 if self.halves(seat) else distance),
        }
