"""`hookstream share`: one session as one page that loads nothing."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from tests.same_process import text_of
from tests.ui.hostile import write_lake

from hookstream.cli.after import AFTER
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.seal.note import Verifier
from hookstream.seal.proof import check
from hookstream.ui.lake import BrowsedLake
from hookstream.ui.share import share

SAMPLES = Path(__file__).parents[2] / "samples" / "claude-code"
# What a page may refer to: places in itself.
REFERENCE = re.compile(r'(?:href|src|action|srcset)="([^"]*)"')


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    sinks = [f"parquet:{tmp_path / 'lake'}"]
    execute(Job([str(SAMPLES / "deny.jsonl")], sinks, seal=True, after=AFTER))
    return tmp_path / "lake"


def denied(lake: Path) -> dict[str, str]:
    opened = BrowsedLake(lake)
    row = opened.ask("from denies where call_id is not null order by all limit 1").dicts()[0]
    opened.close()
    return row


def page_of(lake: Path, session: str) -> str:
    opened = BrowsedLake(lake)
    try:
        return share(opened, session)
    finally:
        opened.close()


def test_a_page_has_the_verdict_its_evidence_and_a_proof_that_holds(lake: Path) -> None:
    deny = denied(lake)
    page = page_of(lake, deny["session_id"])
    assert "denied" in page and html.escape(deny["command"]) in page
    assert f'id="e-{deny["evidence"][0]}"' in page and 'class="story"' in page
    text = html.unescape(page)
    lines = re.findall(r'<pre class="proof line">(.*?)</pre>', text, re.DOTALL)
    proofs = re.findall(r'<pre class="proof">(.*?)</pre>', text, re.DOTALL)
    keys = re.findall(r"--key '([^']+)'", text)
    assert len(lines) == len(proofs) == len(keys) >= len(deny["evidence"])
    for line, proof, key in zip(lines, proofs, keys, strict=True):
        check(proof, line.encode(), Verifier.parse(key))


@pytest.mark.long
def test_a_page_refers_to_itself_alone(lake: Path, tmp_path: Path) -> None:
    write_lake(tmp_path / "hostile", 40)
    opened = BrowsedLake(tmp_path / "hostile")
    sessions = [row[0] for row in opened.ask("select session_id from sessions limit 5").rows]
    pages = [share(opened, one) for one in sessions]
    opened.close()
    for page in (page_of(lake, denied(lake)["session_id"]), *pages):
        assert {one[:1] for one in REFERENCE.findall(page)} <= {"#", "d"}
        assert "<script" not in page and "@import" not in page and "url(" not in page
        assert "default-src 'none'" in page


@pytest.mark.long
def test_the_command_writes_a_private_file(lake: Path, tmp_path: Path) -> None:
    deny = denied(lake)
    file = tmp_path / "session.html"
    done = text_of("share", deny["session_id"][:8], str(file), str(lake))
    assert done.returncode == 0, done.stderr
    assert file.stat().st_mode & 0o777 == 0o600 and file.read_text().startswith("<!doctype html>")
    assert text_of("share", "no-such", str(file), str(lake)).returncode == 2
    several = text_of("share", "", str(file), str(lake))
    assert several.returncode in (0, 2)
