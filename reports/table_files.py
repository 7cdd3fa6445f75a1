"""Frames → files: CSV for spreadsheets, Parquet for programs."""

from pathlib import Path
from typing import Any

from analyses import frames as pd
from sim.printed.formulas import marked


def save_table(frame: "pd.DataFrame", path: Path) -> None:
    """Write a table in the format that the path's ending names. In CSV no text is a formula
    (`sim.printed.formulas`)."""
    path = path.absolute()  # pandas would take ~ for the user's home
    if path.suffix.lower() == ".csv":
        texts = frame.select_dtypes(exclude=["number", "bool"])
        safe = frame.assign(**{str(name): texts[name].map(_cell) for name in texts}) if len(texts.columns) else frame
        safe.to_csv(path, index=False, header=[_cell(name) for name in safe.columns], lineterminator="\n")
    else:
        frame.to_parquet(path, index=False)


def _cell(value: Any) -> Any:
    return marked(value) if isinstance(value, str) else value
