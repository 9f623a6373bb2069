"""The house keeps its shape: arrows point one way, between folders and between files."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent / "src" / "hookstream"
MODULES = sorted(ROOT.rglob("*.py"))
# A pillar may import the waist, the small modules under it, and itself; never another pillar.
FLOOR = {"core", "shell", "version"}
PILLARS = {
    "normalizers": FLOOR,
    "sessions": FLOOR,
    "redaction": FLOOR,
    "detect": FLOOR,
    "standards": FLOOR,
    # A sink is handed Events with their renderings: the contract module renders.
    "sinks": FLOOR | {"lake", "standards"},
    "lake": FLOOR | {"standards"},
    "tables": FLOOR | {"normalizers", "detect", "lake", "sessions"},
    # A capture log is completed by the stages of a run.
    "queries": FLOOR | {"normalizers", "standards", "redaction", "tables", "pipeline", "lake"},
}

# What runs on a laptop or forwards, and what an analyst uses: a command hands over what follows.
RUNS = {
    *("core", "shell", "configuration", "normalizers", "sessions", "detect", "redaction", "lake"),
    *("standards", "pipeline", "transcripts", "otlp", "sinks", "delivery", "capture"),
}
ANALYSIS = {"tables", "queries", "rules", "ui", "seal", "retention", "integrations"}


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imported(path: Path) -> frozenset[str]:
    """Rooms of hookstream that a module imports, inside functions and for typing too."""
    rooms = set()
    for node in ast.walk(parsed(path)):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("hookstream."):
                rooms.add(name.split(".")[1])
    return frozenset(rooms)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def forbidden(path: Path) -> set[str]:
    """Rooms that a module imports and may not."""
    here = room(path)
    found = set(imported(path)) - {here}
    wrong: set[str] = set()
    if here != "cli" and path.name != "__main__.py":
        wrong |= found & {"cli"}
    if here not in ("cli", "spark"):
        wrong |= found & {"integrations"}
    if here in PILLARS:
        wrong |= found - PILLARS[here]
    if here in FLOOR:
        wrong |= found - FLOOR
    return wrong


# One test for all modules: two for each would be a sixth of the suite, and cost seconds.
def test_imports_follow_the_arrows() -> None:
    assert {name_of(path): wrong for path in MODULES if (wrong := forbidden(path))} == {}


def test_a_run_imports_nothing_of_an_analyst() -> None:
    runs = [path for path in MODULES if room(path) in RUNS]
    assert {room(path) for path in runs} == RUNS
    assert {name_of(path): rooms for path in runs if (rooms := imported(path) & ANALYSIS)} == {}


def test_what_is_forbidden_is_found() -> None:
    assert len(MODULES) > 100
    assert imported(ROOT / "cli" / "app.py") == {"cli", "core", "version"}
    assert imported(ROOT / "cli" / "query.py") > {"queries", "core"}


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


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def run_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that run, those inside functions too: what is for type checkers does not."""
    for child in ast.iter_child_nodes(node):
        if is_for_types(child):
            continue
        yield child
        yield from run_nodes(child)


def arrows_of_files() -> dict[str, set[str]]:
    """Module -> the modules that it imports when it runs."""

    def dotted(path: Path) -> str:
        return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)

    names = {dotted(path).removesuffix(".__init__"): path for path in MODULES}
    arrows: dict[str, set[str]] = {}
    for name, path in names.items():
        found = set()
        for node in run_nodes(parsed(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                full = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= {one if one in names else node.module for one in full}
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
        arrows[name] = (found & names.keys()) - {name}
    return arrows


def test_there_are_no_import_cycles_between_files() -> None:
    try:
        TopologicalSorter(arrows_of_files()).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_class_names_are_unique() -> None:
    """A reader who searches for a class finds one."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(name_of(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_what_a_subclass_has_to_define_is_abstract() -> None:
    """A class without it cannot be made; a method that raises is found when it is called."""
    raising = [
        name_of(path)
        for path in MODULES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Raise) and "NotImplemented" in ast.unparse(node)
    ]
    assert raising == []


def test_modules_say_what_they_are() -> None:
    assert [name_of(path) for path in MODULES if not ast.get_docstring(parsed(path))] == []


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
