"""Hatchling calls this when it builds a wheel: everything goes into one package, `chapterhouse`.

In a checkout our packages are the folders themselves. In somebody's site-packages, names like `sim` and `scripts` would
get in the way of other people's. So there they are `chapterhouse.sim` and `chapterhouse.scripts` (pyproject.toml), and
we write our own imports to match.
"""

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "chapterhouse"
MAIN = f'from {NAME} import main\n\nif __name__ == "__main__":\n    main()\n'


class OneName(BuildHookInterface):
    """Hands hatchling the files whose imports had to change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the changed files and say where they belong; an editable install is the checkout as it is."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        config = self.build_config
        folders, below = (
            config.target_config["only-include"],
            runpy.run_path(str(Path(self.root, "sim", "imports.py")))["below"],
        )
        for file in config.builder.recurse_selected_project_files():
            # what `chapterhouse new` copies stays as its readers will have it
            if file.path.endswith(".py") and "templates" not in Path(file.path).parts:
                self._put(build_data, file.distribution_path, below(NAME, _read(Path(file.path)), folders))
        self._put(build_data, f"{NAME}/__init__.py", below(NAME, _read(Path(self.root, f"{NAME}.py")), folders))
        self._put(build_data, f"{NAME}/__main__.py", MAIN)
        self._put(build_data, f"{NAME}/py.typed", "")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        if version != "editable":
            self._folder.cleanup()

    def _put(self, build_data: dict[str, Any], place: str, text: str) -> None:
        path = Path(self._folder.name, place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        build_data["force_include"][str(path)] = place


def _read(path: Path) -> str:
    return path.read_bytes().decode()
