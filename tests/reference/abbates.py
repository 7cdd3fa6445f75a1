"""Abbates written down a second time, from the rulebook and the rulings on it, in the rulebook's order and as plain as
it goes.

`check` follows the record of a game (docs/record.md) and raises `Difference` where this engine disagrees: games of the
fast engine are checked against it. What the rulebook leaves open and no ruling settles is marked "reading" where it is
decided. What lies on the table stands in abbates_table.py; arcade actions, taking and filling up in abbates_taking.py;
the end in abbates_scoring.py; the rest of the rules here. How a record is compared stands in follow.py.
"""

from collections.abc import Iterable
from typing import Any

from tests.reference.abbates_scoring import Scoring
from tests.reference.abbates_table import PHASES, ROUNDS, Abbot, Henricus, Player, Requests
from tests.reference.abbates_taking import Taking
from tests.reference.follow import Ask, Chance, Difference, Line, Phase, follow

__all__ = ["Difference", "Game", "check"]

MISSIONS_EACH = {"one": 1, "two": 2, "three": 3}


def check(lines: Iterable[Line], finished: bool = True) -> None:
    """Follow a record to its end (or as far as it goes, if it need not be finished); raise `Difference` at the first
    disagreement."""
    follow(lines, begin, finished)


def begin(line: Line) -> "Game":
    """The game of a record's first line."""
    if (
        line.get("game") != "abbates"
        or line.get("format") != 1
        or line.get("players") not in (1, 2, 3, 4)
        or "printed" not in line
    ):
        raise Difference("expected a game of abbates for 1 to 4 players, in format 1, with what is printed")
    return Game(line["printed"], line["players"])


class Game(Taking, Scoring):
    """The course of a game: `play` asks for each choice and each chance event, and is sent what came of it."""

    def play(self) -> Requests:
        """The game from the set-up to the end."""
        yield from self.set_up()
        for number in range(1, ROUNDS + 1):
            self.round = number
            self.put_pawns_on_ora()
            for phase in range(1, PHASES + 1):
                self.phase = phase
                ranking = yield from self.play_cards()
                if phase < PHASES:
                    yield from self.take_cards(ranking)
                    yield from self.fill_up()
                self.lay_down(ranking)
                if phase < PHASES:
                    yield Phase("filled")
            yield from self.finish_round()
            yield Phase("round")
        yield from self.score_finally()

    def put_pawns_on_ora(self) -> None:
        """A round begins on the first square of Ora et Labora."""
        for player in self.players:
            player.ora = 1 if self.rules["ora_et_labora"] else None

    # Set-up

    def set_up(self) -> Requests:
        """Garden cards and arcade cards are laid out; everybody gets a mission or a starting card, or both."""
        self.put_pawns_on_ora()
        self.lay_out((yield Chance("setup")))
        if not self.rules["points_card"]:
            self.deal_starting_cards((yield Chance("starting_cards")))
        if self.rules["missions"]:
            self.deal_missions((yield Chance("missions")))
        if self.henricus:
            for name in ("low", "high"):
                yield from self.turn_up(self.henricus, name)
        if self.rules["missions"]:
            for player in self.players:
                if len(player.offered) > 1:
                    choice = yield Ask(player.seat, "mission", [{"mission": mission} for mission in player.offered])
                    player.mission = choice["mission"]
        yield Phase("setup")

    def lay_out(self, line: Line) -> None:
        """The points card, nine squares of the garden, three spaces, what had to be discarded, and an arcade card for
        each line."""
        cards = self.unseen.total()
        if self.rules["points_card"]:
            self.fill_points_card(line.get("points_card"), line.get("discard"))
            cards -= len(self.discard) + sum(card is not None for card in self.points_card)
        elif line.get("points_card") != [] or line.get("discard") != []:
            raise Difference(f"expected no points card and no discarded card, the record has {line}")
        else:
            # Starting cards are drawn before all others.
            cards = max(0, cards - len(self.players))
        for name in ("garden", "refill"):
            row, shown = getattr(self, name), line.get(name)
            wanted = min(cards, len(row))
            if (
                not isinstance(shown, list)
                or len(shown) != len(row)
                or any((card is None) != (i >= wanted) for i, card in enumerate(shown))
            ):
                raise Difference(f"{name}: expected {wanted} cards in {len(row)} places, the record has {shown!r}")
            row[:wanted] = [self.reveal(card) for card in shown[:wanted]]
            cards -= wanted
        self.judge_arcade(line.get("arcade"))
        self.arcade = line["arcade"]

    def fill_points_card(self, shown: Any, discarded: Any) -> None:
        """Three different kinds and one more card; a kind that is already there goes on the discard pile."""
        if not isinstance(shown, list) or len(shown) != 4 or not isinstance(discarded, list):
            raise Difference(
                f"expected a points card of four places and a discard pile, the record has {shown!r}, {discarded!r}"
            )
        self.points_card = [None if card is None else self.reveal(card) for card in shown]
        self.discard = [self.reveal(card) for card in discarded]
        kinds = [card[0] for card in shown[:3] if card]
        filled = sum(card is not None for card in shown)
        if None in shown[:filled] or len(set(kinds)) < len(kinds) or filled == 0:
            raise Difference(f"no such points card: {shown}")
        if filled < 4 and self.unseen.total():
            raise Difference(f"there are cards left for the points card {shown}")
        # Once the third kind has been found nothing more is discarded.
        if any(card[0] not in kinds[:2] for card in discarded):
            raise Difference(f"with the points card {shown} there is no reason to discard all of {discarded}")
        self.general = sum(card[1] for card in shown if card)

    def judge_arcade(self, shown: Any) -> None:
        """Each round has three cards of its own set, palm cards among them if they are played with."""
        printed = self.printed["arcade"]
        if not isinstance(shown, list) or len(shown) != 3 * ROUNDS:
            raise Difference(f"arcade: expected {3 * ROUNDS} effects, the record has {shown!r}")
        for number in range(ROUNDS):
            left = printed[f"round{number + 1}"] + (printed["palms"] if self.rules["palms"] else [])
            if not self.rules["arcade_actions"]:
                left = ["none"] * 3
            for effect in shown[3 * number : 3 * number + 3]:
                if effect not in left:
                    raise Difference(f"arcade of round {number + 1}: {effect!r} cannot lie there, left are {left}")
                left.remove(effect)

    def deal_starting_cards(self, line: Line) -> None:
        """A secret card for each player. Reading: as long as there are cards."""
        cards = line.get("cards")
        if not isinstance(cards, list) or len(cards) != len(self.players):
            raise Difference(f"expected {len(self.players)} starting cards, the record has {cards!r}")
        for player, card in zip(self.players, cards):
            player.starting_card = self.reveal(card) if self.unseen.total() else None
            if player.starting_card != card:
                raise Difference(f"player {player.seat} can draw no starting card {card!r}")

    def deal_missions(self, line: Line) -> None:
        """Missions to choose from, different ones; alone only those of the level, if there are any."""
        missions = self.printed["missions"]
        left = list(missions)
        if self.henricus:
            palms = self.printed["solo"][self.rules["solo_level"]]["palms"]
            left = [name for name in missions if missions[name]["palms"] == palms] or left
        each = min(MISSIONS_EACH[self.rules["missions_choice"]], len(left) // len(self.players))
        dealt = line.get("dealt")
        if not isinstance(dealt, list) or len(dealt) != len(self.players) or any(len(mine) != each for mine in dealt):
            raise Difference(f"expected {each} missions for each player, the record has {dealt!r}")
        for player, mine in zip(self.players, dealt):
            for mission in mine:
                if mission not in left:
                    raise Difference(f"{mission!r} cannot be dealt, left are {left}")
                left.remove(mission)
            player.offered = mine
            player.mission = mine[0] if len(mine) == 1 else None

    # Action 1: playing cards

    def play_cards(self) -> Requests:
        """All play, and conditions are checked; the winner's card comes to the Chapter Room. Returns who has played,
        the highest first."""
        played: list[tuple[Abbot, int]] = []
        for abbot in self.from_starting():
            if isinstance(abbot, Henricus):
                yield from self.henricus_plays(abbot)
            else:
                yield from self.play_card(abbot, [value for _, value in played])
                self.check_condition(abbot)
            if abbot.played:
                played.append((abbot, abbot.played))
        # Of equal cards the earlier one is higher.
        ranking = [abbot for abbot, _ in sorted(played, key=lambda entry: -entry[1])]
        if ranking:
            self.win(ranking[0])
        yield Phase("cards")
        return ranking

    def play_card(self, player: Player, others: list[int]) -> Requests:
        """A card whose value nobody has played; if there is no such card, any or none."""
        values = [value for value in player.values if value not in others]
        if not values and self.rules["forced_duplicate"] == "allowed":
            values = player.values
        if not values:
            return
        choice = yield Ask(player.seat, "abbot", [{"value": value} for value in values])
        player.give_up(choice["value"])
        player.played = choice["value"]

    def henricus_plays(self, henricus: Henricus) -> Requests:
        """A card from one of his piles, by the purple squares of the general's line."""
        name = "high" if self.line is None or self.purple_on_line() >= self.printed["solo"]["high_from"] else "low"
        if not getattr(henricus, name):
            name = {"low": "high", "high": "low"}[name]
        pile = getattr(henricus, name)
        if not pile:
            return
        line = yield Chance("henricus", henricus.seat, name)
        if line.get("pile") != name or line.get("value") not in pile:
            raise Difference(f"Henricus plays from the {name} pile of {pile}, the record has {line}")
        top = getattr(henricus, f"{name}_top")
        if top not in (None, line["value"]):
            raise Difference(f"on top of the {name} pile lies {top}, the record has {line}")
        pile.remove(line["value"])
        henricus.played = line["value"]
        yield from self.turn_up(henricus, name)

    def turn_up(self, henricus: Henricus, name: str) -> Requests:
        """Another card comes to lie on top of a pile of his; it is seen if the piles lie face up."""
        setattr(henricus, f"{name}_top", None)
        pile = getattr(henricus, name)
        if not pile or self.rules["henricus_piles"] == "face_down":
            return
        line = yield Chance("top", pile=name)
        if line.get("pile") != name or line.get("value") not in pile:
            raise Difference(f"a card of the {name} pile of {pile} turns up, the record has {line}")
        setattr(henricus, f"{name}_top", line["value"])

    def check_condition(self, player: Player) -> None:
        """The pawn on Ora et Labora moves on, or is removed."""
        if player.ora is None:
            return
        value, ora = player.played, self.printed["ora"]
        condition = ora["faces"][self.round - 1][player.ora - 1]
        met = (
            value is not None
            and {
                "low": value <= ora["low_last"],
                "high": value > ora["low_last"],
                "odd": value % 2 == 1,
                "even": value % 2 == 0,
            }[condition]
        )
        player.ora = player.ora + 1 if met else None

    def win(self, winner: Abbot) -> None:
        """The card goes to the Chapter Room, the general moves; in phase 4 the winner gets the corner card."""
        self.general += self.printed["abbots"]["white"][winner.played - 1]
        winner.room = sorted([*winner.room, winner.played])
        winner.played = None
        if self.phase == PHASES:
            corner = self.printed["corners"][f"corner{self.round}"]
            benedicts = corner["per_card"] * len(winner.room)
            winner.corner_points += corner["vp"] + benedicts * self.printed["benedicts"]["vp"]

    # Action 3 and the end of a round

    def lay_down(self, ranking: list[Abbot]) -> None:
        """Played cards go on the own discard piles; the lowest card makes the next starting player."""
        for abbot in self.abbots:
            if abbot.played:
                abbot.discards = sorted([*abbot.discards, abbot.played])
                abbot.played = None
        if self.henricus:
            if self.rules["henricus_step"] == "phases" or (ranking and ranking[0] is self.henricus):
                self.henricus.step = self.henricus.step % 3 + 1  # from the last row to the first
        elif ranking:
            self.starting = ranking[-1]

    def finish_round(self) -> Requests:
        """One card comes back from each discard pile, the rest leaves the game; Benedict cards are earned."""
        returns = self.printed["corners"][f"corner{self.round}"]["returns"]
        for abbot in self.abbots:
            if abbot.discards and (self.round < ROUNDS or self.rules["last_card_back"]):
                highest = returns == "highest" or isinstance(abbot, Henricus)
                pile = abbot.take_back(abbot.discards[-1 if highest else 0])
                if isinstance(abbot, Henricus):
                    yield from self.turn_up(abbot, pile)  # it has been shuffled
            abbot.discards = []
        for player in self.players:
            if player.ora == PHASES + 1:
                player.benedicts += 1
