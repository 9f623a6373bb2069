"""examples/fleet from roll-out to removal, with a SIEM that reads by HEC's rules."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from hookstream.bundle.build import build  # noqa: E402
from sinks.receivers import Collector, Receiver, serve  # noqa: E402

TOKEN = "collector-" + "7" * 8
LAPTOPS = int(os.environ.get("FLEET_LAPTOPS", "20"))


def older_bundle(folder: Path) -> Path:
    """A bundle of these sources under an older version's name."""
    shutil.copytree(
        ROOT / "src/hookstream", folder / "hookstream", ignore=shutil.ignore_patterns("__pycache__")
    )
    (folder / "hookstream/version.py").write_text('__version__ = "0.1.9"\n')
    build(folder / "older.pyz", folder / "hookstream")
    return folder / "older.pyz"


@pytest.mark.slow
def test_a_fleet_from_roll_out_to_removal(tmp_path: Path) -> None:
    collector = Collector(TOKEN, ack=False)
    with serve(Receiver(collector)) as siem:
        words = [sys.executable, str(ROOT / "examples/fleet/run.py"), "--laptops", str(LAPTOPS)]
        words += ["--older", str(older_bundle(tmp_path)), "--siem", f"splunk:{siem.url()}"]
        done = subprocess.run(
            words,
            env={**os.environ, "SIEM_TOKEN": TOKEN},
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "machines with an older version in `gaps`: 1\n" in done.stdout
    events = {one["event"]["event_id"]: one["event"] for one in collector.events}
    machines = {one["metadata"]["dev.hookstream"]["machine_id"] for one in events.values()}
    # 6 events of the first session, 4 of the next; the revoked laptop's third did not come
    taken = LAPTOPS * (6 + 4) + (LAPTOPS - 1) * 4
    own = [one for one in events.values() if not one["metadata"]["dev.hookstream"].get("derived")]
    assert (len(own), len(machines)) == (taken, LAPTOPS)
