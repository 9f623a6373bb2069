"""Modules of a bundle: those that its programs reach by an import, at any level."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# These choose modules by name at run time, so a bundle holds them completely.
WHOLE = tuple(f"hookstream.{room}" for room in ("bundle", "capture", "normalizers", "redaction"))
# The sink of the shipper, which is chosen by its URI.
CHOSEN = ("hookstream.sinks.hookstream",)
# Not for laptops: what reads lakes, and the command line on typer.
LEFT_OUT = frozenset(
    "api cli delivery.backfill delivery.batch delivery.parallel delivery.run integrations "
    "lake.arrow lake.rows queries rules seal sinks.tables spark tables ui".split()
)
# Files other than modules that are read at run time.
DATA = (".js", ".json")


def modules(package: Path) -> dict[str, Path]:
    """Name -> file of each module of a bundle, sorted; `package` is the folder of hookstream."""
    known = {_name(path, package): path for path in package.rglob("*.py")}
    found = {name for name in known if name.startswith(WHOLE) or name in CHOSEN}
    todo = sorted(found)
    while todo:
        for name in _reached(known, todo.pop()) - found:
            found.add(name)
            todo.append(name)
    return {name: known[name] for name in sorted(found)}


def files(package: Path) -> dict[str, Path]:
    """Path in a bundle -> file: the modules, and the data next to them."""
    rooms = [package / name.partition(".")[2] for name in WHOLE]
    data = [path for room in rooms for path in room.rglob("*") if path.suffix in DATA]
    chosen = sorted({*modules(package).values(), *data})
    return {f"hookstream/{path.relative_to(package).as_posix()}": path for path in chosen}


def imports(path: Path) -> Iterator[str]:
    """Every name a module imports, inside functions too, but not what is for type checkers."""
    tree = ast.parse(path.read_bytes())
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for part in node.body
        for inner in ast.walk(part)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_left_out(name: str) -> bool:
    """Return whether a module belongs to a part that is not for laptops."""
    _, room, module = f"{name}..".split(".")[:3]
    return room in LEFT_OUT or f"{room}.{module}" in LEFT_OUT


def _reached(known: dict[str, Path], module: str) -> set[str]:
    """The modules that a module imports, with the packages they are in."""
    found = set()
    for name in imports(known[module]):
        parts = name.split(".")
        if parts[0] == "hookstream" and len(parts) > 1 and not is_left_out(name):
            found |= {".".join(parts[:end]) for end in range(2, len(parts) + 1)}
    return found & known.keys()


def _name(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
