"""The house keeps its shape: arrows point one way, modules stay small, the hook stays light."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "hookstream"
MODULES = sorted(ROOT.rglob("*.py"))
# A pillar may import the waist, the small modules under it, and itself; never another pillar.
FLOOR = {
    "errors", "event", "identity", "jsons", "limits", "parse", "records", "times",
    "version", "progress", "columns", "arrow", "shell", "dictionary", "deltalog",
    "refusals",
}  # fmt: skip
PILLARS = {
    "normalizers": FLOOR,
    "sessions": FLOOR,
    "redaction": FLOOR,
    "detect": FLOOR,
    "standards": FLOOR,
    # A sink is handed Events with their renderings: the contract module renders.
    "sinks": FLOOR | {"standards", "tables"},
    "tables": FLOOR | {"normalizers", "shell", "detect"},
    # A capture log is completed by the stages of a run.
    "queries": FLOOR | {"standards", "sources", "redaction", "tables", "pipeline"},
}
# A table is as long as its vendor has events.
IS_TABLE = re.compile(
    r"event\.py|normalizers/\w+/(table|transcript|telemetry)\.py|redaction/rules/"
).match


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Rooms of hookstream that a module imports, inside functions and for typing too."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("hookstream."):
                rooms.add(name.split(".")[1])
    return rooms


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_follow_the_arrows(path: Path) -> None:
    here = room(path)
    found = imported(path) - {here}
    if here != "cli" and path.name != "__main__.py":
        assert "cli" not in found
    if here in PILLARS:
        assert found <= PILLARS[here], found - PILLARS[here]
    if here in FLOOR - {"columns", "arrow", "dictionary"}:
        assert found <= FLOOR


def test_there_are_no_import_cycles_between_rooms() -> None:
    arrows: dict[str, set[str]] = {}
    for path in MODULES:
        arrows.setdefault(room(path), set()).update(imported(path) - {room(path)})
    arrows.pop("cli", None)
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"cycle: {' -> '.join((*trail, name))}"
        if name in done:
            return
        for further in arrows.get(name, ()):
            walk(further, (*trail, name))
        done.add(name)

    for name in sorted(arrows):
        walk(name, ())


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_are_small_and_say_what_they_are(path: Path) -> None:
    text = path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text)), "no docstring"
    name = path.relative_to(ROOT).as_posix()
    if not IS_TABLE(name):
        assert len(text.splitlines()) <= 300


def test_nothing_is_called_utils_or_manager() -> None:
    for path in MODULES:
        assert not {"utils", "helpers", "manager", "misc", "common"} & set(path.stem.split("_"))


def test_the_tour_names_every_folder() -> None:
    tour = (ROOT.parents[1] / "docs" / "tour.md").read_text("utf-8")
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert not {name for name in folders if f"{name}/" not in tour}


def test_test_modules_outside_packages_have_names_of_their_own() -> None:
    """pytest imports them by name alone: of two equal ones it collects one."""
    tests = Path(__file__).parent
    names = [
        path.name for path in tests.rglob("test_*.py") if not (path.parent / "__init__.py").exists()
    ]
    assert sorted(names) == sorted(set(names))
