"""docs/tour.md names what there is: every file and folder of it exists, every folder is in it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "hookstream"
TOUR = (ROOT / "docs" / "tour.md").read_text("utf-8")
CODE = re.compile(r"`([\w./<>-]+)`")
CLIENT = "claude_code"  # stands for `<client>`


def exists(name: str) -> bool:
    name = name.replace("<client>", CLIENT)
    below = (SOURCE, ROOT, *SOURCE.iterdir(), SOURCE / "normalizers" / CLIENT)
    return any((place / name).exists() for place in below if place.is_dir())


def test_every_path_of_the_tour_exists() -> None:
    paths = {
        name for name in CODE.findall(TOUR) if "/" in name or re.search(r"\w\.(py|sql)$", name)
    }
    assert len(paths) > 40
    assert {name for name in paths if not exists(name)} == set()


def test_every_path_of_the_picture_exists() -> None:
    picture = TOUR.partition("```\n")[2].partition("```")[0]
    paths = re.findall(r"[\w<>/]+(?:/|\.py)", picture)
    assert len(paths) > 10
    assert {name for name in paths if not exists(name)} == set()


def test_every_folder_has_one_row_of_the_table() -> None:
    table = TOUR.partition("|---|---|\n")[2].partition("\n\n")[0]
    rows = [line.split("`")[1].split("/")[0] for line in table.splitlines()]
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert sorted(rows) == sorted({*folders, "api.py"} - {"otlp", "transcripts"} | set(rows))
    assert len(rows) == len(set(rows))
    assert folders - set(rows) <= {"otlp", "transcripts"}  # in the picture


def test_names_of_code_in_the_tour_are_names_of_code() -> None:
    """`Sessions.complete`, `normalizers.base.normalize`: the last word is defined somewhere."""
    words = {
        name for name in CODE.findall(TOUR) if re.fullmatch(r"[A-Za-z_]+(\.[a-zA-Z_]+)+", name)
    }
    words = {name for name in words if not name.endswith((".py", ".sql", ".md"))}
    text = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    missing = {
        name for name in words if not re.search(rf"(?:def|class) {name.rpartition('.')[2]}\b", text)
    }
    assert missing == set()
