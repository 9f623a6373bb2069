"""`hookstream ship`: follow this machine's log and send its lines to the collector of a fleet.

    hookstream ship https://collector.example:4718 [LOG...] --token-file FILE

The follower of `run --follow` without its pipeline: lines go out byte for byte, at least once, in
order. A full spool drops its oldest lines and counts them; the log is never held back, so no agent
ever waits. Needs the standard library only.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookstream.core.errors import HookstreamError, Undelivered
from hookstream.core.files import make_private, write_atomic
from hookstream.core.folders import state_folder
from hookstream.core.logs import LOG, say_error
from hookstream.core.times import system_clock
from hookstream.delivery.folders import demand_sources, folder_for
from hookstream.delivery.follow import Delivery, FollowEnding, Plan, follow
from hookstream.delivery.watch import Watched, say
from hookstream.redaction.keys import load_key
from hookstream.sinks import open_sink
from hookstream.sinks.base import Sink

TOKEN_VARIABLE = "HOOKSTREAM_TOKEN"  # noqa: S105  the name of a variable
SPOOL_BYTES = 1 << 30
LINGER_S = 5.0
STREAM_FILE = "stream"


@dataclass(frozen=True)
class Shipping:
    """The options of a shipper. `spool_bytes` bounds what waits for the collector, `linger_s` is
    how long a line may wait for others; `once` ends when everything there is has been sent."""

    collector: str
    sources: tuple[str, ...] = ()
    machine: str | None = None
    token_file: str | None = None
    ca_file: str | None = None
    cert_file: str | None = None
    key_file: str | None = None
    state: Path | None = None
    spool_bytes: int = SPOOL_BYTES
    linger_s: float = LINGER_S
    once: bool = False
    metrics: str | None = None
    metrics_otlp: str | None = None
    log_format: str = "text"
    log_level: str = "info"


def stream_of(folder: Path) -> str:
    """The name of the spool in a state folder, made at first use. OSError."""
    path = folder / STREAM_FILE
    try:
        text = path.read_text("ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        text = ""
    if len(text) != 32 or set(text) - set("0123456789abcdef"):
        make_private(folder)
        text = os.urandom(16).hex()
        write_atomic(path, text.encode() + b"\n")
    return text


def default_state() -> Path:
    """Return the default state folder. HookstreamError without a home folder."""
    state = state_folder()
    if state is None:
        raise HookstreamError("no home folder for the state; use --state")
    return Path(state)


def sources_of(shipping: Shipping) -> list[str]:
    """The named logs, else the folder that hooks and the collector of this machine write to."""
    return list(shipping.sources) or [str(default_state() / "log")]


def folder_of(shipping: Shipping) -> Path:
    """The folder of the spool and the offsets."""
    sources = sources_of(shipping)
    return shipping.state or folder_for(default_state(), sources, "ship", shipping.collector)


def token_of(shipping: Shipping) -> str | None:
    """The token from the file, else from the environment. HookstreamError for a file that others
    can read."""
    if shipping.token_file is not None:
        return load_key(shipping.token_file).decode("utf-8", "replace")
    return os.environ.get(TOKEN_VARIABLE) or None


def plan_of(shipping: Shipping, folder: Path) -> Plan:
    uri = f"hookstream:{shipping.collector}"

    def make() -> Sink:
        fields: dict[str, Any] = {
            "token": token_of(shipping),
            "machine": shipping.machine,
            "ca_file": shipping.ca_file,
            "cert_file": shipping.cert_file,
            "key_file": shipping.key_file,
        }
        return open_sink(uri, standard="agent-hooks", stream=stream_of(folder), **fields)

    return Plan(uri, make)


def ship(shipping: Shipping) -> FollowEnding:
    """Send until asked to stop. HookstreamError for what the user can fix."""
    watched = Watched(
        shipping.metrics, shipping.metrics_otlp, shipping.log_format, shipping.log_level, "ship"
    )
    watched.begin()
    folder = folder_of(shipping)
    sources = sources_of(shipping)
    if shipping.once:
        demand_sources(list(shipping.sources))  # a shipper that stays waits for them
    delivery = Delivery(
        sources=sources,
        plans=[plan_of(shipping, folder)],
        folder=folder,
        pipeline=None,
        key=b"",
        clock=system_clock,
        spool_bytes=shipping.spool_bytes,
        once=shipping.once,
        drops=True,
        linger_s=shipping.linger_s,
        opened=watched.opened,
        said=say,
    )
    begun = f"shipping {', '.join(sources)} to {shipping.collector}; state in {folder}"
    return follow(delivery, lambda: LOG.info(begun))


def conclude(ending: FollowEnding, shipping: Shipping) -> None:
    """Report what was sent. Undelivered (exit 3) if lines wait for the next start."""
    counts = next(iter(ending.sinks.values()))
    shown = f"read {ending.totals['read']}, delivered {counts['delivered']}"
    LOG.info("%s, dropped %d, dead %d", shown, counts["gap"], counts["dead"])
    waiting = sum(ending.waiting.values())
    lines = "1 line waits" if waiting == 1 else f"{waiting} lines wait"
    problem = ending.trouble or (waiting and f"{lines} in {folder_of(shipping)}")
    if waiting and (why := next(iter(ending.errors.values()), "")):
        problem = f"{why}; {problem}"
    if ending.hung:
        LOG.warning(problem or "a request was cut off")
        os._exit(3 if problem else 0)
    if problem:
        raise Undelivered(f"{problem}; the next start sends them")


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        "hookstream ship", description=(__doc__ or "").partition("\n")[0]
    )
    made.add_argument("collector", help="URL of the collector, https://HOST:PORT")
    made.add_argument("sources", nargs="*", help="Log files or folders (default: this user's log).")
    made.add_argument("--machine", help="Name of this machine (default: the host's name).")
    opens = made.add_argument_group("Credentials")
    opens.add_argument("--token-file", help="File with the token, 0600 (or HOOKSTREAM_TOKEN).")
    opens.add_argument("--ca-file", help="CAs that may sign the collector's certificate, PEM.")
    opens.add_argument("--cert-file", help="Client certificate, PEM (mTLS).")
    opens.add_argument("--key-file", help="Its private key, PEM.")
    sends = made.add_argument_group("Delivery")
    sends.add_argument("--state", type=Path, help="Folder of spool and offsets.")
    sends.add_argument(
        "--spool-bytes",
        type=int,
        default=SPOOL_BYTES,
        help="Bytes that may wait for the collector; then the oldest lines are dropped.",
    )
    sends.add_argument(
        "--linger", type=float, default=LINGER_S, dest="linger_s", help="Seconds between requests."
    )
    sends.add_argument("--once", action="store_true", help="Send what there is and end.")
    shows = made.add_argument_group("Figures and logs")
    shows.add_argument("--log-format", default="text", help="text | json")
    shows.add_argument("--log-level", default="info", help="debug | info | warning | error")
    shows.add_argument(
        "--metrics", metavar="[HOST:]PORT", help="Serve /metrics, /healthz, /readyz."
    )
    shows.add_argument("--metrics-otlp", metavar="URL", help="Send figures by OTLP/HTTP.")
    return made


def read_arguments(words: Sequence[str]) -> Shipping:
    """Parse the arguments. HookstreamError for invalid values."""
    given = vars(parser().parse_args(list(words)))
    if given["spool_bytes"] < 1 << 20:
        raise HookstreamError("--spool-bytes: at least 1048576")
    if not 0 <= given["linger_s"] <= 3600:
        raise HookstreamError("--linger: 0 to 3600 seconds")
    return Shipping(**{**given, "sources": tuple(given["sources"])})


def main(words: Sequence[str] | None = None) -> int:
    """Run the command without another command line (a bundle). Return the exit code."""
    try:
        shipping = read_arguments(sys.argv[1:] if words is None else words)
        conclude(ship(shipping), shipping)
    except HookstreamError as error:
        say_error(str(error))
        return error.code
    return 0
