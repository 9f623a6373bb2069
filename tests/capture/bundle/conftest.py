"""Bundles of these sources and of an older version."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from laptops import OLDER, SOURCES, Laptop

from hookstream.bundle.build import build


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bundle") / "hookstream.pyz"
    build(file)
    return file


@pytest.fixture(scope="session")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of the same sources under an older version's name."""
    folder = tmp_path_factory.mktemp("older")
    shutil.copytree(SOURCES, folder / "hookstream", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "hookstream/version.py").write_text(
        f'"""The version."""\n\n__version__ = "{OLDER}"\n'
    )
    build(folder / "older.pyz", folder / "hookstream")
    return folder / "older.pyz"


@pytest.fixture
def laptop() -> Iterator[Laptop]:
    """In a short path: a socket's is at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="laptop-") as folder:
        yield Laptop(Path(folder) / "home")
