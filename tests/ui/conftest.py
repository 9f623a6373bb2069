"""A lake of the shipped samples, and one whose every text column is hostile."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.rules.tuning import DetectOptions
from hookstream.ui.app import create_app
from hookstream.ui.freshness import TablesWork
from hookstream.ui.lake import BrowsedLake

SAMPLES = Path(__file__).parents[2] / "samples"
PORT = 8000
TOKEN = "a-token-for-tests"  # no secret


@pytest.fixture(scope="session")
def lake_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sessions with denies, loops, compactions and sub-agents of three clients."""
    folder = tmp_path_factory.mktemp("ui")
    sources = [
        str(SAMPLES / vendor / f"{name}.jsonl")
        for vendor, name in (
            ("claude-code", "deny"),
            ("claude-code", "compact"),
            ("claude-code", "subagent"),
            ("claude-code", "tools"),
            ("cursor", "deny"),
            ("qwen-code", "deny"),
        )
        if (SAMPLES / vendor / f"{name}.jsonl").exists()
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        execute(Job(sources, [f"parquet:{folder / 'lake'}"], now="2026-11-21T12:00:00Z"))
    return folder / "lake"


@pytest.fixture(scope="session")
def lake(lake_path: Path):
    opened = BrowsedLake(lake_path)
    yield opened
    opened.close()


def client_of(
    lake: BrowsedLake, asked: DetectOptions | None = None, tables: TablesWork | None = None
) -> TestClient:
    """A browser that has opened the printed address."""
    app = create_app(lake, TOKEN, PORT, asked, tables=tables)
    app.state.pages.hits.patience_s = 300.0  # tests look at what pages show, on busy machines too
    client = TestClient(app, base_url=f"http://127.0.0.1:{PORT}")
    client.get(f"/?token={TOKEN}")
    client.root = app.state.session.root
    client.base_url = client.base_url.join(client.root)
    return client


@pytest.fixture(scope="session")
def client(lake: BrowsedLake) -> TestClient:
    return client_of(lake)
