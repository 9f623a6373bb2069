"""The user's folders: every program finds the same ones, and one module knows where they are."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hookstream.capture.collector.handler import surroundings
from hookstream.capture.hook import client, failures
from hookstream.capture.log import place
from hookstream.core import folders
from hookstream.delivery import job as options
from hookstream.queries import own
from hookstream.redaction import cache
from hookstream.seal import sealed

SOURCE = Path(__file__).parent.parent / "src" / "hookstream"
VARIABLES = ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
# What runs before or without the package, and what knows the folders of clients.
APART = {
    "core/folders.py",
    "capture/hook/client.py",
    "capture/hook/failures.py",
    "capture/hook/launch.py",
    "capture/install/homes.py",
    "capture/hook/registered.py",
    "normalizers/opencode/rules.py",
    "transcripts/places.py",
}
Doors = dict[str, Callable[[], object]]
STATE: Doors = {
    "folders": folders.state_folder,
    "a run": lambda: str(options.state_folder()),
    "its keys of seals": lambda: str(sealed.seal_keys().parent),
    "the key of pseudonyms": lambda: os.path.dirname(folders.pseudonym_key_file()),
    "the log": lambda: str(Path(place.default_log() or "").parents[1]),
    "a hook without the package": failures._state_folder,
    "a hook's socket": lambda: str(
        Path(os.fsdecode(client.socket_path(dict(os.environb)) or b"")).parents[1]
    ),
    "the collector": lambda: surroundings(os.environ)[1],
}
CONFIG: Doors = {
    "folders": folders.config_folder,
    "questions": lambda: str(own.folder().parent),
    "the collector": lambda: surroundings(os.environ)[2],
}


@pytest.mark.parametrize("kind", ["set", "relative", "empty", "unset"])
@pytest.mark.posix("launchers are POSIX shell scripts")
def test_all_programs_find_the_same_folders(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in VARIABLES:
        value = {"set": str(tmp_path / name), "relative": "x", "empty": ""}.get(kind)
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    is_set = kind == "set"
    state = tmp_path / ("XDG_STATE_HOME" if is_set else ".local/state") / "hookstream"
    config = tmp_path / ("XDG_CONFIG_HOME" if is_set else ".config") / "hookstream"
    assert {name: door() for name, door in STATE.items()} == dict.fromkeys(STATE, str(state))
    assert {name: door() for name, door in CONFIG.items()} == dict.fromkeys(CONFIG, str(config))
    cache.store("k" * 64, b"rules")
    kept = tmp_path / ("XDG_CACHE_HOME" if is_set else ".cache") / "hookstream"
    assert [path.suffix for path in kept.iterdir()] == [cache.SUFFIX]
    assert not (tmp_path / "x").exists()


def test_one_module_knows_where_they_are() -> None:
    named = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if any(f'"{name}"' in path.read_text("utf-8") for name in VARIABLES)
    }
    assert named <= APART
