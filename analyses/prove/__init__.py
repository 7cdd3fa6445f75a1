"""Whether a game keeps to its contract: what `chapterhouse prove` looks for, and what it says of it.

    finding.py   what a check yields
    case.py      the game, its tables and readings, and games of it step by step
    records.py, positions.py, chance.py, worlds.py, seats.py, recounts.py, runs.py, numbers.py, players.py, coverage.py
                 the checks
    lines.py     lines of the rules: which ones run, which one wrote a field last
    checked.py   records that refuse an index below 0, for games without the JIT
    golden.py    games whose digests are kept
    work.py      checks in processes of their own, two at a time
    stamp.py     what has been proved, and when

A check is a function of a case that yields findings. The contract tests call the same functions.
"""
