"""Millers: everything that is counted, counted again from the record of a game."""

from sim.recounting import RecountError


def recount(lines):
    """Return the figures of each seat."""
    told = iter(lines)
    first = next(told)
    printed, players = first["printed"], first["players"]
    mine = [dict.fromkeys(("grain", "sacks", "spoilt", "rolls"), 0) for _ in range(players)]
    turns = repeated = 0
    again = False
    for line in told:
        seat = (turns // players + turns) % players  # each round another player begins
        if line["event"] == "decision":
            act, position = line["options"][line["choice"] - 1]["act"], line["position"]
            if line["player"] != seat + 1:
                raise RecountError(f"player {line['player']} is asked, it is the turn of {seat + 1}")
            if not 1 <= position["die"] <= printed["faces"]:
                raise RecountError(f"a die with {printed['faces']} faces shows {position['die']}")
            mine[seat]["rolls"] += not repeated
            if act == "again" and repeated < printed["again"]:
                mine[seat]["rolls"] += 1
                repeated, again = repeated + 1, True
                continue
            if act == "store":
                mine[seat]["grain"] += position["die"]
            elif act == "grind" and position["die"] + position["windmill"] >= printed["heavy"]:
                mine[seat]["sacks"] += 1
            else:
                raise RecountError(f"{act} with a {position['die']} in a wind of {position['windmill']}")
            turns, repeated = turns + 1, 0
        elif line["event"] == "phase" and again:
            again, die = False, line["position"]["die"]
            if die == printed["mould"]:
                raise RecountError(f"a repeated roll shows a {die}, and the turn goes on")
            if die == 0:
                mine[seat]["spoilt"] += 1
                turns, repeated = turns + 1, 0
    if turns != players * printed["rounds"]:
        raise RecountError(f"{turns} turns in {printed['rounds']} rounds of {players} players")
    return [scored(printed, mine, seat) for seat in range(players)]


def scored(printed, mine, seat):
    """Return the figures of a seat with its points."""
    most = max(one["sacks"] for one in mine)
    holders = [one["sacks"] for one in mine].count(most)
    shared = holders == 1 or printed["rules"]["tied"] == "all"

    def guild(one):
        return printed["points"]["guild"] if one["sacks"] == most > 0 and shared else 0

    def rank(one):
        return one["grain"] + one["sacks"] * printed["points"]["sack"] + guild(one), one["sacks"]

    best, own = max(map(rank, mine)), mine[seat]
    return {
        "score": rank(own)[0],
        "share": 1 / [rank(one) for one in mine].count(best) if rank(own) == best else 0.0,
        "points.grain": own["grain"],
        "points.flour": own["sacks"] * printed["points"]["sack"],
        "points.guild": guild(own),
        "sacks": own["sacks"],
        "spoilt": own["spoilt"],
        "rolls": own["rolls"],
        "flour": "none" if not own["sacks"] else "most" if own["sacks"] == most else "some",
    }
