"""The options of a bundle's commands: the same names and defaults as the command line's."""

from __future__ import annotations

import sys
from argparse import Action, ArgumentParser, BooleanOptionalAction, _SubParsersAction
from hashlib import sha256
from typing import NoReturn

from hookstream.capture.install.homes import SCOPES
from hookstream.capture.install.manifest import own
from hookstream.capture.install.registration import DEFAULT_TELEMETRY
from hookstream.core.errors import HookstreamError
from hookstream.version import __version__


class Parser(ArgumentParser):
    """A parser that reports an error in one line, as all of hookstream does."""

    def error(self, message: str) -> NoReturn:
        raise HookstreamError(f"{message} (see --help)")


class Version(Action):
    """Print the version, what the bundle holds as one digest, and the digest of the file."""

    def __call__(self, *_: object) -> NoReturn:
        bundle = own()
        digests = f" bundle sha256:{bundle[1].digest}" if bundle else ""
        if bundle and bundle[0].is_file():  # what the manifest says, and the file that runs
            digests += f" file sha256:{sha256(bundle[0].read_bytes()).hexdigest()}"
        print(f"hookstream {__version__}{digests}")
        sys.exit(0)


def parser() -> Parser:
    top = Parser(prog="hookstream", description="Audit capture for AI coding agents.")
    top.add_argument("--version", action=Version, nargs=0, help="Print version and digest.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("hook", help="Record one event (hook VENDOR [EVENT], payload on stdin).")
    commands.add_parser("wrap", help="Run a policy hook (wrap VENDOR [EVENT] -- CMD), record it.")
    commands.add_parser("ship", help="Send this machine's log to a collector (ship --help).")
    _install(commands)
    _uninstall(commands)
    _status(commands)
    _serve(commands)
    return top


def _clients(command: ArgumentParser) -> None:
    command.add_argument("vendors", nargs="*", help="Clients (default: with --all, every one).")
    command.add_argument("--all", dest="every", action="store_true", help="Every client found.")


def _scope(command: ArgumentParser) -> None:
    command.add_argument("--scope", default="user", help=" | ".join(SCOPES))
    command.add_argument("--dry-run", action="store_true", help="Show the changes only.")


def _install(commands: _SubParsersAction[Parser]) -> None:
    command = commands.add_parser("install", help="Add observe-only hooks to agents' settings.")
    _clients(command)
    _scope(command)
    command.add_argument("--wrap", action="store_true", help="Wrap existing policy hooks.")
    command.add_argument("--telemetry", action="store_true", help="Switch telemetry on, too.")
    command.add_argument("--telemetry-url", default=DEFAULT_TELEMETRY, help="Its collector.")
    about = "Claude Code: observe from inside, too. Default: where it loads mods."
    command.add_argument("--mod", action=BooleanOptionalAction, default=None, help=about)


def _uninstall(commands: _SubParsersAction[Parser]) -> None:
    command = commands.add_parser("uninstall", help="Remove hooks and restore each file.")
    _clients(command)
    _scope(command)
    command.add_argument("--purge", action="store_true", help="With --all: state and cache, too.")
    command.add_argument("--purge-log", action="store_true", help="As --purge, and the log.")


def _status(commands: _SubParsersAction[Parser]) -> None:
    command = commands.add_parser("status", help="Show registered hooks and when they were seen.")
    _clients(command)
    command.add_argument("--format", default="table", choices=("table", "json"))


def _serve(commands: _SubParsersAction[Parser]) -> None:
    command = commands.add_parser("serve", help="Run the collector of this machine.")
    command.add_argument("--socket", help="Path of the Unix socket for hooks.")
    command.add_argument("--http", default="127.0.0.1:4718", help="HOST:PORT, or off.")
    command.add_argument("--token-file", help="File with the bearer token, mode 0600.")
    command.add_argument("--log", help="Log file or folder.")
    command.add_argument("--tls-cert", help="Certificate chain, PEM.")
    command.add_argument("--tls-key", help="Its private key, PEM.")
    command.add_argument("--max-body", type=int, default=16 * 2**20, help="Bytes of a request.")
    command.add_argument("--name", action="append", help="Additional host name to accept.")
    command.add_argument("--log-format", default="text", help="text or json (standard error)")
    command.add_argument("--log-level", default="info", help="debug, info, warning or error")
    command.add_argument("--print-unit", action="store_true", help="Print a systemd user unit.")
