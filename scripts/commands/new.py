"""`new`: a folder with a small complete game, to be changed into one's own."""

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from scripts import options as o
from scripts.output import reason, tell, writing
from sim.guests import MAIN, ONE

TEMPLATES = Path(__file__).parents[1] / "templates"
ENDINGS = (".py", ".toml", ".md")  # of the files of a game
RULES = {"one": ONE, "many": MAIN}  # form → file
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")

Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="The folder to write; its name is the game's.")]
Many = Annotated[bool, o.option("--many", "", "Write the game as many files, as large games are, and not as one.")]


def new(folder: Folder, many: Many = False) -> None:
    """Begin a game of your own: a small dice game, complete and commented, that you change into yours."""
    path = Path(folder)
    if not NAME.fullmatch(path.name):
        o.refuse("FOLDER", repr(folder), "a name of at most 40 letters, digits, - and _ that begins with a letter")
    form = "many" if many else "one"
    files = {file: (TEMPLATES / form / file).read_text("utf-8") for file in _below(TEMPLATES / form)}
    try:
        path.mkdir()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        o.refuse("FOLDER", f"{folder!r} ({reason(error)})", "a folder that isn't there yet, where you may write")
    with writing(path):
        try:
            for file, text in files.items():
                (path / file).parent.mkdir(exist_ok=True)
                (path / file).write_text(_named(text, path), encoding="utf-8", newline="")
        except OSError:
            shutil.rmtree(path, ignore_errors=True)  # nothing is better than half a game
            raise
    typed = path.as_posix() if "/" in path.as_posix() else f"./{path}"
    tell(
        f"{folder}: a small dice game. Its rules are in {RULES[form]}; README.md says how to go on.",
        f"Try it: chapterhouse seats {typed}",
        "To run a game is to run its code: read one from somebody else before you play it.",
    )


def _below(folder: Path) -> list[Path]:
    """Return the files of a template, by their place in it."""
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.suffix in ENDINGS)


def _named(text: str, path: Path) -> str:
    """Return the text of a file with the name of the game for that of the template."""
    title = path.name.replace("_", " ").replace("-", " ").capitalize()
    return text.replace("Mygame", title).replace("./mygame", f"./{path.name}")
