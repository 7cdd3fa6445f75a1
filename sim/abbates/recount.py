"""Abbates: everything that is counted, counted again from the record of a game."""

from collections.abc import Iterable
from typing import Any

from sim.recounting import BaseTally, Figures, Line, RecountError

ROUNDS, PHASES = range(1, 5), range(1, 5)
GARDEN_PHASES = 3
BENEDICT, HENRICUS = 14, 2
SOURCES = ("garden", "lines", "mission", "corners", "benedicts", "distance")
EFFECTS = ("discard", "look", "refill", "swap", "exchange", "move", "line", "remove", "draw", "nothing")
PALMS = ("draw", "nothing")
RANKS = ("primus", "secundus", "tertius")
PLACES = ("first", "second", "third", "fourth")
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
ROWS_AND_COLUMNS = (*ROWS, *zip(*ROWS))
ACTED = {"look": "look", "swap": "square", "move": "squares", "line": "line", "remove": "player", "exchange": "space"}


def blank() -> Figures:
    """The figures of a player who has done nothing yet."""
    numbers = [
        *(f"points.{source}" for source in SOURCES),
        *("phases_won", "distance", "halved", "empty", "overbuilt", "blind"),
        *("benedicts_earned", "benedicts_played", "forced_duplicate", "without_card"),
        *(f"kind.{rank}" for rank in RANKS),
        *(f"action.{effect}" for effect in EFFECTS),
        *(f"corner.{number}" for number in ROUNDS),
    ]
    categories = [
        "mission",
        *(f"corner.round{number}" for number in ROUNDS),
        "corner.dealt",
        *(f"place.phase{number}.{phase}" for number in ROUNDS for phase in PHASES),
        *(f"start.round{number}" for number in ROUNDS),
    ]
    return dict.fromkeys(numbers, 0) | dict.fromkeys(categories)


class AbbatesTally(BaseTally):
    """What the players of one game have done so far; players are counted from 1, Henricus is player 2 in a game of one.

    Attributes:
        printed: what is printed. figures: by player. portraits: cards on top, by player. starting: of this phase.
        played: value of the card of this phase, by abbot, in the order of playing. room: cards in the Chapter Room, by
            abbot.
        meets: who has met every condition of this round. acted: whether the winner has acted in this phase.
        his_cards: garden cards of Henricus at the end.
    """

    def __init__(self, first: Line):
        """Begin with the first line of a record."""
        self.printed, self.rules = first["printed"], first["printed"]["rules"]
        self.figures = {player: blank() for player in range(1, first["players"] + 1)}
        self.abbots = [*self.figures, *([HENRICUS] if len(self.figures) == 1 else [])]
        self.portraits: dict[int, list[Any]] = {player: [None] * 9 for player in self.figures}
        self.starting_cards: list[Any] = [None] * len(self.figures)
        self.points_card: list[Any] = []
        self.arcade: list[str] = []
        self.refill: list[Any] = []
        self.starting, self.round, self.phase, self.acted = self.abbots[-1] if self.alone else 1, 1, 1, False
        self.his_cards: list[Any] = []
        self.played: dict[int, int] = {}
        self.room: dict[int, list[int]] = {abbot: [] for abbot in self.abbots}
        self.corner_points = dict.fromkeys(self.abbots, 0)
        self.meets = set(self.figures)

    @property
    def alone(self) -> list[int]:
        """Henricus, in a game of one."""
        return [abbot for abbot in self.abbots if abbot not in self.figures]

    def add(self, player: int, name: str) -> None:
        self.figures[player][name] += 1

    @property
    def order(self) -> list[int]:
        """Everybody, in the order of playing."""
        first = self.abbots.index(self.starting)
        return [*self.abbots[first:], *self.abbots[:first]]

    # What happens

    def happened(self, what: str, line: Line) -> None:
        """Something has happened by chance."""
        if what == "setup":
            self.points_card, self.arcade, self.refill = line["points_card"], line["arcade"], line["refill"]
        elif what == "missions":
            for player, dealt in zip(self.figures, line["dealt"]):
                self.figures[player]["mission"] = dealt[0] if len(dealt) == 1 else None
        elif what == "starting_cards":
            self.starting_cards = line["cards"]
        elif what == "henricus":
            self.played[HENRICUS] = line["value"]
        elif what == "draw" and line["player"] in self.figures:
            self.add(line["player"], "blind")

    def decided(self, player: int, asks: str, option: Line) -> None:
        """A player has chosen an option."""
        if asks == "mission":
            self.figures[player]["mission"] = option["mission"]
        elif asks == "abbot":
            value = option["value"]
            self.figures[player]["forced_duplicate"] += value in self.played.values()
            self.figures[player]["benedicts_played"] += value == BENEDICT
            self.played[player] = value
        elif asks in ("take", "blind"):
            if option.get("from") in ("refill", "discard"):
                self.add(player, f"action.{option['from']}")
            portrait, square = self.portraits[player], option["to"] - 1
            self.figures[player]["overbuilt"] += portrait[square] is not None
            portrait[square] = option["card"]
        elif asks in ACTED and option[ACTED[asks]]:
            self.act(player, asks, option)

    def act(self, player: int, action: str, option: Line) -> None:
        """The winner has performed the action of the arcade card; however many cards are exchanged, it is one
        action."""
        self.figures[player][f"action.{action}"] += not self.acted
        self.acted = True
        portrait = self.portraits[player]
        if action == "swap":
            portrait[option["square"] - 1] = self.refill[option["space"] - 1]
        elif action == "move":
            one, other = (square - 1 for square in option["squares"])
            portrait[one], portrait[other] = portrait[other], portrait[one]
        elif action == "remove":
            self.room[option["player"]].remove(option["value"])

    def ended(self, phase: str, position: Line) -> None:
        """A phase has ended."""
        for player, told in zip(self.figures, position["players"]):
            if self.portraits[player] != told["portrait"]:
                raise RecountError(
                    f"{phase}, player {player}: the portrait is {self.portraits[player]}, the record has "
                    f"{told['portrait']}"
                )
        if phase == "cards":
            self.all_have_played()
        elif phase in ("filled", "round"):
            self.refill, self.starting, self.played, self.acted = position["refill"], position["starting"], {}, False
            self.phase = self.phase % len(PHASES) + 1
            if self.phase == 1:
                self.round, self.meets = self.round + 1, set(self.figures)
        elif phase == "scoring":
            self.score(position)

    def all_have_played(self) -> None:
        """Places, the winner, conditions, the corner card."""
        ranking = sorted(self.played, key=lambda abbot: -self.played[abbot])  # of equal cards the earlier is higher
        places = [*ranking, *(abbot for abbot in self.order if abbot not in self.played)]
        for player, mine in self.figures.items():
            mine[f"place.phase{self.round}.{self.phase}"] = f"taking_{PLACES[places.index(player)]}"
            mine["without_card"] += player not in self.played
            if self.phase == 1:
                mine[f"start.round{self.round}"] = PLACES[self.order.index(player)]
            if player not in self.played or not self.fits(self.played[player]):
                self.meets.discard(player)
            mine["benedicts_earned"] += (
                self.phase == len(PHASES) and player in self.meets and self.rules["ora_et_labora"]
            )
        if ranking:
            self.won(ranking[0])

    def fits(self, value: int) -> bool:
        """Whether a card meets the condition of this phase."""
        ora = self.printed["ora"]
        low, odd = value <= ora["low_last"], value % 2 == 1
        return {"low": low, "high": not low, "odd": odd, "even": not odd}[ora["faces"][self.round - 1][self.phase - 1]]

    def won(self, winner: int) -> None:
        """Somebody has won the phase."""
        self.room[winner].append(self.played[winner])
        if self.phase > GARDEN_PHASES:
            corner = self.printed["corners"][f"corner{self.round}"]
            benedicts = corner["per_card"] * len(self.room[winner])
            self.corner_points[winner] += corner["vp"] + benedicts * self.printed["benedicts"]["vp"]
        if winner not in self.figures:
            return
        self.add(winner, "phases_won")
        if self.phase > GARDEN_PHASES:
            self.add(winner, f"corner.{self.round}")
            self.figures[winner][f"corner.round{self.round}"] = f"corner{self.round}"
        elif (effect := self.arcade[GARDEN_PHASES * (self.round - 1) + self.phase - 1]) in PALMS:
            self.add(winner, f"action.{effect}")

    # The end

    def kinds(self, player: int, squares: Iterable[int] = range(9)) -> list[str]:
        """The kinds of the cards on some squares of a portrait."""
        return [card[0] for square in squares if (card := self.portraits[player][square])]

    def filled(self, player: int, area: str) -> bool:
        """Whether an area of the mission is full, of one kind."""
        pattern = "".join(self.printed["missions"][self.figures[player]["mission"]]["rows"])
        squares = [square for square, letter in enumerate(pattern) if letter == area]
        kinds = self.kinds(player, squares)
        return len(kinds) == len(squares) and len(set(kinds)) < 2

    def score(self, position: Line) -> None:
        """Points, distances, and who wins."""
        white = self.printed["abbots"]["white"]
        general = sum(card[1] for card in self.points_card if card)
        general += sum(white[value - 1] for cards in self.room.values() for value in cards)
        if self.alone:
            self.his_cards = position["henricus"]["cards"]
        for (player, mine), told in zip(self.figures.items(), position["players"]):
            self.score_player(player, mine, general, told["benedicts"])
        if self.alone:
            his, beans = position["henricus"], sum(card[1] for card in self.his_cards)
            benedicts = [*his["low"], *his["high"]].count(BENEDICT) * self.printed["benedicts"]["vp"]
            score = beans + self.corner_points[HENRICUS] + benedicts - abs(beans - general) // 2
            self.figures[1] |= {"automaton": score, "share": float(self.figures[1]["score"] >= score)}
            return
        aequalis = self.points_card[3] if self.points_card else None
        merit = {
            player: (mine["score"], self.kinds(player).count(aequalis[0]) if aequalis else 0)
            for player, mine in self.figures.items()
        }
        winners = [player for player in merit if merit[player] == max(merit.values())]
        for player, mine in self.figures.items():
            mine["share"] = (player in winners) / len(winners)

    def score_player(self, player: int, mine: Figures, general: int, benedicts: int) -> None:
        """A player's points, and what they come from."""
        printed, portrait = self.printed, self.portraits[player]
        for rank, card in zip(RANKS, self.points_card):
            mine[f"kind.{rank}"] = self.kinds(player).count(card[0]) if card else 0
            mine["points.garden"] += mine[f"kind.{rank}"] * printed["points"][rank]
        if not self.rules["points_card"]:
            mine["points.lines"] = sum(self.worth(self.kinds(player, line)) for line in ROWS_AND_COLUMNS)
        mine["empty"] = portrait.count(None)
        mine["points.corners"], mine["points.benedicts"] = (
            self.corner_points[player],
            benedicts * printed["benedicts"]["vp"],
        )
        complete = False
        if mine["mission"]:
            mission = printed["missions"][mine["mission"]]
            mine["points.mission"] = mission["vp"] * self.filled(player, "p")
            complete = bool(mission["halves"]) and all(self.filled(player, area) for area in "pab")
        mine["halved"] = int(complete or self.has_most(player))
        abbot = sum(card[1] for card in portrait if card) + mine["empty"] * printed["track"]["empty_square"]
        mine["distance"] = abs(abbot - general)
        mine["points.distance"] = -(mine["distance"] // 2 if mine["halved"] else mine["distance"])
        mine["score"] = sum(mine[f"points.{source}"] for source in SOURCES)

    def worth(self, kinds: list[str]) -> int:
        """Points of a row or column, where no points card is used."""
        different = len(set(kinds))
        if len(kinds) == 3 and different != 2:
            return int(self.printed["lines"]["three_equal" if different == 1 else "three_different"])
        return int(self.printed["lines"]["two_equal"]) if different < len(kinds) else 0

    def has_most(self, player: int) -> bool:
        """Whether nobody has more cards of the kind of the player's starting card, of which there is one."""
        card = self.starting_cards[player - 1]
        held = [self.kinds(other).count(card[0]) for other in self.figures] if card else []
        if card and self.alone:
            held.append(sum(other[0] == card[0] for other in self.his_cards))
        return bool(card) and held[player - 1] > 0 and held[player - 1] == max(held)


recount = AbbatesTally.recount
