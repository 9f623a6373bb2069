"""Failures of a hook: a log line for each event that could not be normalized, and a small file
`hook-errors` for `hookstream status`.

Neither ever contains text of a payload. Nothing here needs more than the standard library, so that
a package that cannot be imported leaves its trace too (`last_resort`).

The log's line is an Agent Hooks event `vendor.<tool>.CaptureFailed` with the native event, the
time, the reason (`error_code`), and under `native` the payload's length and its SHA-256.

`hook-errors` has one JSON object per line: at, vendor, event, stage, problem. It is in the state
folder, or, if that is not writable, next to the log. Bounded: the older half is removed when it is
full.
"""

from __future__ import annotations

import os
import sys

NAME = "hook-errors"
LOG_NAME = "agent-hooks.jsonl"
LIMIT_BYTES = 64 * 1024
FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND
for _name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY", "O_NOCTTY"):
    FLAGS |= getattr(os, _name, 0)
REGULAR, KINDS = 0o100000, 0o170000

KIND = "CaptureFailed"
REASON_LENGTH = 200
# The answers if nothing of the package can be loaded, by client or by client and event; the same as
# the clients' own facts.
LAST_WORDS = {
    "cursor": b"{}",
    "cline": b'{"cancel": false}',
    "antigravity": b"{}",
    "antigravity PreToolUse": b'{"decision": ""}',
    "antigravity Stop": b'{"decision": ""}',
}
# If the package is broken: how long to wait for the rest of standard input, and how much of it to
# read.
QUIET_S, PAYLOAD_BYTES = 0.5, 64 * 1024 * 1024
OFF = ("off", "none", "false", "0")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.jsons import JsonObject


def describe(error: BaseException) -> str:
    """The type of an exception, the system's message, and its place in the code; never data it
    quotes."""
    name = type(error).__name__
    if isinstance(error, OSError) and error.errno is not None:
        return f"{name}: {os.strerror(error.errno)}"
    if name == "LogRefused":  # its words are ours
        return str(error)
    place = ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f" at {os.path.basename(error.filename)}:{error.lineno}"
    trace = error.__traceback__
    while trace is not None and not isinstance(error, SyntaxError):
        file = os.path.basename(trace.tb_frame.f_code.co_filename)
        place = f" at {file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return name + place


def plain_name(given: object) -> str:
    """A vendor's or an event's name as it may be kept: letters, `_`, `.`, `:` and `-`. What else a
    command line says in its place may be a secret."""
    if type(given) is not str or not given:
        return ""
    letters = given.translate({ord(sign): None for sign in "_.:-"})
    return given if len(given) <= 48 and letters.isascii() and letters.isalpha() else "?"


def plain_value(text: str) -> str:
    """A variable's value if it is a plain word; else it may be a secret."""
    return text if len(text) <= 16 and text.isascii() and text.isalnum() else "..."


# The log.


def lost_line(
    vendor: object,
    event: object,
    now: str,
    reason: str,
    *,
    length: int | None = None,
    digest: str | None = None,
    facts: dict[str, str] | None = None,
) -> bytes:
    """The line of the log for a payload that could not be normalized, with its newline.

    `length` and `digest` (hexadecimal SHA-256) are of the bytes as they came, None if none were
    read; `facts` are machine_id and user_id, as pseudonyms, and capture_scope, if known.
    """
    own = plain_name(vendor)
    tool = own if own.islower() and own.replace("-", "").isalpha() else "unknown"
    known = dict(facts or {})
    reason = reason[:REASON_LENGTH]
    native: JsonObject = {}
    if length is not None:
        native["length"] = length
    if digest is not None:
        native["sha256"] = digest
    meta: JsonObject = {
        "error_code": reason,
        "native_event": plain_name(event) or "unknown",
        "received_at": now,
        "synthesized": ["timestamp", "session_id"],
        "vendor": tool,
    }
    if native:
        meta["native"] = native
    version = _version()
    if version:
        meta["hookstream_version"] = version
    user = known.pop("user_id", "")
    meta.update(known)
    name = "\0".join((tool, meta["native_event"], now, reason, digest or "", *known.values()))
    line: JsonObject = {
        "actor": {"type": "system"},
        "event_id": _uuid("capture failed\0" + name),
        "event_type": f"vendor.{tool}.{KIND}",
        "metadata": {"dev.hookstream": meta},
        "session_id": _digest(f"hookstream/session\0{tool}\0capture failed".encode())[:32],
        "source": {"tool": tool},
        "spec_version": "0.1.0",
        "timestamp": now,
    }
    if user:
        line["user"] = {"id": user}
    return written(line).encode("ascii") + b"\n"


def measured(data: bytes | None) -> JsonObject:
    """`length` and `digest` of a payload for `lost_line`; empty if none was read."""
    return {} if data is None else {"length": len(data), "digest": _digest(data)}


def append_line(path: str, line: bytes) -> bool:
    """Append a line to a log without the package; says whether it is there."""
    try:
        _make_folder(os.path.dirname(path))
        handle = os.open(path, FLAGS, 0o600)
    except OSError:
        return False
    try:
        info = os.fstat(handle)
        if not _is_own(info):
            return False
        _lock(handle)
        size = os.fstat(handle).st_size
        if size:
            os.lseek(handle, size - 1, os.SEEK_SET)
            if os.read(handle, 1) != b"\n":
                line = b"\n" + line
        return os.write(handle, line) == len(line)
    except OSError:
        return False
    finally:
        os.close(handle)


# hook-errors.


def record_failure(folders: list[str], entry: JsonObject, once: bool = False) -> bool:
    """Append the entry in the first writable folder; return whether there was one. Never raises.

    `once`: not if the same problem is recorded already; it would come with every event, and
    displace other problems.
    """
    try:
        if once and _is_known(folders, written(entry["problem"]).encode("ascii")):
            return True
        line = written(entry).encode("ascii") + b"\n"
        return any(_append(os.path.join(folder, NAME), line) for folder in folders)
    except Exception:
        return False


def read_failures(folder: str) -> list[JsonObject]:
    """The entries of a folder's file, oldest first; empty if it does not exist."""
    from hookstream.core.jsons import loads

    failures: list[JsonObject] = []
    try:
        with open(os.path.join(folder, NAME), "rb") as file:
            lines = file.read(2 * LIMIT_BYTES).splitlines()
    except OSError:
        return failures
    for line in lines:
        try:
            entry = loads(line)
        except ValueError:
            continue
        if type(entry) is dict:
            failures.append(entry)
    return failures


def _is_known(folders: list[str], problem: bytes) -> bool:
    for folder in folders:
        try:
            handle = os.open(os.path.join(folder, NAME), FLAGS & ~os.O_CREAT)
        except OSError:
            continue
        try:
            info = os.fstat(handle)
            if info.st_mode & KINDS == REGULAR and problem in os.read(handle, 2 * LIMIT_BYTES):
                return True
        finally:
            os.close(handle)
    return False


def _append(path: str, line: bytes) -> bool:
    try:
        _make_folder(os.path.dirname(path))
        handle = os.open(path, FLAGS, 0o600)
    except OSError:
        return False
    try:
        info = os.fstat(handle)
        if info.st_mode & KINDS != REGULAR or not _is_trusted(path, info):
            return False
        if info.st_size > LIMIT_BYTES and _lock(handle):
            _halve(handle)
        return os.write(handle, line) == len(line)
    except OSError:
        return False
    finally:
        os.close(handle)


def _halve(handle: int) -> None:
    size = os.fstat(handle).st_size
    if size <= LIMIT_BYTES:
        return
    os.lseek(handle, size - LIMIT_BYTES // 2, os.SEEK_SET)
    rest = os.read(handle, LIMIT_BYTES).partition(b"\n")[2]
    os.ftruncate(handle, 0)
    os.write(handle, rest)


# The last resort.


def last_resort(
    argv: list[str],
    error: BaseException | str,
    data: bytes | None = None,
    is_complete: bool = False,
    should_answer: bool = True,
) -> None:
    """Record an event when the package cannot: in the log, in hook-errors, and the client's answer
    on standard output. Never raises.

    `argv` is a hook's command line, with `--registered LOG` or the launcher's six places. `data` is
    the part of the payload read so far; the rest is on standard input unless `is_complete`.
    """
    vendor = event = ""
    try:
        vendor, event, registered, scope, payload = _words(argv)
        if payload is not None:
            data, is_complete = os.fsencode(payload), True
        if not is_complete:
            data = rest_of_input(data)
        reason = error if isinstance(error, str) else describe(error)
        now = _now()
        state = _state_folder()
        line = lost_line(
            vendor,
            event,
            now,
            reason,
            **measured(data),
            facts={"capture_scope": scope} if scope else None,
        )
        for path in _logs(registered, state):
            append_line(path, line)
        entry = {
            "at": now,
            "vendor": plain_name(vendor),
            "event": plain_name(event),
            "stage": "load",
            "problem": reason,
        }
        record_failure([state] if state else [], entry)
    except BaseException:  # noqa: S110  the answer is still sent
        pass
    if should_answer:
        try:
            os.write(1, last_words(vendor, event))
        except OSError:
            return


def last_words(vendor: str | None, event: str | None) -> bytes:
    """The answer of a client whose facts cannot be loaded."""
    return LAST_WORDS.get(f"{vendor} {event}") or LAST_WORDS.get(vendor or "", b"")


def record_unwrapped(argv: list[str], error: BaseException) -> None:
    """Leave a trace of an event that only a policy hook will see, in a separate process: its
    payload is the policy hook's to read, and its output the policy hook's to write."""
    try:
        if os.fork():
            os.wait()
            return
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        last_resort(argv, error)
        os._exit(0)
    except (OSError, AttributeError):
        return


def payload_of_frames(handle: int) -> bytes | None:
    """A wrapped hook's standard input, from the frames of its relay (capture/wrap/relay). None if
    it had none."""
    found = []
    while len(head := _exactly(handle, 5)) == 5:
        body = _exactly(handle, int.from_bytes(head[1:], "big"))
        if head[:1] == b"I":
            found.append(body)
    return b"".join(found) if found else None


def _exactly(handle: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size and (chunk := os.read(handle, min(size - len(data), 1 << 20))):
        data += chunk
    return bytes(data)


def _words(argv: list[str]) -> tuple[str, str, str | None, str, str | None]:
    """Vendor, event, registered log (None: not registered), scope and payload of a command line."""
    words = list(argv)
    if words[:1] and words[0] in ("hook", "wrap", "feed"):
        words = words[1:]
    registered: str | None = None
    scope = ""
    payload = words.pop() if words and words[-1].lstrip().startswith("{") else None
    names: list[str] = []
    while words:
        word = words.pop(0)
        if word == "--":
            break
        if word == "--registered" and words:
            # The launcher names six places: home, configuration, state, cache, log, socket.
            is_launcher = len(words) > 5 and not words[1].startswith("--") and "/" in words[0]
            places = words[:6] if is_launcher else ["", "", "", "", words[0], ""]
            del words[: 6 if is_launcher else 1]
            _set_places(places)
            registered = places[4]
            scope = scope or ("user" if places[0] or not is_launcher else "managed")
        elif word in ("--log", "--now", "--scope") and words:
            value = words.pop(0)
            if word == "--scope":
                scope = value if value in ("managed", "user", "project") else scope
            elif word == "--log":
                registered = value
        elif not word.startswith("-"):
            names.append(word)
    vendor, event, *_ = [*names, "", ""]
    return vendor, event, registered, scope, payload


def _set_places(places: list[str]) -> None:
    for name, value in zip(("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), places, strict=False):
        if value:
            os.environ[name] = value


def _state_folder() -> str:
    """As in capture.log.place; empty without a home folder."""
    return _xdg("XDG_STATE_HOME", ".local/state")


def _xdg(variable: str, below: str) -> str:
    base = os.environ.get(variable, "")
    if not os.path.isabs(base):
        if os.name == "nt":
            name = "LOCALAPPDATA" if "STATE" in variable else "APPDATA"
            base = os.environ.get(name, "")
        else:
            home = _home()
            base = os.path.join(home, below) if home else ""
    return os.path.join(base, "hookstream") if base else ""


def _home() -> str:
    home = os.environ.get("HOME", "")
    if not os.path.isabs(home):
        try:
            from pwd import getpwuid

            home = getpwuid(os.getuid()).pw_dir
        except (ImportError, KeyError, AttributeError):
            return ""
    return home if os.path.isabs(home) else ""


def _logs(registered: str | None, state: str) -> list[str]:
    """The files that the hook writes to: the registered place or the configured one, and what the
    environment adds or, for one that is not registered, says."""
    said = os.environ.get("AGENT_HOOKS_LOG", "")
    configured = _configured()
    if registered is None:
        values = [said.strip() or configured]
    else:
        values = [registered.strip() or configured, said.strip()]
    logs: list[str] = []
    for number, value in enumerate(values):
        if value.lower() in OFF or (number and not value):
            continue
        if value in ("", "*"):
            path = os.path.join(state, "log", LOG_NAME) if state else ""
        else:
            path = _home() + value[1:] if value[:2] in ("~", "~/") else value
            if path.endswith("/") or os.path.isdir(path):
                path = os.path.join(path, LOG_NAME)
        if path and os.path.abspath(path) not in logs:
            logs.append(os.path.abspath(path))
    return logs


def _configured() -> str:
    """`log` from the machine's policy, else from the user's file, empty if neither has it."""
    files = [
        "/etc/hookstream/config.toml",
        os.path.join(_xdg("XDG_CONFIG_HOME", ".config"), "config.toml"),
    ]
    for path in files:
        try:
            with open(path, "rb") as file:
                text = file.read(LIMIT_BYTES)
            from tomllib import loads

            value = loads(text.decode()).get("log")
        except Exception:  # noqa: S112  absent, unreadable, or no TOML
            continue
        if type(value) is str and value.strip():
            return value.strip()
    return ""


def rest_of_input(data: bytes | None) -> bytes | None:
    """Standard input read so far plus the rest, up to its end, a pause, or the limit; None if
    nothing comes."""
    from select import select

    chunks = [data or b""]
    size = len(chunks[0])
    while size <= PAYLOAD_BYTES:
        try:
            if os.name != "nt" and not select((0,), (), (), QUIET_S)[0]:
                break
            chunk = os.read(0, 1 << 18)
        except OSError:  # a folder, say
            break
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
    return data if len(chunks) == 1 else b"".join(chunks)


# Small things that modules of the package have as well, and that may not be loaded from there.


def written(value: Any) -> str:
    """ASCII JSON of texts, integers, null, and lists and objects of them, keys in order."""
    if type(value) is dict:
        return (
            "{" + ",".join(f"{_quoted(key)}:{written(value[key])}" for key in sorted(value)) + "}"
        )
    if type(value) is list:
        return "[" + ",".join(map(written, value)) + "]"
    if type(value) is bool or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return str(value) if type(value) is int else _quoted(str(value))


def _quoted(text: str) -> str:
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    out = []
    for char in text:
        point = ord(char)
        if char in '"\\':
            out.append("\\" + char)
        elif 0x20 <= point < 0x7F:
            out.append(char)
        elif point < 0x10000:
            out.append(f"\\u{point:04x}")
        else:
            point -= 0x10000
            out.append(f"\\u{0xD800 + (point >> 10):04x}\\u{0xDC00 + (point & 0x3FF):04x}")
    return f'"{"".join(out)}"'


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()


def _uuid(text: str) -> str:
    digest = _digest(text.encode("utf-8", "replace"))
    variant = "89ab"[int(digest[16], 16) & 3]
    return f"{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


def _version() -> str:
    try:
        from hookstream.version import __version__
    except Exception:
        return ""
    return str(__version__)


def _now() -> str:
    import time

    stamp_ns = time.time_ns()
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(stamp_ns // 1_000_000_000))
    return f"{stamp}.{stamp_ns // 1_000_000 % 1000:03d}Z"


def _make_folder(folder: str) -> None:
    missing = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for path in reversed(missing):
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            continue


def _is_own(info: os.stat_result) -> bool:
    if info.st_mode & KINDS != REGULAR:
        return False
    return os.name == "nt" or os.geteuid() == 0 or info.st_uid in (0, os.geteuid())


def _is_trusted(path: str, info: os.stat_result) -> bool:
    """Return whether no other user can have placed a link there; True if that cannot be checked."""
    try:
        from hookstream.capture.log.links import LogRefused, refuse_foreign
    except Exception:
        return True
    try:
        refuse_foreign(path, info)
    except LogRefused:
        return False
    return True


def _lock(handle: int, wait_s: float = 0.05) -> bool:
    """Take the file's lock; False if it stayed taken or locks do not exist."""
    if sys.platform == "win32":
        return True  # what two writers at once may lose there is half a file of errors
    import time
    from fcntl import LOCK_EX, LOCK_NB, flock

    until = time.monotonic() + wait_s
    while True:
        try:
            flock(handle, LOCK_EX | LOCK_NB)
        except (BlockingIOError, InterruptedError):
            if time.monotonic() >= until:
                return False
            time.sleep(0.001)
        except OSError:
            return False
        else:
            return True
