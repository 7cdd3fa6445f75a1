"""Where the page of a command goes: its folder, its form, and its figures on slides."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from scripts import options as o

FORMS = ("html", "md")
Figures = Annotated[
    str | None, o.option("--figures", "DIR", "Write each figure of the page there, for slides, as SVG and PNG.")
]
Form = Annotated[
    str,
    o.option(
        "--format",
        "NAME",
        "Form of the page: html for a browser, or md (Markdown) for a wiki or a pull request.",
        o.completion.offered(lambda game: FORMS),
    ),
]
Brief = Annotated[
    bool, o.option("--brief", "", "Write only what it answers: two pages to print, without the sections that show it.")
]


@dataclass(frozen=True)
class Pages:
    """What a command writes.

    Attributes:
        folder: of its page; None for no page. figures: of its figures; None for none. form: one of FORMS. brief:
            whether a report is only what it answers.
    """

    folder: Path | None = None
    figures: Path | None = None
    form: str = FORMS[0]
    brief: bool = False

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> "Pages":
        """Check the options of a command that has any of them, as typed.

        Raises:
            WrongInputError: one can't be used.
        """
        out, figures, form = given.get("out_folder"), given.get("figures"), given.get("form", FORMS[0])
        if form not in FORMS:
            o.refuse("--format", repr(form), ", ".join(FORMS))
        if form != FORMS[0] and out is None:
            o.refuse("--format", repr(form), "with --out FOLDER, where the page goes")
        slides = o.folder(figures, "--figures") if figures is not None else None
        return cls(o.folder(out) if out is not None else None, slides, form, given.get("brief", False))
