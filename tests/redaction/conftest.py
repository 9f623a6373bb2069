"""An engine and a mode at a time."""

from __future__ import annotations

import pytest
from privacy_cases import MODES, scanner_of, stage

from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner


@pytest.fixture(params=["hyperscan", "re2", "python"])
def scanner(request: pytest.FixtureRequest) -> Scanner:
    return scanner_of(request.param)


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def privacy(mode: str) -> Redactor:
    return stage(mode)
