"""Dependencies have upper bounds, and the lock file of development and CI keeps them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = (ROOT / "requirements-dev.lock").read_text("utf-8")
LOCKED = {canonicalize_name(n): v for n, v in re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.M)}


@pytest.mark.parametrize("text", PROJECT["dependencies"])
def test_what_a_user_installs_has_an_upper_bound(text: str) -> None:
    assert any(one.operator in ("<", "<=", "==", "~=") for one in Requirement(text).specifier)


def test_the_lock_holds_everything_within_its_bounds() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *extras["test"], *extras["kafka"], *extras["grpc"]]
    for requirement in map(Requirement, wanted):
        version = LOCKED[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement}: {version}; make lock"


def test_every_file_of_the_lock_has_a_digest_and_none_names_a_host() -> None:
    assert LOCK.count("--hash=sha256:") >= len(LOCKED)
    assert "://" not in LOCK
    assert "index-url" not in LOCK
