"""How much skill there is: each strategy against the one below, and what playing one phase at random costs."""

from analyses import frames as pd
from analyses.ladder import STRONGER, UNDECIDED, WEAKER, Ladder, Step, steps_table
from analyses.phases import Cost, by_level, costs_table
from reports import style, words
from reports.drawing import Scale
from reports.figures import dots
from reports.parts import Block, Figure, Ground, Part, Section, Text, count_words
from reports.tables import Column, Columns, Table, table

NAME, TITLE = "ladder", "How much skill there is"
FEW = 500  # games: with fewer, the page says that intervals are wide


def sections(ground: Ground, ladder: Ladder | None) -> list[Section]:
    """Return the sections on the steps and on the phases; none if the run finished no step."""
    if ladder is None or not ladder.steps:
        return []
    numbers: list[Block] = [Text([introduction(ladder), *sentences(ladder)]), _steps(ladder)]
    steps = Section(NAME, title(ladder), [_figure(ground, ladder)], numbers, "How much skill there is")
    if not ladder.costs:
        return [steps]
    numbers = [Text([costing(ladder), *dearest(ladder)]), _costs(ladder)]
    return [steps, Section("phases", _matters(ladder), [_phases(ground, ladder)], numbers, "Which phase matters")]


def frames(ladder: Ladder | None) -> "dict[str, pd.DataFrame]":
    """Return the tables of the section by file name. We leave out times, so the same run gives the same files."""
    if ladder is None or not ladder.steps:
        return {}
    made = {"ladder": steps_table(ladder, seconds=False)} | (
        {"phases": costs_table(ladder.costs)} if ladder.costs else {}
    )
    for frame in made.values():
        frame.insert(0, "players", ladder.players)
    return made


# --- in words, for the page and the terminal alike --------------------------------------------------------------------


def introduction(ladder: Ladder) -> str:
    """Return how we measured a step."""
    seats = (
        "one seat each"
        if ladder.players == 2
        else "half of the seats each" + (" over two games" if ladder.players % 2 else "")
    )
    text = (
        f"Each strategy played against the one below it, with {count_words(ladder.players)}, {seats}. They played "
        "every set of dice and draws twice and changed places the second time, so both had the same luck in the same "
        "seats. We count how many games the strategy's seats win together: two that play equally well win 50 % each."
    )
    looking = [step for step in ladder.steps if ":" in step.strategy]
    if looking:
        text += (
            f" A name such as {looking[0].strategy} means a strategy that looks ahead: for each decision it plays up "
            "to that many games to the end in imagined worlds."
        )
        if (fewest := min(step.games for step in looking)) < FEW:
            text += f" That is slow, so these steps have few games (from {fewest}) and wide intervals."
    return text


def wins(step: Step) -> str:
    """Return `greedy wins 78.2 % (between 76.9 and 79.4) against random_legal`."""
    return f"{step.strategy} wins {words.percent_between(step.win_share, step.low, step.high)} against {step.below}"


def sentences(ladder: Ladder) -> list[str]:
    """Return what the steps show: where play gets better, where it doesn't, and how often the better player is
    ahead."""
    said = []
    up = [step for step in ladder.steps if step.word == STRONGER]
    for word, steps in (("Stronger", up), ("Weaker", [step for step in ladder.steps if step.word == WEAKER])):
        if steps:
            said.append(f"{word} than the step below: {'; '.join(wins(step) for step in steps)}.")
    unsure = [step.strategy for step in ladder.steps if step.word == UNDECIDED]
    if unsure:
        said.append(f"These games can't tell apart from the step below: {words.listed(unsure)}.")
    found = [" ".join(said)]
    if up:
        least, most = min(up, key=lambda step: step.better_wins), max(up, key=lambda step: step.better_wins)
        each = f"{_better(least)} ({least.strategy} beside {least.below})"
        if least is not most:
            each += f" to {_better(most)} ({most.strategy} beside {most.below})"
        found.append(
            "How often does the better player win? Put a player from one step and a player from the step below at a "
            f"table: the better one scores more in {each} of games, counting a tie as half."
        )
    return found


def _better(step: Step) -> str:
    # About as sure as the win share, which comes from the same games.
    return words.percent(
        step.better_wins, step.better_wins - (step.high - step.low) / 2, step.better_wins + (step.high - step.low) / 2
    )


def title(ladder: Ladder) -> str:
    """Return what the figure shows, as its title."""
    up = [step for step in ladder.steps if step.word == STRONGER]
    if len(up) == len(ladder.steps):
        return (
            "Every step up wins more often than the one below"
            if len(up) > 1
            else f"{up[0].strategy} wins more than {up[0].below}"
        )
    number, win = words.count(len(up)).capitalize() if up else "None", "win" if len(up) > 1 else "wins"
    return f"{number} of {words.many(len(ladder.steps), 'step')} {win} more often than the one below"


def costing(ladder: Ladder) -> str:
    """Return how we measured the cost of a phase."""
    return (
        "One player makes every decision of one phase at random, and the others play as always "
        f"({count_words(ladder.players)}, all with the same strategy). The cost is how far that player's wins fall "
        f"below a fair share of {words.par(ladder.players)}, and how many points the player loses against the same "
        "games played normally. A phase costs nothing if its choices don't matter, or if this strategy chooses no "
        "better than chance. All intervals of one strategy hold at once."
    )


def dearest(ladder: Ladder) -> list[str]:
    """Return for each level the dearest and the cheapest phase."""
    found = []
    for level, costs in by_level(ladder.costs).items():
        order = sorted(costs, key=lambda cost: -cost.cost)
        text = f"With {level} in every seat, playing {named(order[0].phase)} at random costs {lost(order[0])}"
        if len(order) > 1:
            text += f"; {named(order[-1].phase)} {lost(order[-1])}"
        unsure = [named(cost.phase) for cost in order if not cost.sure]
        found.append(f"{text}." + (f" No measurable effect: {words.listed(unsure)}." if unsure else ""))
    return found


def named(phase: str) -> str:
    """Return the name of a phase for the middle of a sentence."""
    return phase if " " in phase else phase.replace("_", " ").replace(".", " ")


def lost(cost: Cost) -> str:
    """Return `23.8 wins in 100 games (between 20.7 and 26.8) and 48 points`."""
    places = words.decimals(100 * words.half_width(cost.cost, cost.low, cost.high), 1)
    between = words.interval(100 * cost.low, 100 * cost.high, places, "and")
    points = words.number(cost.points, cost.points_low, cost.points_high, most=1)
    return f"{words.fixed(100 * cost.cost, places)} wins in 100 games (between {between}) and {points} points"


# --- figures and tables -----------------------------------------------------------------------------------------------


def _figure(ground: Ground, ladder: Ladder) -> Figure:
    rows = [
        {"label": step.strategy, "value": 100 * step.win_share, "low": 100 * step.low, "high": 100 * step.high}
        | {
            "colour": ground.strategies.get(step.strategy, "accent"),
            "text": words.percent(step.win_share, step.low, step.high),
        }
        for step in reversed(ladder.steps)
    ]
    reach = min(100 * step.low for step in ladder.steps)
    ticks = [
        (at, f"{at:.0f} %" if at == 50 else f"{at:.0f}") for at in (0, 25, 50, 75, 100) if at >= min(50, reach) - 25
    ]
    low = min(reach, ticks[0][0])
    scale = Scale(ticks, 50, None, (low - 3, 103), "wins in 100 games against the step below")
    alt = "Wins against the step below, weakest at the bottom. " + ". ".join(wins(step) for step in ladder.steps)
    note = (
        "The weakest step is at the bottom. Each dot shows wins against the row below it; the lowest row played "
        f"{ladder.rungs[0]}. Bars: 95 % intervals, for all steps at once. Line: two that play equally well."
    )
    return Figure("Wins against the step below", [ground.drawn(dots, rows, scale, words.sentence(alt))], note)


def _steps(ladder: Ladder) -> Table:
    columns: Columns = [
        "strategy",
        Column("against", "below"),
        Column("wins %", "win_share", "low", "high", factor=100, bounds=True),
        Column("points", "score", most=1),
        Column("points below", "score_below", most=1),
        Column("ahead %", "better_wins", factor=100, most=1),
        "games",
    ]
    note = (
        "Wins: the games that the strategy's seats win together; a shared win counts in parts. Ahead: how often a "
        "player from the upper step outscores a player from the lower one at the same table; a tie counts half."
    )
    return table(
        steps_table(ladder, seconds=False),
        columns,
        f"Each step against the one below, {count_words(ladder.players)}",
        note=note,
    )


def _phases(ground: Ground, ladder: Ladder) -> Figure:
    levels = by_level(ladder.costs)
    ends = [100 * end for cost in ladder.costs for end in (cost.low, cost.high)]
    par = 100 / ladder.players
    low, high = min([*ends, 0.0]), max([*ends, par])
    step = next((s for s in (1, 2, 5, 10, 20) if (high - low) / s <= 5), 50)
    ticks = [(k * step, f"{k * step}") for k in range(int(low / step), int(high / step) + 1)]
    room = 0.05 * (high - low)
    scale = Scale(ticks, 0.0, None, (low - room, high + room), "wins lost in 100 games")
    order = [cost.phase for cost in sorted(levels[ladder.costs[-1].level], key=lambda cost: -cost.cost)]
    panels = []
    for level, costs in levels.items():
        colour = ground.strategies.get(level, "accent")
        rows = [
            {
                "label": style.spoken(cost.phase),
                "value": 100 * cost.cost,
                "low": 100 * cost.low,
                "high": 100 * cost.high,
            }
            | {"colour": colour, "text": words.number(100 * cost.cost, 100 * cost.low, 100 * cost.high, most=1)}
            for cost in sorted(costs, key=lambda cost: order.index(cost.phase))
        ]
        said = "; ".join(f"{named(cost.phase)} {lost(cost)}" for cost in costs)
        alt = words.sentence(f"{level}, what playing a phase at random costs. {said}")
        panels.append(ground.drawn(dots, rows, scale, alt, level))
    note = (
        "Wins in 100 games that a player loses by playing that phase at random. "
        "Bars: 95 % intervals, for all phases of one strategy at once."
    )
    return Figure("Wins lost when one phase is played at random", panels, note)


def _matters(ladder: Ladder) -> str:
    """Return the phase that matters most to the best of the strategies."""
    level = ladder.costs[-1].level
    dear = max(by_level(ladder.costs)[level], key=lambda cost: cost.cost)
    costs = lost(dear).partition(" (")[0]
    return f"For {level}, {named(dear.phase)} matters most: played at random it costs {costs}"


def _costs(ladder: Ladder) -> Table:
    columns: Columns = [
        Column("strategy", "level"),
        Column("phase at random", lambda row: style.spoken(row["phase"])),
        Column("wins lost, %", "cost", "low", "high", factor=100, bounds=True, most=1),
        Column("points lost", "points", "points_low", "points_high", bounds=True, most=1),
        "games",
    ]
    return table(
        costs_table(ladder.costs),
        columns,
        f"One player plays a phase at random, {count_words(ladder.players)}",
        folded=True,
    )


def part(found: Ladder) -> Part:
    """Return the page of its own."""
    ground = Ground.of(found.game, strategies=style.colours("strategy", found.rungs))
    head = words.sentence(title(found))
    return Part(NAME, TITLE, head, [], sections(ground, found), frames(found), found, found.all_games)
