"""The lightest way to record an event: hand it to the collector, if one answers.

`launch.py hook VENDOR [EVENT]` sends the payload, the arguments and a few variables to the
collector's Unix socket and writes the answer it gets. If no answer comes in time, or the collector
says that the event is not for it, the hook does the work itself. Nothing is imported before that
except the interpreter's built-in modules.

A message is a row of frames, each one letter, four bytes of length, data: H the header, D a part of
the payload, Q a part that may be the last, Z the end. The collector answers Q and Z with `?` (go
on), `-` (do it yourself), or `+`, one byte of length and the answer to write.
"""

from __future__ import annotations

try:
    import posix
except ImportError:  # Windows
    posix = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

CHUNK = 1 << 18
# Time limits for the collector's answer and for a client's payload; and the same for a client that
# gives its hook a second or little more (capture/hook/output.py).
ANSWER_S, PAYLOAD_S = 0.6, 1.0
BRIEF = ("SessionEnd", "Interrupt")
BRIEF_ANSWER_S, BRIEF_PAYLOAD_S = 0.2, 0.3
# Variables the collector needs: the log's place, and those that the tables read.
NAMES = (
    b"AGENT_HOOKS_LOG",
    b"HOME",
    b"XDG_STATE_HOME",
    b"XDG_CONFIG_HOME",
    b"CURSOR_PROJECT_DIR",
    b"CURSOR_VERSION",
    b"COPILOT_CLI_BINARY_VERSION",
    b"DEVIN_PROJECT_DIR",
    b"CLAUDE_CODE_ENTRYPOINT",
    b"CLAUDE_CODE_SESSION_ATTENDED",
    b"QODER_HOOK_VERSION",
)
# A hook that is given its payload there may have no standard input (`HookFacts.payload_variable`).
PAYLOADS = (b"USER_PROMPT",)


def socket_path(env: dict[bytes, bytes]) -> bytes | None:
    """HOOKSTREAM_SOCKET, else run/collector.sock in the state folder."""
    named = env.get(b"HOOKSTREAM_SOCKET")
    if named:
        return named
    state = env.get(b"XDG_STATE_HOME", b"")
    if not state.startswith(b"/"):
        home = env.get(b"HOME", b"")
        if not home.startswith(b"/"):
            return None
        state = home + b"/.local/state"
    return state + b"/hookstream/run/collector.sock"


class ReadSoFar:
    """The payload read so far; `ended`: all of it was read."""

    def __init__(self) -> None:
        self.data = b""
        self.ended = False


def open_closed() -> None:
    """Give standard input, output and errors that a client closed to the null device: a file that
    is opened later would get their numbers, and with them the answer."""
    if posix is None:
        return
    for number in (0, 1, 2):
        try:
            posix.fstat(number)
        except OSError:
            posix.open("/dev/null", posix.O_RDWR)  # the lowest number that is free


def main(words: list[str], options: list[str]) -> NoReturn:
    """The program: always ends with status 0, the answer written. `words` are vendor and event,
    `options` what the launcher adds to them."""
    import time

    began_s = time.monotonic()
    now_ns = time.time_ns()
    open_closed()
    read = ReadSoFar()
    answer = None
    is_asked = posix is not None and words and words[0][:1] != "-"
    if is_asked and not any(name in posix.environ for name in PAYLOADS):
        try:
            answer = _ask(words, options, now_ns, read)
        except BaseException:
            answer = None
    if answer is None:
        _run_here(words, options, (now_ns, began_s), read)
    try:
        if answer:
            posix.write(1, answer)
    finally:
        posix._exit(0)


def _run_here(
    words: list[str], options: list[str], began: tuple[int, float], read: ReadSoFar
) -> None:
    """Do the hook's work in this process, and end it; if that cannot be loaded, leave a trace of
    the event."""
    try:
        from hookstream.capture.hook.in_process import run_in_process

        run_in_process(words, options, began, read.data, read.ended)
    except Exception as error:
        from hookstream.capture.hook.failures import last_resort

        last_resort(options + words, error, read.data, read.ended)


def _ask(words: list[str], options: list[str], now_ns: int, read: ReadSoFar) -> bytes | None:
    """The collector's answer, or None if the hook has to do the work."""
    env = posix.environ
    path = socket_path(env)
    if path is None:
        return None
    posix.stat(path)  # if no collector has been, no socket is loaded
    import _signal
    import _socket

    for number in (_signal.SIGHUP, _signal.SIGINT, _signal.SIGTERM):
        _signal.signal(number, _signal.SIG_IGN)  # it is about to end anyway
    is_brief = words[1:2] and words[1] in BRIEF
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    line.settimeout(BRIEF_ANSWER_S if is_brief else ANSWER_S)
    line.connect(path)
    argv = options + words
    fields = [b"%d" % now_ns, b"%d" % len(argv)]
    fields += [word.encode("utf-8", "surrogateescape") for word in argv]
    fields += [name + b"=" + env[name] for name in NAMES if name in env]
    head = _frame(b"H", b"\0".join(fields))
    last = words[-1]
    if last.lstrip().startswith("{"):  # the payload is an argument (Codex notify)
        return _talk(line, head + b"Z\0\0\0\0")
    _signal.signal(_signal.SIGALRM, _on_deadline)
    _signal.setitimer(_signal.ITIMER_REAL, BRIEF_PAYLOAD_S if is_brief else PAYLOAD_S)
    while True:
        data = posix.read(0, CHUNK)
        if not data:
            read.ended = True
            _signal.setitimer(_signal.ITIMER_REAL, 0)
            return _talk(line, head + b"Z\0\0\0\0")
        read.data += data
        if data.rstrip()[-1:] != b"}":
            line.sendall(head + _frame(b"D", data))
        else:
            answer = _talk(line, head + _frame(b"Q", data))
            if answer != b"?":
                _signal.setitimer(_signal.ITIMER_REAL, 0)
                return answer
        head = b""


def _frame(letter: bytes, data: bytes) -> bytes:
    return letter + len(data).to_bytes(4, "big") + data


def _talk(line: Any, message: bytes) -> bytes | None:
    """Send, and return the answer; `?` if the collector wants more, None if it refuses."""
    line.sendall(message)
    reply: bytes = line.recv(512)
    if reply[:1] == b"?":
        return b"?"
    if reply[:1] != b"+":
        return None
    while len(reply) < 2 or len(reply) < 2 + reply[1]:
        more = line.recv(512)
        if not more:
            return None
        reply += more
    return reply[2 : 2 + reply[1]]


def _on_deadline(number: int, frame: Any) -> None:
    raise TimeoutError
