"""Abbates, the end of the game: points, distance from the general, who wins. A part of the game in abbates.py."""

from tests.reference.abbates_table import BENEDICT, LINES, SOURCES, Henricus, Player, Requests, Table
from tests.reference.follow import End, Phase


class Scoring(Table):
    """Everything that is counted."""

    def score_finally(self) -> Requests:
        """Abbots move for empty squares, then points are counted."""
        for player in self.players:
            player.bean += self.printed["track"]["empty_square"] * player.portrait.count(None)
        yield Phase("scoring")
        sources = [self.points_of(player) for player in self.players]
        scores = [sum(points.values()) for points in sources]
        more = {"distance": [abs(player.bean - self.general) for player in self.players]}
        if self.henricus:
            more["henricus"] = self.score_of_henricus(self.henricus)
            shares = [int(scores[0] >= more["henricus"])]  # a tie goes to the person
        else:
            shares = self.shares_of(scores)
        yield End(scores, shares, sources, more)

    def points_of(self, player: Player) -> dict[str, int]:
        """A player's points by source."""
        points = dict.fromkeys(SOURCES, 0)
        if self.rules["points_card"]:
            points["garden"] = sum(self.worth(card[0]) for card in player.portrait if card)
        else:
            points["lines"] = sum(
                self.points_of_line([player.portrait[square - 1] for square in LINES[line]]) for line in range(1, 7)
            )
        if player.mission and self.filled(player, "p"):
            points["mission"] = self.printed["missions"][player.mission]["vp"]
        points["corners"] = player.corner_points
        points["benedicts"] = player.benedicts * self.printed["benedicts"]["vp"]
        distance = abs(player.bean - self.general)
        points["distance"] = -(distance // 2 if self.halves(player) else distance)
        return points

    def points_of_line(self, cards: list) -> int:
        """Points of a row or column where no points card is used."""
        kinds = [card[0] for card in cards if card]
        lines = self.printed["lines"]
        if len(kinds) == 3 and len(set(kinds)) == 1:
            return lines["three_equal"]
        if len(kinds) > len(set(kinds)):
            return lines["two_equal"]
        return lines["three_different"] if len(kinds) == 3 else 0

    def filled(self, player: Player, area: str) -> bool:
        """Whether an area of the player's mission is full, and of one kind; one that has no squares is."""
        squares = self.squares_of(player, area)
        kinds = [player.portrait[square][0] for square in squares if player.portrait[square]]
        return len(kinds) == len(squares) and len(set(kinds)) <= 1

    def squares_of(self, player: Player, area: str) -> list[int]:
        """The squares of an area of the player's mission, from 0."""
        return [
            square
            for square, letter in enumerate("".join(self.printed["missions"][player.mission]["rows"]))
            if letter == area
        ]

    def purple_on_line(self) -> int:
        """Purple squares of the person's mission in the general's line, in a game of one."""
        if not self.players[0].mission:
            return 0
        return sum(square + 1 in LINES[self.line] for square in self.squares_of(self.players[0], "p"))

    def halves(self, player: Player) -> bool:
        """Whether the minus points are halved: by the whole mission, or by the most cards of the kind of the starting
        card."""
        if (
            player.mission
            and self.printed["missions"][player.mission]["halves"]
            and all(self.filled(player, area) for area in "pab")
        ):
            return True
        if player.starting_card is None:
            return False
        kind = player.starting_card[0]
        own, others = self.count(player, kind), [self.count(other, kind) for other in self.players]
        if self.henricus:
            # Reading: he is somebody else.
            others.append(sum(card[0] == kind for card in self.henricus.cards))
        return own > 0 and own >= max(others)

    def count(self, player: Player, kind: str) -> int:
        """Cards of a kind on top of a portrait."""
        return sum(card[0] == kind for card in player.portrait if card)

    def shares_of(self, scores: list[int]) -> list[float]:
        """Shares of the win: of the best, those with the most cards of the kind on aequalis."""
        best = [player for player, score in zip(self.players, scores) if score == max(scores)]
        aequalis = self.points_card[3] if self.points_card else None
        if aequalis:
            most = max(self.count(player, aequalis[0]) for player in best)
            best = [player for player in best if self.count(player, aequalis[0]) == most]
        return [1 / len(best) if player in best else 0 for player in self.players]

    def score_of_henricus(self, henricus: Henricus) -> int:
        """His beans, corners and Benedict cards, less half the distance."""
        benedicts = [*henricus.low, *henricus.high].count(BENEDICT) * self.printed["benedicts"]["vp"]
        return henricus.bean + henricus.corner_points + benedicts - abs(henricus.bean - self.general) // 2
