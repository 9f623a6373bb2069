"""One sender that sends as much as it can, in number and in bytes: others are answered meanwhile.

`make test-attacks` prints the figures of docs/threat-model.md.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from collector_runner import Collector
from test_ship import TOKENS, credentials, line, ship

from hookstream.capture.collector.fleet.senders import Identity
from hookstream.capture.collector.fleet.turns import (
    INSIDE_OF_ONE,
    INSIDE_OF_SHARED,
    THREADS,
    THREADS_OF_ONE,
    THREADS_OF_SHARED,
    Turns,
)
from hookstream.capture.collector.http_messages import HttpError, HttpRequest
from hookstream.capture.collector.packed import MEMBERS, Unusable, unpacked

MIB = 1 << 20
EMPTY = gzip.compress(b"", mtime=0)


def packed(body: bytes, most: int = 64 * MIB) -> bytes:
    request = HttpRequest("POST", "/ship", {"content-encoding": "gzip"})
    request.body = body
    return unpacked(request, most)


@pytest.mark.parametrize("parts", [[b"a" * 70_000], [b"one\n", b"", b"two\n"], [b""] * MEMBERS])
def test_members_are_read_one_after_the_other(parts: list[bytes]) -> None:
    assert packed(b"".join(map(gzip.compress, parts))) == b"".join(parts)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (EMPTY * (MEMBERS + 1), 413),
        (gzip.compress(bytes(MIB)), 413),
        (gzip.compress(bytes(1000)) * 9, 413),
        (gzip.compress(b"x" * 1000, mtime=0)[:-4], 400),
        (EMPTY + b"rest", 400),
        (b"plain", 400),
    ],
)
def test_what_is_too_much_or_no_gzip_is_refused_with_its_reason(body: bytes, status: int) -> None:
    with pytest.raises(Unusable) as refused:
        packed(body, 8192)
    assert (refused.value.status, bool(refused.value.message)) == (status, True)


def test_unpacking_costs_as_much_as_there_is_to_unpack() -> None:
    """Twice the members, and 7.5 MB of them, which took minutes, in no time."""
    began = time.process_time()
    with pytest.raises(Unusable):
        packed(EMPTY * (7_500_000 // len(EMPTY)))
    assert time.process_time() - began < 0.2


class Meeting:
    """Requests that hold their thread until told to go on."""

    def __init__(self) -> None:
        self.turns = Turns(lambda sender: None)
        self.served: list[str] = []
        self.most: dict[str, int] = {}
        self.now: dict[str, int] = {}

    async def request(self, sender: Identity, wait_s: float = 0.001) -> None:
        async with self.turns.turn(sender):
            for name in (sender.machine, sender.credential, "all"):
                self.now[name] = self.now.get(name, 0) + 1
                self.most[name] = max(self.most.get(name, 0), self.now[name])
            await asyncio.sleep(wait_s)
            for name in (sender.machine, sender.credential, "all"):
                self.now[name] -= 1
            self.served.append(sender.machine)


def test_threads_are_given_in_turns_and_nobody_has_them_all() -> None:
    async def meet() -> Meeting:
        meeting = Meeting()
        greedy = [meeting.request(Identity("greedy", "g")) for _ in range(100)]
        shared = [meeting.request(Identity(f"s{n}", "shared")) for n in range(100)]
        others = [meeting.request(Identity(f"o{n}", f"c{n}")) for n in range(40)]
        await asyncio.gather(*greedy, *shared, *others)
        return meeting

    meeting = asyncio.run(meet())
    assert meeting.most["greedy"] == THREADS_OF_ONE
    assert meeting.most["shared"] == THREADS_OF_SHARED
    assert meeting.most["all"] == THREADS
    last = max(n for n, name in enumerate(meeting.served) if name.startswith("o"))
    assert meeting.served[:last].count("greedy") < 40
    assert (meeting.turns.free, meeting.turns.working, meeting.turns.waiting) == (THREADS, {}, {})


def test_a_request_that_goes_away_gives_its_turn_back() -> None:
    async def meet() -> Meeting:
        meeting = Meeting()
        one = Identity("one", "c")
        tasks = [asyncio.ensure_future(meeting.request(one, 0.05)) for _ in range(20)]
        await asyncio.sleep(0.01)
        for task in tasks[1:-1]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return meeting

    meeting = asyncio.run(meet())
    assert len(meeting.served) == 2
    assert (meeting.turns.free, meeting.turns.working, meeting.turns.waiting) == (THREADS, {}, {})


def test_what_one_sender_has_inside_is_bounded() -> None:
    held = []
    turns = Turns(lambda sender: None, lambda: held.append(1))
    one, far = Identity("one", "c"), Identity("two", "d")
    inside = [turns.entered(one, 10) for _ in range(INSIDE_OF_ONE)]
    for entry in inside:
        entry.__enter__()
    with pytest.raises(HttpError) as refused, turns.entered(one, 10):
        pass
    assert (refused.value.status, refused.value.retry_s, held) == (429, 1, [1])
    with turns.entered(far, 10), pytest.raises(HttpError) as full, turns.entered(far, 1 << 40):
        pass
    assert full.value.status == 503
    for entry in inside:
        entry.__exit__(None, None, None)
    shared = [turns.entered(Identity(f"m{n}", "*"), 0) for n in range(INSIDE_OF_SHARED)]
    for entry in shared:
        entry.__enter__()
    with pytest.raises(HttpError), turns.entered(Identity("more", "*"), 0):
        pass
    with turns.entered(one, 10):
        pass


@pytest.fixture
def centre(home):
    fleet = home.path / "fleet"
    options = {"machines": str(credentials(home)), "fleet": str(fleet), "socket": "off"}
    with Collector(home, **options) as running:
        running.fleet = fleet
        yield running


def raw(centre, body: bytes, records: str) -> int:
    given = {
        "Authorization": f"Bearer {TOKENS['laptop-1']}",
        "Content_Encoding": "gzip",
        "Hookstream_Stream": "c" * 32,
        "Hookstream_Records": records,
    }
    try:
        return centre.post("/ship", body, **given)[0]
    except OSError:
        return 0


def memory_mib(centre) -> int:
    status = Path(f"/proc/{centre.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10


def test_five_million_empty_lines_are_refused_at_once(centre) -> None:
    body = gzip.compress(b"\n" * 5_000_000, mtime=0)
    began = time.monotonic()
    status = raw(centre, body, "0-4999999")
    seconds = time.monotonic() - began
    print(f"5,000,000 empty lines: {status} in {seconds:.2f} s, {memory_mib(centre)} MiB")
    assert (status, seconds < 2) == (413, True)
    assert memory_mib(centre) < 300
    assert ship(centre, "laptop-2", [line(0, "m2")], "0")[0] == 200


def heavy() -> tuple[bytes, str]:
    """16 MiB of lines that are costly to read, in a few KB."""
    one = json.dumps({"vendor": "x", "payload": {"a": [[[[]]]] * 200, "b": "\\ud800" * 20}})
    count = 15 * MIB // (len(one) + 1)
    return gzip.compress((one + "\n").encode() * count), f"0-{count - 1}"


ATTACKS: dict[str, Any] = {
    "24 bodies of 2 MB of empty gzip members": lambda: (EMPTY * (2 * MIB // len(EMPTY)), "0"),
    "24 bodies of 16 MiB that are costly to read": heavy,
    "24 bodies of 2 MB of noise": lambda: (zlib.compress(bytes(99)) + bytes(2 * MIB), "0"),
}


# 24 threads that post one body again and again until told to stop, in a process of their own.
TRY = """
import sys, threading, urllib.error, urllib.request
url, token, records, path = sys.argv[1:]
body, done, said = open(path, "rb").read(), threading.Event(), []
headers = {"Authorization": "Bearer " + token, "Content-Encoding": "gzip",
           "Hookstream-Stream": "c" * 32, "Hookstream-Records": records}
def go():
    while not done.is_set():
        try:
            request = urllib.request.Request(url, body, headers)
            with urllib.request.urlopen(request, timeout=60) as reply:
                said.append(reply.status)
        except urllib.error.HTTPError as error:
            said.append(error.code)
        except OSError as error:
            said.append(0)
threads = [threading.Thread(target=go) for _ in range(24)]
[one.start() for one in threads]
sys.stdin.read()
done.set()
[one.join() for one in threads]
print(*(f"{one}:{said.count(one)}" for one in sorted(set(said))))
"""


@pytest.mark.long
@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_others_are_answered_within_a_second_while_one_tries(home, centre, attack: str) -> None:
    body, records = ATTACKS[attack]()
    path = home.path / "body"
    path.write_bytes(body)
    words = [sys.executable, "-c", TRY, f"{centre.url}/ship", TOKENS["laptop-1"], records, path]
    trying = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    waits = []
    for n in range(40):
        began = time.monotonic()
        assert ship(centre, "laptop-2", [line(n, "m2")], str(n))[0] == 200
        waits.append(time.monotonic() - began)
        time.sleep(0.1)
    said = trying.communicate("", timeout=120)[0].strip()
    print(
        f"{attack}: answers {said}; another laptop's longest wait {max(waits):.2f} s, "
        f"mean {sum(waits) / len(waits):.3f} s; {memory_mib(centre)} MiB"
    )
    assert max(waits) < 1.0
    assert memory_mib(centre) < 1024
