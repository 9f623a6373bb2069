"""Time from nothing to a first answer and a first page, of hookstream and of other readers.

python benchmarks/first.py [--mb 20] [--rounds 3]

Writes Claude Code's session files, then runs each program on a home where nothing of it exists
yet: its own command that prints figures, and its web application until the first page is answered.
Prints a JSON object of medians of alternated rounds: wall seconds, and how often
`python3 -c pass` fits in.
agentsview and ccusage are measured where they are on the PATH; ccusage has no pages.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent / "backfill"))
from sessions import write

MB = 1_000_000
HOOKSTREAM = [sys.executable, "-m", "hookstream"]
ANSWERS = {
    "hookstream backfill": [*HOOKSTREAM, "backfill", "claude-code", "--since", "all"],
    "agentsview": ["agentsview", "usage", "daily"],
    "ccusage": ["ccusage", "claude", "daily", "--json", "--offline"],
}
PAGES = {
    "hookstream ui": [*HOOKSTREAM, "ui", "--no-browser", "--prompts", "hide"],
    "agentsview": ["agentsview", "serve", "--no-browser", "--port", "8391"],
}
ADDRESS = re.compile(r"http://[\w.:]+\d[\w/-]*")
MOST_S = 120.0


def answer_s(words: list[str], env: dict[str, str]) -> float:
    began = time.monotonic()
    subprocess.run(words, env=env, capture_output=True, check=True)
    return time.monotonic() - began


def page_s(words: list[str], env: dict[str, str], log: Path) -> float:
    """Seconds until the address that a program prints answers with a page."""
    began = time.monotonic()
    with log.open("wb") as out:
        served = subprocess.Popen(words, env=env, stdout=out, stderr=out, start_new_session=True)
    try:
        while time.monotonic() - began < MOST_S:
            found = ADDRESS.search(log.read_text(errors="replace"))
            if found and answers(found[0]):
                return time.monotonic() - began
            time.sleep(0.02)
    finally:
        os.killpg(served.pid, signal.SIGTERM)
        served.wait()
    raise SystemExit(f"{words[0]}: no page within {MOST_S:.0f} s:\n{log.read_text()[-500:]}")


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as reply:
            return bool(reply.read())
    except (urllib.error.URLError, OSError):
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    spent: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="first-bench-") as name:
        files = Path(name, "files")
        write(files, given.mb, MB)
        for _ in range(given.rounds):
            spent.setdefault("python3 -c pass", []).append(
                answer_s([sys.executable, "-c", "pass"], dict(os.environ))
            )
            for kind, programs in (("answer", ANSWERS), ("page", PAGES)):
                for program, words in programs.items():
                    if not shutil.which(words[0]):
                        continue
                    home = Path(name, "home")
                    shutil.copytree(files, home)
                    env = {one: os.environ[one] for one in ("PATH", "LANG") if one in os.environ}
                    env |= {"HOME": str(home)}
                    if kind == "answer":
                        took = answer_s(words, env)
                    else:
                        took = page_s(words, env, Path(name, "log"))
                    spent.setdefault(f"{kind}: {program}", []).append(took)
                    shutil.rmtree(home)
    base = median(spent["python3 -c pass"])
    made = {
        one: {"wall_s": round(median(took), 2), "x": round(median(took) / base, 1)}
        for one, took in spent.items()
    }
    print(json.dumps({"load": round(os.getloadavg()[0], 1), **made}, indent=1))


if __name__ == "__main__":
    main()
