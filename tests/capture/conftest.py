"""The scratch home that hooks run in."""

from pathlib import Path

import pytest
from hook_runner import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    folder = tmp_path / "home"
    folder.mkdir()
    return Home(folder)
