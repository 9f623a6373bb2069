"""The first block of the README, in a clone and with an empty home, and no command that installs
from a registry: hookstream is on none."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
FIRST_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile")),
    *(page for page in ROOT.glob("docs/**/*.md") if page.parent.name != "decisions"),
    *(file for file in ROOT.glob("examples/**/*") if file.is_file()),
]
# An extra's name after the package's is a name of the registry, too. Options come between.
FROM_A_REGISTRY = re.compile(
    r"\b(?:pip install|pipx (?:install|run)|uv (?:tool install|add|pip install)|uvx|uv tool run)"
    r"(?: --?\S+)* ['\"]?hookstream(?![\w.*-]*\.(?:whl|pyz))"
)
# What `python -m venv` puts there by itself, by Python's version.
OF_VENV = {"pip", "setuptools", "pkg_resources"}


def test_no_page_or_example_installs_from_a_registry() -> None:
    pages = {str(page.relative_to(ROOT)): page.read_text("utf-8", "replace") for page in PAGES}
    commands = {name: FROM_A_REGISTRY.findall(text) for name, text in pages.items()}
    assert {name: texts for name, texts in commands.items() if texts} == {}
    assert FROM_A_REGISTRY.search("pip install -q 'hookstream[kafka]'")


def test_the_index_begins_as_the_readme_does() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    assert FIRST_BLOCK.findall(index)[0] == FIRST_BLOCK.findall(README)[0]


def disk_of(*folders: Path) -> float:
    """Megabytes on disk, by blocks, as `du` counts them."""
    files = [file for folder in folders for file in [folder, *folder.rglob("*")]]
    return sum(file.lstat().st_blocks for file in files) * 512 / 1024**2


@pytest.mark.long
def test_the_first_block_in_a_clone_whose_tests_are_collected_but_not_run(tmp_path: Path) -> None:
    """`make demo` runs as it stands there, and is measured. `make test` installs and collects:
    a suite that ran here would run this test."""
    clone, home = tmp_path / "clone", tmp_path / "home"
    home.mkdir()
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    kept = ("PATH", "LANG", "TMPDIR", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "https_proxy")
    kept += ("HTTPS_PROXY", "no_proxy", "NO_PROXY", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL")
    plain = {"HOME": str(home)} | {name: os.environ[name] for name in kept if name in os.environ}

    def run(line: str, **more: str) -> str:
        done = subprocess.run(
            line.split(), cwd=clone, env=plain | more, capture_output=True, text=True
        )
        if "NewConnectionError" in done.stderr or "name resolution" in done.stderr:
            pytest.skip("no package registry can be reached from here")
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    demo, test = FIRST_BLOCK.findall(README)[0].splitlines()
    shown = run(demo)
    assert "Downloading" in shown or "Using cached" in shown or "Collecting" in shown
    assert " events in both standards" in shown and "denies:" in shown

    python = ".venv/bin/python -m pip --disable-pip-version-check"
    packages = {one["name"] for one in json.loads(run(f"{python} list --format json"))} - OF_VENV
    run(f"{python} install -q --no-deps --target {tmp_path / 'itself'} .")
    (site,) = clone.glob(".venv/lib/python3*/site-packages")
    megabytes = disk_of(site, tmp_path / "itself") - disk_of(*(site / name for name in OF_VENV))
    assert not list((tmp_path / "itself").rglob("*.expected.jsonl"))
    said = re.search(r"\((\d+) packages, (\d+) MB\)", README)
    assert said is not None
    assert int(said[1]) * 0.95 <= len(packages) <= int(said[1]), sorted(packages)
    assert int(said[2]) * 0.95 <= megabytes <= int(said[2]), megabytes

    shown = run(test, PYTEST_ADDOPTS="--collect-only")
    assert re.search(r"tests/test_clone\.py", shown) and re.search(r"\d+ (?:tests|/)", shown)
