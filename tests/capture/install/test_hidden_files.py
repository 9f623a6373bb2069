"""A client that reads the first of several files has its hooks in that one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hookstream.capture.install.engine import apply_install, apply_uninstall, files_of
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.originals import Originals
from hookstream.capture.install.registered import hooks_of_agents
from hookstream.normalizers.client import client_of

ORDER = ("hooks.json", "hooks/hooks.json", "settings.json")


@pytest.mark.parametrize("there", [(), ORDER[:1], ORDER[1:2], ORDER[2:], ORDER[:2], ORDER])
def test_droid_has_hooks_in_the_file_that_it_reads(there: tuple[str, ...], tmp_path: Path) -> None:
    home = tmp_path / ".factory"
    (home / "hooks").mkdir(parents=True)
    for name in there:
        (home / name).write_text("{}\n", "utf-8")
    folders = InstallFolders(tmp_path / "project", {"HOME": str(tmp_path)})
    originals = Originals()

    def all_files(act: object) -> None:
        assert callable(act)
        for file in files_of(client_of("droid"), folders, "user"):
            assert act(file, originals).problem is None

    all_files(apply_install)
    read = next((name for name in ORDER if name in there), "settings.json")
    for name in ORDER:
        path = home / name
        text = path.read_text("utf-8") if path.exists() else ""
        assert ("hookstream" in text) == (name == read), name
        events = json.loads(text or "{}")
        assert name != read or "PreToolUse" in (events if "hooks" in name else events["hooks"])
    all_files(apply_uninstall)
    for name in there:
        assert (home / name).read_text("utf-8") == "{}\n"


def test_hooks_in_the_front_matter_of_agents_are_named(tmp_path: Path) -> None:
    """They run with their agent alone, and neither install nor the wrap reaches them."""
    home, project = tmp_path / "home", tmp_path / "project"
    texts = {
        home / ".copilot/agents/auditor.agent.md": "---\nhooks:\n  PreToolUse:\n  - bash: a\n---\n",
        project / ".claude/agents/other.md": "---\r\nname: other\r\nhooks: {Stop: []}\r\n---\r\nx",
        project / ".github/agents/plain.agent.md": "---\nname: plain\n---\nhooks: no\n",
        project / ".github/agents/broken.agent.md": "---\nhooks: [\n---\n",
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    folders = InstallFolders(project, {"HOME": str(home)}, "linux")
    named = list(hooks_of_agents(client_of("copilot"), folders))
    assert [("auditor" in line, "other" in line, "broken" in line) for line in named] == [
        (True, False, False),
        (False, False, True),
        (False, True, False),
    ]
    assert "PreToolUse" in named[0]
    assert "no YAML" in named[1]
