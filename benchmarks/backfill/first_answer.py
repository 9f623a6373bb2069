"""How long a newcomer waits for the first answer and the first page, with nothing read before.

python benchmarks/backfill/first_answer.py [--mb 50] [--rounds 3] [--ccusage PATH]

The same Claude Code files of 1 MB for all, a fresh state in each round, programs in turn. An answer
is a table of what was used in the terminal; a page is the first that has every session in it, not
the frame that a browser fills later. agentsview is measured where it is on the PATH, ccusage as in
`run.py`. Prints seconds of the wall, medians of the rounds, as one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from run import MB, ccusage_of, measured
from sessions import write

if TYPE_CHECKING:
    from collections.abc import Callable

TRY_S = 0.05
MOST_S = 300
ADDRESS = re.compile(r"http://\S+")


def first_page(words: list[str], env: dict[str, str], has_all: Callable[[str], bool]) -> float:
    """Seconds from the start of a server until `has_all` says so of its address."""
    began = time.monotonic()
    server = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if found := ADDRESS.search(line.decode()):
                while not has_all(found[0]):
                    if time.monotonic() - began > MOST_S:
                        raise TimeoutError(" ".join(words))
                    time.sleep(TRY_S)
                return time.monotonic() - began
        raise RuntimeError(f"{words[0]} named no address")
    finally:
        server.terminate()
        server.wait()


def fetched(address: str) -> str:
    """The page with what it leads to; empty while it cannot be had."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    try:
        with opener.open(address, timeout=30) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def of_hookstream(sessions: int) -> Callable[[str], bool]:
    return lambda address: f"<b>{sessions}</b> sessions" in fetched(address)


def of_agentsview(sessions: int, port: int) -> Callable[[str], bool]:
    listed = f"http://127.0.0.1:{port}/api/v1/sessions?limit=1"

    def has_all(_: str) -> bool:
        answer = fetched(listed)
        return bool(answer) and json.loads(answer).get("total") == sessions

    return has_all


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ccusage")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="first-answer-") as name:
        folder = Path(name)
        home = folder / "home"
        write(home, given.mb, MB)
        for file in home.rglob("*"):
            os.utime(file)
        ours = [sys.executable, "-m", "hookstream"]
        ccusage = ccusage_of(given.ccusage, folder / "npm")
        waited: dict[str, list[float]] = {}
        env = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(folder / "cache")}
        for other in ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"):
            env.pop(other, None)
        measured([*ours, "status"], env)

        def note(what: str, seconds: float) -> None:
            waited.setdefault(what, []).append(seconds)

        for _ in range(given.rounds):
            for place in (folder / "state", home / ".agentsview"):
                shutil.rmtree(place, ignore_errors=True)
            env["XDG_STATE_HOME"] = str(folder / "state")
            answer, _ = measured([*ours, "backfill", "--since", "30d"], env)
            note("hookstream backfill, its report", answer["wall_s"])
            shutil.rmtree(folder / "state", ignore_errors=True)
            page = first_page([*ours, "ui", "--no-browser"], env, of_hookstream(given.mb))
            note("hookstream ui, first page", page)
            if ccusage:
                answer, _ = measured([ccusage, "claude", "daily", "--json", "--offline"], env)
                note("ccusage daily", answer["wall_s"])
            if shutil.which("agentsview"):
                port = free_port()
                words = ["agentsview", "serve", "--no-browser", "--port", str(port)]
                page = first_page(words, env, of_agentsview(given.mb, port))
                note("agentsview, first page", page)
        made = {what: round(median(seconds), 2) for what, seconds in waited.items()}
        print(json.dumps({"files of 1 MB": given.mb, **made}, indent=1))


if __name__ == "__main__":
    main()
