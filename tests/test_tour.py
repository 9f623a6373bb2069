"""docs/tour.md names what exists: its files, folders and functions; and every folder is in it."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "hookstream"
TOUR = (ROOT / "docs" / "tour.md").read_text("utf-8")
CODE = re.compile(r"`([\w./<>-]+)`")
CLIENT = "claude_code"  # an example of `<client>`
PATH = re.compile(r"/|\w\.(?:py|sql)$")


def exists(name: str, folder: str = "") -> bool:
    """Whether a path exists in the sources, at the root, or in the folder that a row is about."""
    name, folder = (text.replace("<client>", CLIENT) for text in (name, folder))
    return any((place / name).exists() for place in (SOURCE, ROOT, SOURCE / folder))


def test_every_path_of_the_tour_exists() -> None:
    found = 0
    for line in TOUR.splitlines():
        names = [name for name in CODE.findall(line) if PATH.search(name)]
        folder = names[0] if line.startswith("| `") and names else ""
        assert [name for name in names if not exists(name, folder)] == []
        found += len(names)
    assert found > 50


def test_every_path_of_the_picture_exists() -> None:
    picture = TOUR.partition("```\n")[2].partition("```")[0]
    found = 0
    for line in picture.splitlines():
        paths = re.findall(r"[\w<>/]+(?:/|\.py)", line)
        folder = str(Path(paths[0]).parent if paths and ".py" in paths[0] else (paths or [""])[0])
        assert [name for name in paths if not exists(name, folder)] == []
        found += len(paths)
    assert found > 10


def test_every_function_of_the_tour_exists() -> None:
    names = {
        name
        for name in CODE.findall(TOUR)
        if name.count(".") > 1 and re.fullmatch(r"[a-z_.]+", name) and not PATH.search(name)
    }
    assert names
    for name in names:
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(f"hookstream.{module}"), attribute), name
    classes = {name for name in CODE.findall(TOUR) if re.fullmatch(r"[A-Z]\w+\.[a-z_]+", name)}
    defined = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    for name in classes:
        owner, _, method = name.partition(".")
        assert re.search(rf"^class {owner}\b", defined, re.MULTILINE), name
        assert re.search(rf"^    def {method}\b", defined, re.MULTILINE), name


def test_every_folder_has_one_row_of_the_table() -> None:
    table = TOUR.partition("|---|---|\n")[2].partition("\n\n")[0]
    rows = [line.split("`")[1].split("/")[0] for line in table.splitlines()]
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert sorted(rows) == sorted({*folders, "api.py"})
