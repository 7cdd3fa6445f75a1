"""Lanterns: everything that is counted, counted again from the record of a game."""

from sim.recounting import BaseTally, RecountError

COUNTS = ("gold", "lanterns", "last", "tricks", "leads", "highest")


class Tally(BaseTally):
    """What the players of one game have done so far.

    Attributes:
        printed: what is printed. mine: counts, by player. table: the card of each player, in the order of play.
        seen: cards that have been laid. leader: who begins the trick. taken: tricks that are over.
    """

    def __init__(self, first):
        self.printed = first["printed"]
        self.mine = {player: dict.fromkeys(COUNTS, 0) for player in range(1, first["players"] + 1)}
        self.table, self.seen, self.leader, self.taken = {}, set(), 1, 0

    @property
    def figures(self):
        """The figures of each player."""
        if self.taken != self.printed["tricks"]:
            raise RecountError(f"{self.taken} tricks, {self.printed['tricks']} are printed")
        ranks = {player: self.rank(player) for player in self.mine}
        best = max(ranks.values())
        winners = [player for player in self.mine if ranks[player] == best]
        return {
            player: {
                "score": ranks[player][0],
                "share": 1 / len(winners) if player in winners else 0.0,
                **{f"points.{name}": points for name, points in self.points(player).items()},
                **{name: mine[name] for name in ("tricks", "leads", "highest")},
                "most": "neither" if mine["gold"] == mine["lanterns"] else max(("gold", "lanterns"), key=mine.get),
            }
            for player, mine in self.mine.items()
        }

    def points(self, player):
        """Return a player's points by source."""
        mine, points = self.mine[player], self.printed["points"]
        row = sum(range(mine["lanterns"] + 1))
        sources = {"gold": points["gold"] * mine["gold"], "lanterns": points["lantern"] * row}
        return sources | {"last": points["last"] * mine["last"]}

    def rank(self, player):
        """Return what decides who wins."""
        lanterns = self.printed["rules"]["level"] == "lanterns"
        return sum(self.points(player).values()), lanterns * self.mine[player]["lanterns"]

    def decided(self, player, asks, option):
        """A card has been laid, or a prize taken."""
        order = [(self.leader + i - 1) % len(self.mine) + 1 for i in range(len(self.mine))]
        if len(self.table) == len(order):
            asked, kind = (min if self.printed["rules"]["low"] else max)(self.table, key=self.table.get), "prize"
        else:
            asked, kind = order[len(self.table)], "card"
        if (player, asks) != (asked, kind):
            raise RecountError(f"player {player} is asked for a {asks}, not player {asked} for a {kind}")
        mine = self.mine[player]
        if kind == "card":
            self.lay(player, option["card"])
            return
        mine["tricks"] += 1
        mine["gold" if option["gold"] else "lanterns"] += 1
        self.table, self.leader, self.taken = {}, player, self.taken + 1
        mine["last"] += self.taken == self.printed["tricks"]

    def lay(self, player, card):
        """A player lays a card that nobody has laid before."""
        if card in self.seen or not 1 <= card <= self.printed["cards"]:
            raise RecountError(f"player {player} lays card {card}, which is not in the game or has been laid before")
        self.mine[player]["leads"] += not self.table
        self.mine[player]["highest"] = max(self.mine[player]["highest"], card)
        self.table[player] = card
        self.seen.add(card)


recount = Tally.recount
