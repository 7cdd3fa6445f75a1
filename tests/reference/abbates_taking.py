"""Abbates, action 2 and 3 of a phase: the arcade action, taking and placing garden cards, filling up. A part of the
game in abbates.py."""

from collections.abc import Generator
from typing import Any

from tests.reference.abbates_table import LINES, SEEN_BY_LOOKING, Abbot, Card, Henricus, Player, Requests, Table
from tests.reference.follow import Ask, Chance, Difference, Phase


class Taking(Table):
    """How garden cards come to the portraits, and the garden is filled again."""

    takes_from: int  # the line from which cards are taken

    def take_cards(self, ranking: list[Abbot]) -> Requests:
        """All get their garden cards.

        ranking: who has played a card, the highest first.
        """
        self.takes_from = self.line
        effect = self.arcade[self.line - 1] if self.rules["arcade_actions"] else "none"
        winner, lowest = (ranking[0], ranking[-1]) if ranking else (None, None)
        for abbot in ranking + [abbot for abbot in self.from_starting() if abbot not in ranking]:
            if abbot is winner:
                yield from self.win_card(abbot, effect)
            elif effect == "nothing" and winner:
                continue
            elif abbot is lowest or abbot not in ranking or effect == "draw" or isinstance(abbot, Henricus):
                yield from self.draw_blind(abbot)
            else:
                yield from self.choose_card(abbot, self.line_options())
        yield Phase("taking")

    def win_card(self, winner: Abbot, effect: str) -> Requests:
        """The winner acts, then takes a card of the line, or one that the action allows."""
        if isinstance(winner, Henricus):
            yield from self.henricus_takes()
            return
        yield from self.act(winner, effect)
        options = self.line_options()
        if effect == "refill":
            options += [
                {"from": "refill", "space": space, "card": card}
                for space, card in enumerate(self.refill, start=1)
                if card
            ]
        elif effect == "discard":
            cards = self.discard if self.rules["discard_pick"] == "any" else self.discard[-1:]
            options += [
                {"from": "discard", "card": card} for place, card in enumerate(cards) if card not in cards[:place]
            ]
        yield from self.choose_card(winner, options)

    def line_options(self) -> list[dict]:
        """The cards of the line from which is taken."""
        return [
            {"from": "line", "square": square, "card": self.garden[square - 1]}
            for square in self.on_line(self.takes_from)
        ]

    def choose_card(self, player: Player, sources: list[dict]) -> Requests:
        """A card of the player's choice, placed on the portrait in the general's line. Reading: where there is none,
        one is drawn blind."""
        if not sources:
            yield from self.draw_blind(player)
            return
        options = [{**source, "to": square} for source in sources for square in LINES[self.line]]
        choice = yield Ask(player.seat, "take", options)
        if choice["from"] == "line":
            self.garden[choice["square"] - 1] = None
        elif choice["from"] == "refill":
            self.refill[choice["space"] - 1] = None
        else:
            uppermost = max(place for place, card in enumerate(self.discard) if card == choice["card"])
            del self.discard[uppermost]
        player.place(choice["card"], choice["to"])

    def draw_blind(self, abbot: Abbot) -> Requests:
        """The uppermost card of the pile, if there is one."""
        if not self.pile:
            return
        line = yield Chance("draw", abbot.seat, "garden")
        if line.get("player") != abbot.seat:
            raise Difference(f"player {abbot.seat} draws, the record has {line}")
        card = self.take_top(line.get("card"))
        if isinstance(abbot, Henricus):
            abbot.cards.append(card)
            return
        choice = yield Ask(abbot.seat, "blind", [{"card": card, "to": square} for square in LINES[self.line]])
        abbot.place(card, choice["to"])

    # Arcade actions

    def act(self, player: Player, effect: str) -> Requests:
        """What the winner may do before a card is taken. Reading: also the actions of which the rulebook does not say
        when."""
        action = {
            "look": self.look,
            "swap": self.swap,
            "exchange": self.exchange,
            "move": self.move,
            "line": self.other_line,
            "remove": self.remove,
        }.get(effect)
        if action:
            yield from action(player)

    def turned_up(self, what: str, number: int) -> Generator[Any, Any, list[Card]]:
        """So many cards from the top of the pile, one after the other."""
        told = yield Chance(what)
        cards = told.get("cards")
        if not isinstance(cards, list) or len(cards) != number:
            raise Difference(f"expected {number} cards, the record has {cards!r}")
        return [self.take_top(card) for card in cards]

    def look(self, player: Player) -> Requests:
        """Look at the six uppermost cards of the pile and put them back in any order."""
        number = min(self.pile, SEEN_BY_LOOKING)
        if not number:
            return
        choice = yield Ask(player.seat, "look", [{"look": False}, {"look": True}])
        if not choice["look"]:
            return
        left = yield from self.turned_up("look", number)
        ordered: list[Card] = []
        while len(left) > 1:
            self.known = ordered + left
            options = [{"card": card} for place, card in enumerate(left) if card not in left[:place]]
            choice = yield Ask(player.seat, "order", options)
            left.remove(choice["card"])
            ordered.append(choice["card"])
        self.known = ordered + left

    def swap(self, player: Player) -> Requests:
        """A card of the portrait against one of the replenishment row."""
        squares = [square for square, card in enumerate(player.portrait, start=1) if card]
        spaces = [space for space, card in enumerate(self.refill, start=1) if card]
        options = [{"square": square, "space": space} for square in squares for space in spaces]
        choice = yield Ask(player.seat, "swap", [{"square": None}, *options])
        if choice["square"]:
            card = self.refill[choice["space"] - 1]
            self.refill[choice["space"] - 1] = player.portrait[choice["square"] - 1]
            player.place(card, choice["square"])

    def exchange(self, player: Player) -> Requests:
        """Cards of the line against cards of the replenishment row, each space once."""
        used: list[int] = []
        for square in self.on_line(self.line):
            spaces = [space for space, card in enumerate(self.refill, start=1) if card and space not in used]
            choice = yield Ask(
                player.seat, "exchange", [{"square": square, "space": space} for space in [None, *spaces]]
            )
            if space := choice["space"]:
                used.append(space)
                self.garden[square - 1], self.refill[space - 1] = self.refill[space - 1], self.garden[square - 1]

    def move(self, player: Player) -> Requests:
        """Two cards of the portrait change places."""
        squares = [square for square, card in enumerate(player.portrait, start=1) if card]
        pairs = [{"squares": [one, other]} for one in squares for other in squares if one < other]
        choice = yield Ask(player.seat, "move", [{"squares": None}, *pairs])
        if choice["squares"]:
            one, other = (square - 1 for square in choice["squares"])
            player.portrait[one], player.portrait[other] = player.portrait[other], player.portrait[one]

    def other_line(self, player: Player) -> Requests:
        """All take from another row or column."""
        own = sorted(LINES[self.line])
        options = [{"line": line} for line in range(1, 7) if LINES[line] != own]
        choice = yield Ask(player.seat, "line", [{"line": None}, *options])
        self.takes_from = choice["line"] or self.line

    def remove(self, player: Player) -> Requests:
        """An abbot card leaves the Chapter Room and the game; the general goes back."""
        cards = [{"player": abbot.seat, "value": value} for abbot in self.abbots for value in sorted(set(abbot.room))]
        choice = yield Ask(player.seat, "remove", [{"player": None}, *cards])
        if choice["player"]:
            self.abbots[choice["player"] - 1].room.remove(choice["value"])
            self.general -= self.printed["abbots"]["white"][choice["value"] - 1]

    # Filling up

    def fill_up(self) -> Requests:
        """What is left of the line goes on the discard pile; garden and replenishment row are filled."""
        for square in self.on_line(self.takes_from):
            self.discard.append(self.garden[square - 1])
            self.garden[square - 1] = None
        line = LINES[self.takes_from]
        gaps = [
            square
            for square in [*line, *(square for square in range(1, 10) if square not in line)]
            if not self.garden[square - 1]
        ]
        for space, card in enumerate(self.refill):
            if card and gaps:
                self.garden[gaps.pop(0) - 1], self.refill[space] = card, None
        spaces = [space for space, card in enumerate(self.refill) if not card]
        number = min(self.pile, len(gaps) + len(spaces))
        if not number:
            return
        drawn = yield from self.turned_up("fill", number)
        for square in gaps:
            self.garden[square - 1] = drawn.pop(0) if drawn else None
        for space in spaces:
            self.refill[space] = drawn.pop(0) if drawn else None

    # Henricus

    def henricus_takes(self) -> Requests:
        """Henricus has won: a card by the row of his pawn on the solo card."""
        henricus = self.henricus
        before = list(henricus.cards)
        # Reading: a card of another line leaves a gap there; it is still the general's line that is cleared and filled
        # first.
        squares = self.on_line(self.richest_line() if henricus.step == 3 else self.line)
        if squares:
            # of several the first from the general
            square = max(squares, key=lambda square: self.garden[square - 1][1])
            henricus.cards.append(self.garden[square - 1])
            self.garden[square - 1] = None
        else:
            yield from self.draw_blind(henricus)
        spaces = [space for space, card in enumerate(self.refill) if card]
        if henricus.step == 2 and before and spaces:
            given = min(
                before,
                key=lambda card: (card[1], self.worth(card[0]), ("books", "windows", "artefacts").index(card[0])),
            )
            space = max(spaces, key=lambda space: self.refill[space][1])
            henricus.cards.remove(given)
            henricus.cards.append(self.refill[space])
            self.refill[space] = given

    def richest_line(self) -> int:
        """Of the general's line, the one to the left and the one to the right, that with the most cards of the most
        black beans."""
        # He goes round the garden clockwise and faces it: what comes next is on his left.
        left, right = {"next": (self.line + 1, self.line - 1), "before": (self.line - 1, self.line + 1)}[
            self.rules["henricus_left"]
        ]
        lines = [line for line in (self.line, left, right) if (line - 1) // 3 == self.round - 1]
        beans = {line: [self.garden[square - 1][1] for square in self.on_line(line)] for line in lines}
        most = max((beans_on_card for on_line in beans.values() for beans_on_card in on_line), default=0)
        return max(lines, key=lambda line: beans[line].count(most))
